package fabric

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/internal/testlong"
	"github.com/sigview/sigview/sim"
)

// TestExpressAgainstSteps: heads that pass idle channels without events arrive and wait as
// those that go step by step, and channels have the same statistics. Traffic is
// light and heavy; a receiver stalls, in some runs beyond the block limit.
func TestExpressAgainstSteps(t *testing.T) {
	saved := 0.0
	for seed := range testlong.Pick[uint64](40, 2000) {
		r := rand.New(rand.NewPCG(seed, 11))
		tops := []Topology{{Nodes: 16}, {Nodes: 40}, {Nodes: 16, Radix: 4}, {Shape: Mesh, Nodes: 16}, {Nodes: 64}}
		spec := base(tops[r.IntN(len(tops))])
		if r.IntN(2) == 0 {
			spec.BlockLimit = 5 * sim.Microsecond
			spec.Faults.Stalls = []Stall{{Node: 0, At: 3_000_003, For: sim.Duration(1 + r.IntN(20_000_000))}}
		}
		tr := randomTraffic(r, spec, 10, []int{20, 100, 600}[r.IntN(3)], []int64{5e6, 50e6, 500e6}[r.IntN(3)])
		ahead, steps := newRig(t, spec), newRig(t, spec)
		steps.net.stepwise = true
		want, got := tr.on(t, steps), tr.on(t, ahead)
		if steps.net.Stats().Resets > 0 {
			continue // a reset sets several heads free at the same instant, and either order is right
		}
		require.Equal(t, want, got, "seed %d", seed)
		require.Equal(t, steps.net.Stats(), ahead.net.Stats(), "seed %d", seed)
		for c := range steps.net.ch {
			require.Equal(t, steps.net.ChannelStats(c), ahead.net.ChannelStats(c), "seed %d channel %d", seed, c)
		}
		saved = max(saved, 1-float64(ahead.engine.Events())/float64(steps.engine.Events()))
	}
	require.Positive(t, saved, "some heads go ahead")
}
