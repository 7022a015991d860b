package fabric

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/sim"
)

// foresighted is a sink that expects some heads.
type foresighted struct {
	*sink
	draw     *rand.Rand
	expected map[*Packet]sim.Time
	met      int
}

func (f *foresighted) Expect(p *Packet, at sim.Time) bool {
	if f.draw.IntN(4) == 0 {
		return false
	}
	if len(f.expected) > 0 {
		for _, before := range f.expected {
			if before > f.net.engine.Now() {
				panic("two heads are expected")
			}
		}
	}
	f.expected[p] = at
	return true
}

func (f *foresighted) Unexpect(p *Packet) {
	if f.expected[p] <= f.net.engine.Now() {
		panic("a head that has come, or is not expected, is taken back")
	}
	delete(f.expected, p)
	f.met++
}

func (f *foresighted) Arrived(p *Packet) {
	if _, ok := f.expected[p]; ok {
		delete(f.expected, p)
		f.Accept(p)
	}
	f.sink.Arrived(p)
}

// foresee makes the ports of a rig expect heads, and ask for some of them again.
func (r *rig) foresee(draw *rand.Rand, spread int64) (ports []*foresighted) {
	for i, s := range r.ports {
		f := &foresighted{sink: s, draw: draw, expected: map[*Packet]sim.Time{}}
		ports = append(ports, f)
		r.net.Attach(i, f)
		for range 20 {
			r.engine.At(sim.Time(draw.Int64N(spread)), action(func() { r.net.ask(i) }), 0, 0)
		}
	}
	return ports
}

// TestExpressAgainstSteps: heads that pass idle channels without events arrive and wait as
// those that go step by step, and channels have the same statistics. Receivers expect most heads,
// and change their minds. Traffic is light and heavy; a receiver stalls, in some runs beyond the block limit.
func TestExpressAgainstSteps(t *testing.T) {
	saved, met := 0.0, 0
	for seed := range testlong.Pick[uint64](40, 2000) {
		r := rand.New(rand.NewPCG(seed, 11))
		tops := []Topology{{Nodes: 16}, {Nodes: 40}, {Nodes: 16, Radix: 4}, {Shape: Mesh, Nodes: 16}, {Nodes: 64}}
		spec := base(tops[r.IntN(len(tops))])
		if r.IntN(2) == 0 {
			spec.BlockLimit = 5 * sim.Microsecond
			spec.Faults.Stalls = []Stall{{Node: 0, At: 3_000_003, For: sim.Duration(1 + r.IntN(20_000_000))}}
		}
		spread := []int64{5e6, 50e6, 500e6}[r.IntN(3)]
		tr := randomTraffic(r, spec, 10, []int{20, 100, 600}[r.IntN(3)], spread)
		ahead, steps := newRig(t, spec), newRig(t, spec)
		steps.net.stepwise = true
		ports := ahead.foresee(r, spread)
		want, got := tr.on(t, steps), tr.on(t, ahead)
		if steps.net.Stats().Resets > 0 {
			continue // a reset sets several heads free at the same instant, and either order is right
		}
		require.Equal(t, want, got, "seed %d", seed)
		require.Equal(t, steps.net.Stats(), ahead.net.Stats(), "seed %d", seed)
		for c := range steps.net.ch {
			require.Equal(t, steps.net.ChannelStats(c), ahead.net.ChannelStats(c), "seed %d channel %d", seed, c)
		}
		for _, p := range ports {
			met += p.met
		}
		saved = max(saved, 1-float64(ahead.engine.Events())/float64(steps.engine.Events()))
	}
	require.Positive(t, saved, "some heads go ahead")
	require.Positive(t, met, "some announcements are taken back")
}
