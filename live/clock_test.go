package live

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace"
)

// wander is a clock: what it shows at node 0's time t.
type wander struct{ offset, rate, sine, period float64 }

func (w wander) at(t int64) int64 {
	s := 0.0
	if w.period > 0 {
		s = w.sine * w.period / (2 * math.Pi) * math.Sin(2*math.Pi*float64(t)/w.period)
	}
	return t + int64(w.offset+w.rate*float64(t)+s)
}

// probe draws a probe at node 0's time t. The other host is mostly quick to answer. A way takes 500 ns, mostly little more, and under load some µs.
func (w wander) probe(t int64, d *rand.Rand) Probe {
	delay := func() int64 {
		ns := 500 + d.ExpFloat64()*60
		if d.IntN(3) == 0 {
			ns += d.ExpFloat64() * 5000
		}
		return int64(ns)
	}
	arrived := t + delay()
	answered := arrived + 2000
	if d.IntN(4) == 0 { // the other host is busy
		answered += 20_000_000
	}
	return Probe{Node: 1, Sent: t, Arrived: w.at(arrived), Answered: w.at(answered), Received: answered + delay()}
}

// TestTracker: clocks that are off and drift are recovered, and the bound holds.
func TestTracker(t *testing.T) {
	const second = 1_000_000_000
	start := int64(1_790_000_000 * second)
	for _, c := range []struct {
		name  string
		clock wander
		most  float64 // error, ns
	}{
		{"the same clock", wander{}, 100},
		{"50 ppm and an offset", wander{offset: 1.234567e9, rate: 50e-6}, 100},
		{"an hour late", wander{offset: -3600e9, rate: -20e-6}, 100},
		{"wander", wander{offset: 1e6, rate: 50e-6, sine: 1e-7, period: 40e9}, 300},
	} {
		d := rand.New(rand.NewPCG(1, 2))
		k := newTracker(2)
		at := func(i int64) int64 { return i * second / 10 }
		shown := func(t int64) int64 { return start + c.clock.at(t) } // the clock began at start
		for i := range int64(600) {
			p := c.clock.probe(at(i), d)
			k.Add(Probe{Node: 1, Sent: start + p.Sent, Arrived: start + p.Arrived, Answered: start + p.Answered, Received: start + p.Received})
		}
		require.False(t, k.Ready(1, shown(at(599))), c.name)
		require.True(t, k.Ready(1, shown(at(300))), c.name)
		k.Close()
		require.True(t, k.Ready(1, shown(at(599))), c.name)
		covered := 0
		for range 10_000 {
			truth := d.Int64N(at(600))
			global, bound := k.Convert(1, shown(truth))
			wrong := math.Abs(float64(global - start - truth))
			require.LessOrEqual(t, wrong, c.most, "%s at %d", c.name, truth)
			if wrong <= float64(bound) {
				covered++
			}
			require.Less(t, bound, int64(2000), c.name)
		}
		require.Greater(t, covered, 9900, c.name)
		rows := k.rows(start)
		found := map[string]int{}
		for _, r := range rows {
			require.NoError(t, trace.CheckRow(&r))
			found[r.Estimator]++
		}
		require.Equal(t, []int{12, 600}, []int{found[estimatorLines], found["improved"]}, c.name)
		require.NotZero(t, found["published"], c.name)
	}
}

// TestShortWindow: a few probes at the end, which may all be delayed, have no line of their own.
func TestShortWindow(t *testing.T) {
	d := rand.New(rand.NewPCG(1, 2))
	clock := wander{offset: 1e6, rate: 50e-6}
	k := newTracker(2)
	const every, probes = 100_000_000, 54
	for i := range int64(probes) {
		p := clock.probe(i*every, d)
		if i >= probes-4 {
			p.Received += 3_000_000
		}
		k.Add(p)
	}
	k.Close()
	require.Equal(t, 1, len(k.peers[1].fits))
	global, bound := k.Convert(1, clock.at((probes-1)*every))
	require.InDelta(t, int64((probes-1)*every), global, 100)
	require.Less(t, bound, int64(2000))
}

// TestBoundOfDelays: the bound holds also if most probes are delayed, more one way than the other, so that the few
// others lie at one end of a window.
func TestBoundOfDelays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		clock := wander{offset: 1e6, rate: rapid.Float64Range(-50e-6, 50e-6).Draw(t, "rate")}
		long := [2]float64{rapid.Float64Range(500, 3000).Draw(t, "there"), rapid.Float64Range(0, 3000).Draw(t, "back")}
		late := rapid.Float64Range(0.9, 0.999).Draw(t, "late") // part of the probes
		k := newTracker(2)
		const every, probes = 100_000_000, 300
		for i := range int64(probes) {
			way := func(usual float64) int64 {
				ns := 100.0
				if d.Float64() < late {
					ns += d.ExpFloat64() * usual
				}
				return int64(ns)
			}
			sent := i * every
			arrived := sent + way(long[0])
			received := arrived + 2000 + way(long[1])
			k.Add(Probe{Node: 1, Sent: sent, Arrived: clock.at(arrived), Answered: clock.at(arrived + 2000), Received: received})
		}
		k.Close()
		const tries = 1000
		held := 0
		for range tries {
			truth := d.Int64N(probes * every)
			global, bound := k.Convert(1, clock.at(truth))
			if max(global-truth, truth-global) <= bound {
				held++
			}
		}
		require.GreaterOrEqual(t, held, tries*99/100)
	})
}
