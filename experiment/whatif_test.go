package experiment

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/trace/waits"
)

// freed are what runs can have free, by what traces call it.
var freed = map[waits.Resource][]Resource{
	waits.CPU: {CPU}, waits.IOBus: {PCI}, waits.MemBus: {MemBus}, waits.HostDMA: {HDMA}, waits.Processor: {LANai}, waits.Slot: {Slots}, waits.SRAM: {SRAM},
}

// TestWhatIfPredictsARun removes the resource that has most of the critical path among those
// that a run can have free, in the what-if and in a run.
func TestWhatIfPredictsARun(t *testing.T) {
	programs := []string{"fft", "gauss"}
	sizes := map[string]int64{"fft": 16384, "gauss": 128}
	seeds := []uint64{4}
	if testlong.On() {
		programs = []string{"fft", "radix", "gauss", "ocean", "dfs", "hotspot"}
		sizes = map[string]int64{"fft": 65536, "radix": 65536, "gauss": 256}
		seeds = []uint64{41, 42, 43}
	}
	for _, name := range programs {
		for _, seed := range seeds {
			s := DefaultRun(name)
			s.Seed = seed
			if size := sizes[name]; size > 0 {
				s.Size = size
			}
			_, e := explained(t, s)
			queues := slices.DeleteFunc(slices.Clone(e.Queues), func(q causal.Queue) bool { return freed[q.Resource] == nil })
			q := slices.MaxFunc(queues, func(a, b causal.Queue) int { return cmp.Compare(a.OnPath, b.OnPath) })
			free := s
			free.Uncontended, free.Trace = freed[q.Resource], TraceAll // which is as long as with the log
			r, err := execute(context.Background(), free, platform.Overlay{}, nil)
			require.NoError(t, err)
			run, predicted := float64(r.ended.Sub(r.began)), float64(e.Length()-q.Saved)
			off := predicted/run - 1
			t.Logf("%s, seed %d: %.2f ms, %s has %.1f %% of the path; without it predicted %.2f, run %.2f: %+.1f %%", name, seed,
				float64(e.Length())/1e9, q.Resource, 100*float64(q.OnPath)/float64(e.Length()), predicted/1e9, run/1e9, 100*off)
			if math.Abs(off) > 0.05 {
				t.Errorf("%s, seed %d: %s: %+.1f %%", name, seed, q.Resource, 100*off)
			}
		}
	}
}
