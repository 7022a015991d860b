package logp

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// tally counts how often intervals hold what is planted.
type tally map[string]int

func (c tally) note(name string, e Estimate, truth float64) {
	if e.Covers(truth) {
		c[name]++
	}
}

// inside wants 90 to 99.7 % of the trials, for intervals stated at 95 %: those
// of short fits are widened by their scatter, never narrowed.
func (c tally) inside(t *testing.T, trials int, names ...string) {
	t.Helper()
	for _, name := range names {
		rate := float64(c[name]) / float64(trials)
		t.Logf("%s: %.1f %%", name, 100*rate)
		assert.GreaterOrEqual(t, rate, 0.90, name)
		assert.LessOrEqual(t, rate, 0.997, name)
	}
}

var noises = map[string]noise{"gaussian": gaussian, "ticks": ticks}

func TestSignatureIntervalsCoverTheTruth(t *testing.T) {
	const trials = 400
	for name, n := range noises {
		t.Run(name, func(t *testing.T) {
			c := tally{}
			p := machines["myrinet"]
			r := rand.New(rand.NewPCG(5, 6))
			for range trials {
				res := p.signature(r, n, powers(512), 0, 4, 16, 24, 32).Extract()
				c.note("o_s", res.Os, p.os)
				c.note("o_r", res.Or, p.or)
				c.note("L", res.L, p.l)
				c.note("g", res.G, p.g)
				c.note("RTT", res.RTT, p.rtt())
				c.note("idle", res.Idle, p.g-p.os-p.or)
			}
			c.inside(t, trials, "o_s", "o_r", "L", "g", "RTT", "idle")
		})
	}
}

// TestIntervalsCoverRandomMachines does the same with another machine in every
// trial.
func TestIntervalsCoverRandomMachines(t *testing.T) {
	const trials = 300
	for name, n := range noises {
		t.Run(name, func(t *testing.T) {
			c := tally{}
			r := rand.New(rand.NewPCG(11, 12))
			for range trials {
				in := func(lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }
				p := law{os: in(0.5, 5), or: in(0.5, 5), l: in(5, 40)}
				p.g = (p.os + p.or) / in(0.1, 0.8)
				p.capacity = int(p.rtt()/p.g) + 3 + r.IntN(16)
				idle := p.g - p.os - p.or
				d := idle + p.os + p.or
				res := p.signature(r, n, powers(int(16*p.steadyFrom())), 0, idle/2, d, 1.5*d, 2*d).Extract()
				c.note("o_s", res.Os, p.os)
				c.note("o_r", res.Or, p.or)
				c.note("L", res.L, p.l)
				c.note("g", res.G, p.g)
			}
			c.inside(t, trials, "o_s", "o_r", "L", "g")
		})
	}
}

func TestFragmentIntervalsCoverTheTruth(t *testing.T) {
	const trials = 400
	for name, n := range noises {
		t.Run(name, func(t *testing.T) {
			c := tally{}
			p := planted{os: 3, or: 4, l: 10, idle: 2}
			r := rand.New(rand.NewPCG(7, 8))
			for range trials {
				for style, name := range []string{"am ", "sr ", "dd "} {
					q := p
					if Style(style) == DirectDeposit {
						q.or = 0
					}
					res := q.fragments(r, n, Style(style)).Extract()
					c.note(name+"o_s", res.Os, q.os)
					c.note(name+"o_r", res.Or, q.or)
					c.note(name+"L", res.L, q.l)
					c.note(name+"g", res.G, q.gap(Style(style), 0))
				}
			}
			c.inside(t, trials, "am o_s", "am o_r", "am L", "am g", "sr o_s", "sr o_r", "sr L", "sr g", "dd o_s", "dd L", "dd g")
			assert.Equal(t, trials, c["dd o_r"], "nobody receives")
		})
	}
}

func TestBulkIntervalsCoverTheTruth(t *testing.T) {
	const trials = 400
	c := tally{}
	r := rand.New(rand.NewPCG(9, 10))
	for range trials {
		var b Bulk
		for n := 512; n <= 4096; n += 512 {
			b = append(b, BulkPoint{SizeBytes: n, T: sample(r, 30+float64(n)/25, gaussian)})
		}
		res := b.Extract()
		c.note("Rinf", res.T.Rinf, 25)
		c.note("T0", Estimate{Value: res.T.T0Us, Lo: res.T.T0LoUs, Hi: res.T.T0HiUs}, 30)
		c.note("bandwidth", res.Sizes[3].Bandwidth, 2048/(30+2048.0/25))
	}
	c.inside(t, trials, "Rinf", "T0", "bandwidth")
}

// Covers reports whether the interval holds v.
func (e Estimate) Covers(v float64) bool { return e.OK() && e.Lo <= v && v <= e.Hi }
