package experiment

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace/waits"
)

// logOf runs a program with and without the log of waiting, which must not change it, and
// returns the log.
func logOf(t *testing.T, s RunSpec) *waits.Log {
	t.Helper()
	s.Trace = TraceAll
	plain, err := execute(context.Background(), s, platform.Overlay{}, nil)
	require.NoError(t, err)
	require.Nil(t, plain.cluster.Waits())
	s.Trace = TraceWaits
	logged, err := execute(context.Background(), s, platform.Overlay{}, nil)
	require.NoError(t, err)
	require.Equal(t, plain.cluster.Engine.Digest(), logged.cluster.Engine.Digest())
	require.Equal(t, plain.cluster.Net.Stats(), logged.cluster.Net.Stats())
	log := logged.cluster.Waits()
	checkLog(t, log)
	return log
}

// checkLog checks what is true of every finished log: the intervals of each actor fill
// its time, and what serves one at a time has one holder at a time.
func checkLog(t *testing.T, log *waits.Log) {
	t.Helper()
	at := make([]int64, len(log.Actors))
	for id := range log.Actors {
		at[id] = log.Actors[id].Begin
	}
	for _, x := range log.Intervals {
		require.Equal(t, at[x.Actor], x.Begin, "%+v of %+v", x, log.Actors[x.Actor])
		require.Less(t, x.Begin, x.End)
		at[x.Actor] = x.End
	}
	for id, a := range log.Actors {
		require.Equal(t, a.End, at[id], "%+v", a)
	}
	holds := slices.DeleteFunc(slices.Clone(log.Holds), func(h waits.Hold) bool { return h.Resource == waits.Ring })
	slices.SortFunc(holds, func(a, b waits.Hold) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Instance, b.Instance), cmp.Compare(a.Begin, b.Begin))
	})
	for i := 1; i < len(holds); i++ {
		if a, b := holds[i-1], holds[i]; a.Resource == b.Resource && a.Instance == b.Instance {
			require.LessOrEqual(t, a.End, b.Begin, "%+v and %+v: %+v and %+v", a, b, log.Actors[a.Actor], log.Actors[b.Actor])
		}
	}
	_, err := causal.Resolve(log)
	require.NoError(t, err)
}

func TestWaitsOfPrograms(t *testing.T) {
	programs := []string{"fft", "radix", "gauss", "ocean", "dfs", "hotspot"}
	if testing.Short() {
		programs = []string{"fft", "gauss"}
	}
	for _, name := range programs {
		t.Run(name, func(t *testing.T) {
			s := DefaultRun(name)
			s.Nodes, s.Size = 4, smallSizes[name]
			log := logOf(t, s)
			known, all := int64(0), int64(0) // of waiting: that has a holder
			a, err := causal.Resolve(log)
			require.NoError(t, err)
			for _, p := range a.Pieces {
				if p.What == waits.Waiting {
					all += p.Length()
					if p.Holder != 0 {
						known += p.Length()
					}
				}
			}
			t.Logf("%d actors, %d intervals, %d holds; %.2f %% of waiting has a holder", len(log.Actors), len(log.Intervals), len(log.Holds), 100*float64(known)/float64(all))
		})
	}
}

// TestWaitsWithWhatIsFree: freed resources, which may serve several at once, damaged,
// refused and repeated packets leave no gap either.
func TestWaitsWithWhatIsFree(t *testing.T) {
	faulty := func(s *RunSpec) {
		s.Faults = FaultSpec{ErrorPerByte: 1e-6, DropAck: 0.02, Stalls: []Stall{{Node: 2, At: sim.Time(5 * sim.Millisecond), For: 5 * sim.Millisecond}}}
	}
	cases := map[string]func(*RunSpec){"faults": faulty}
	if !testing.Short() {
		for _, r := range []Resource{CPU, MemBus, PCI, HDMA, SRAM, LANai, Slots, Ports} {
			cases[string(r)] = func(s *RunSpec) { s.Uncontended = []Resource{r} }
		}
		cases["gang"] = func(s *RunSpec) { s.Workload, s.Size, s.Gang = "hotspot+random", 0, true }
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			s := DefaultRun("fft")
			s.Nodes, s.Size = 4, 4096
			change(&s)
			logOf(t, s)
		})
	}
}

// TestWaitsOnEveryLayer: the parts that all layers share leave no gap.
func TestWaitsOnEveryLayer(t *testing.T) {
	carry, _ := everywhere(t)
	for i, at := range carry {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(at.String(), func(t *testing.T) { logOf(t, runAt(at, "gauss", 4, 64)) })
	}
}
