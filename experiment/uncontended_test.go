package experiment

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/cluster/platform"
)

// scatters holds by program a size and how much its run time moves by chance at this
// size, in %: the standard deviation, over seeds 1 to 16, of its change when wires are
// 1 ns longer. That matters to no packet, but any change alters the order in which
// requests meet.
var scatters = map[string]struct {
	size    int64
	percent float64
}{
	"fft":   {1 << 14, 0.85},
	"radix": {1 << 15, 0.34},
	"ocean": {32, 0.14},
	"gauss": {128, 0.14},
	"dfs":   {500, 0.98},
}

// freeBeside holds what is free in both runs of a comparison. Free ports are a
// condition of free S engines. Transfers of a free H engine share the buses instead of
// following one another, so that the first one ends later: with busy buses Ocean's 32
// rows take 0.6 % longer.
var freeBeside = map[Resource][]Resource{SDMA: {Ports}, HDMA: {PCI, MemBus}}

// duration is how long a program took, and the packets that it sent.
type duration struct{ us, packets float64 }

// longer returns by how many per cent a takes longer than b, beyond what more packets do: a
// program whose locks are taken in another order sends others, and does other work.
func (a duration) longer(b duration) float64 {
	return 100 * (a.us/b.us - 1 - max(0, a.packets/b.packets-1))
}

// TestFreeingNeverLengthens: with a resource that is never busy a program does not take
// longer for its packets. The mean change over n seeds may exceed 0 by three standard
// errors of a change by chance.
func TestFreeingNeverLengthens(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of runs")
	}
	seeds := testlong.Pick(uint64(3), 16)
	for name, scatter := range scatters {
		bound := 3 * scatter.percent / math.Sqrt(float64(seeds))
		busy := map[string][]duration{} // by what is free in both
		took := func(free []Resource) (all []duration) {
			for seed := range seeds {
				s := DefaultRun(name)
				s.Size, s.Seed, s.Uncontended = scatter.size, seed+1, free
				r, err := execute(context.Background(), s, platform.Overlay{}, nil)
				require.NoError(t, err)
				d := duration{us: r.programs[0].took.Us()}
				for _, n := range r.cluster.Nodes {
					d.packets += float64(n.Layer.Traffic().Packets)
				}
				all = append(all, d)
			}
			return all
		}
		for _, resource := range CPU.All() {
			beside := freeBeside[resource]
			key := fmt.Sprint(beside)
			if busy[key] == nil {
				busy[key] = took(beside)
			}
			t.Run(fmt.Sprint(name, " ", resource), func(t *testing.T) {
				sum := 0.0
				for i, d := range took(append([]Resource{resource}, beside...)) {
					sum += d.longer(busy[key][i])
				}
				require.LessOrEqual(t, sum/float64(seeds), bound, "%% of the run time, mean of %d seeds", seeds)
			})
		}
	}
}

// TestFreeEngineKeepsOrder: an H engine that is never busy fetches many packets at a time. The
// short last packet of a message, whose fetch ends first, still follows the others.
func TestFreeEngineKeepsOrder(t *testing.T) {
	carry, _ := everywhere(t)
	for _, at := range few(carry) {
		s := runAt(at, "broadcast", 5, 0)
		s.Build, s.Uncontended = BuildOff, []Resource{HDMA}
		s.Pattern = PatternSpec{Bytes: 6608, Count: 3}
		mustRun(t, s)
	}
}

// TestFreeSendersOvertake: with free S engines the short last packet of a message comes before the
// first one, and the message is complete with that.
func TestFreeSendersOvertake(t *testing.T) {
	s := DefaultRun("pingpong")
	s.Platform, s.Nodes, s.Build, s.Uncontended = "ppro", 2, BuildOff, []Resource{Ports, SDMA}
	s.Pattern = PatternSpec{Bytes: 4196, Count: 1}
	mustRun(t, s)
}
