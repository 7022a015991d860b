package logp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// machines are the published parameters of three machines.
var machines = map[string]law{
	"paragon": {os: 1.4, or: 2.2, l: 6.4, g: 7.6, capacity: 16},
	"meiko":   {os: 1.7, or: 1.6, l: 7.2, g: 13.6, capacity: 16},
	"myrinet": {os: 2.0, or: 2.6, l: 11.0, g: 12.4, capacity: 16},
}

func near(t require.TestingT, want float64, got Estimate, part float64, name string) {
	require.True(t, got.OK(), "%s: %v", name, got)
	require.InDelta(t, want, got.Value, part*want, name)
	require.True(t, 0 <= got.Lo && got.Lo <= got.Value && got.Value <= got.Hi, "%s: %v", name, got)
}

func seeded(t *rapid.T) *rand.Rand {
	return rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
}

func anyLaw(t *rapid.T) law {
	f := func(name string, lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
	p := law{os: f("os", 0.2, 20)}
	p.or = p.os * f("or/os", 0.3, 3)
	p.l = p.os * f("L/os", 0.2, 12)
	p.g = (p.os + p.or) / (1 - f("idle/g", 0.1, 0.9))
	p.capacity = int(p.rtt()/p.g) + 3 + rapid.IntRange(0, 40).Draw(t, "capacity")
	return p
}

func TestSignatureRecoversWhatIsPlanted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyLaw(t)
		idle := p.g - p.os - p.or
		deltas := []float64{0, idle / 3, 1.3*idle + p.or/2, 2*idle + p.or, 4*idle + 2*p.or}
		ms := powers(int(16 * p.steadyFrom()))
		res := p.signature(seeded(t), exact, ms, deltas...).Extract()
		near(t, p.os, res.Os, 0.02, "o_s")
		near(t, p.or, res.Or, 0.02, "o_r")
		near(t, p.g, res.G, 0.02, "g")
		require.InDelta(t, p.l, res.L.Value, 0.02*math.Max(p.l, p.os+p.or), "L")
		near(t, p.rtt(), res.RTT, 1e-9, "RTT")
		require.InDelta(t, idle, res.Idle.Value, 0.02*p.g, "idle")
		near(t, p.g, res.Curves[1].AsymptoteUs, 0.02, "a short spin leaves g")
	})
}

func TestRegimesAreWherePlanted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyLaw(t)
		p.capacity = rapid.IntRange(int(p.rtt()/p.g)+2, 64).Draw(t, "limit")
		var ms []int
		for m := 1; float64(m) < 8*p.steadyFrom()+8; m += 1 + m/8 {
			ms = append(ms, m)
		}
		c := p.signature(seeded(t), exact, ms, 0).Extract().Curves[0]
		// The first reply is there RTT − o_r after its request began; the first
		// message after that, or the first beyond the capacity, is dear.
		knee := min(int(math.Ceil((p.rtt()-p.or)/p.os)), p.capacity)
		beyond, _ := slices.BinarySearch(ms, knee+1)
		require.GreaterOrEqual(t, c.Knee.To, ms[beyond], "knee %d", knee)
		if p.cost(ms[beyond], 0) > 1.06*p.os { // more than a point's accuracy
			require.Equal(t, Range{ms[beyond-1], ms[beyond]}, c.Knee, "knee %d", knee)
		}
		require.Equal(t, 1, c.SendOnly.From)
		require.Equal(t, c.Knee.From, c.SendOnly.To)
		require.Equal(t, ms[len(ms)-1], c.Steady.To)
		require.Greater(t, c.Steady.From, c.SendOnly.To)
	})
}

func TestPublishedMachines(t *testing.T) {
	for name, p := range machines {
		t.Run(name, func(t *testing.T) {
			// As published: M to 128, and two spins that lift.
			res := p.signature(rand.New(rand.NewPCG(1, 2)), exact, powers(128), 0, 4, 16, 32).Extract()
			near(t, p.os, res.Os, 1e-6, "o_s")
			near(t, p.or, res.Or, 0.001, "o_r")
			near(t, p.g, res.G, 0.001, "g")
			near(t, p.l, res.L, 0.001, "L")
			c := res.Curves[0]
			assert.Equal(t, Range{8, 16}, Range{c.Knee.From, c.Knee.To})
			assert.Equal(t, 128, c.Steady.To)
			assert.Greater(t, p.g, p.cost(128, 0)*1.05, "the asymptote lies beyond M = 128")
		})
	}
}

// TestKneeAtCapacity plants both causes of the knee.
func TestKneeAtCapacity(t *testing.T) {
	every := make([]int, 120)
	for i := range every {
		every[i] = i + 1
	}
	for _, capacity := range []int{5, 9, 14, 40} {
		p := machines["myrinet"]
		p.capacity = capacity
		c := p.signature(nil, exact, every, 0).Extract().Curves[0]
		// Replies come RTT − o_r after the first issue began.
		want := min(capacity, int(math.Ceil((p.rtt()-p.or)/p.os)))
		assert.Equal(t, Range{want, want + 1}, c.Knee, "capacity %d", capacity)
	}
}

func TestNotIdentifiable(t *testing.T) {
	myrinet := machines["myrinet"]
	tests := []struct {
		name string
		sig  Signature
		has  []string // names of parameters with a value
		why  map[string]string
	}{
		{"no Δ lifts", myrinet.signature(nil, exact, powers(256), 0, 2, 4), []string{"os", "g", "rtt"},
			map[string]string{"or": "no Δ lifts", "L": "no Δ lifts"}},
		{"one Δ", myrinet.signature(nil, exact, powers(256), 0), []string{"os", "g", "rtt"},
			map[string]string{"or": "no Δ lifts"}},
		{"no Δ = 0", myrinet.signature(nil, exact, powers(256), 16, 32), []string{"L", "rtt"},
			map[string]string{"os": "no points at Δ = 0", "g": "no points at Δ = 0", "or": "no points at Δ = 0"}},
		{"bursts too short to settle", myrinet.signature(nil, exact, []int{1, 4, 15, 17, 18}, 0, 16, 32), []string{"os", "or", "L", "rtt"},
			map[string]string{"g": "not settled by M = 18"}},
		{"bursts below the capacity", law{2, 2.6, 11, 12.4, 1000}.signature(nil, exact, powers(512), 0, 4, 16, 32), []string{"os", "or", "L", "rtt"},
			map[string]string{"g": "neither flatten nor converge"}},
		{"2 KB store: the copy takes longer than the interface", law{72, 2.6, 60, 60, 16}.signature(nil, exact, powers(128), 0, 10, 40, 80), []string{"os", "or", "L", "rtt"},
			map[string]string{"g": "hidden, at most 74"}},
		{"rpc", law{300, 500, 2000, 600, 64}.signature(nil, exact, powers(512), 0, 100, 300, 1000), []string{"os", "or", "L", "g", "rtt"}, nil},
		{"overlap", Signature{Points: myrinet.signature(nil, exact, powers(256), 0, 16, 32).Points, RTT: Mean{8, 8, 8, 50, false}}, []string{"os", "or", "g", "rtt"},
			map[string]string{"L": "overlap the transfer"}},
		{"no RTT", Signature{Points: myrinet.signature(nil, exact, powers(256), 0, 16, 32).Points}, []string{"os", "or", "g"},
			map[string]string{"L": "RTT: not measured", "rtt": "not measured"}},
		{"long bursts only", myrinet.signature(nil, exact, []int{32, 64, 128, 256}, 0, 16, 32), []string{"L", "g", "rtt"},
			map[string]string{"os": "shortest burst is M = 32", "or": "shortest burst"}},
		{"one point", Signature{Points: []Point{{1, 0, Mean{2, 2, 2, 1, false}}}}, []string{"os"},
			map[string]string{"g": "not settled", "or": "", "L": "", "rtt": ""}},
		{"nothing", Signature{}, nil, map[string]string{"os": "no points", "g": "no points"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := tt.sig.Extract()
			got := map[string]Estimate{"os": res.Os, "or": res.Or, "L": res.L, "g": res.G, "rtt": res.RTT}
			for _, name := range tt.has {
				assert.True(t, got[name].OK(), "%s: %v", name, got[name])
				delete(got, name)
			}
			for name, e := range got {
				assert.Contains(t, e.Reason, tt.why[name], name)
				assert.NotEmpty(t, e.Reason, name)
			}
		})
	}
}

func TestRPCIsLimitedByItsProcessors(t *testing.T) {
	p := law{300, 500, 2000, 600, 64}
	res := p.signature(nil, exact, powers(512), 0, 100, 300, 1000).Extract()
	// Replies are handled in batches, so costs ripple about the law.
	near(t, 800, res.G, 0.01, "g = o_s + o_r")
	near(t, 500, res.Or, 0.01, "o_r")
	near(t, 2000, res.L, 0.01, "L")
	assert.True(t, res.G.Covers(800), "%v", res.G)
	assert.True(t, res.Idle.OK())
	assert.Less(t, res.Idle.Value, 1.0)
	assert.Contains(t, res.Warnings, "the first Δ lifts the curve, idle time is zero: g = o_s + o_r, set by the processors")
}

func TestUnusablePointsAreCounted(t *testing.T) {
	s := machines["myrinet"].signature(nil, exact, powers(256), 0, 16, 32)
	want := s.Extract()
	one := Mean{1, 1, 1, 50, false}
	s.Points = append(s.Points, s.Points[3], Point{0, 0, one}, Point{4, -1, one}, Point{4, math.NaN(), one}, Point{4, 0, Mean{}})
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(s.Points)-5, func(i, j int) { s.Points[i], s.Points[j] = s.Points[j], s.Points[i] })
	got := s.Extract()
	assert.Equal(t, want.Params, got.Params)
	assert.Equal(t, want.Curves, got.Curves)
	assert.Contains(t, got.Warnings, "4 points cannot be used, the first because M = 0, wanted at least 1")
	assert.Contains(t, got.Warnings, "1 points were measured more than once; the first measurement of each is used")
}
