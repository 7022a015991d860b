package sim

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// ends records when each flow completed.
type ends struct {
	engine *Engine
	at     map[uint64]Time
	then   func(arg uint64)
}

func newEnds(e *Engine) *ends { return &ends{engine: e, at: map[uint64]Time{}} }

func (x *ends) Act(_ uint32, arg uint64) {
	x.at[arg] = x.engine.Now()
	if x.then != nil {
		x.then(arg)
	}
}

// call runs a function as an event.
type call func()

func (c call) Act(uint32, uint64) { c() }

func at(e *Engine, us float64, fn func()) { e.At(Time(Microseconds(us)), call(fn), 0, 0) }

const mb = 1_000_000 // B/s

func TestPoolRates(t *testing.T) {
	type flow struct {
		bytes   int64
		limit   Rate
		uses    uint32
		startUs float64
		endUs   float64
	}
	cases := []struct {
		name  string
		caps  []Rate
		flows []flow
	}{
		{"alone at its limit", []Rate{100 * mb}, []flow{{1000, 50 * mb, 1, 0, 20}}},
		{"alone at the capacity", []Rate{100 * mb}, []flow{{1000, Infinite, 1, 0, 10}}},
		{"no capacity", nil, []flow{{1000, 10 * mb, 0, 0, 100}}},
		{"everything infinite", []Rate{Infinite}, []flow{{1000, Infinite, 1, 3, 3}}},
		{"nothing to move", []Rate{100 * mb}, []flow{{0, 50 * mb, 1, 3, 3}}},
		{"two equal ones", []Rate{100 * mb}, []flow{{1000, Infinite, 1, 0, 20}, {1000, Infinite, 1, 0, 20}}},
		{"a slow one leaves the rest", []Rate{100 * mb},
			[]flow{{200, 20 * mb, 1, 0, 10}, {800, Infinite, 1, 0, 10}}},
		{"arrival and departure", []Rate{100 * mb},
			[]flow{{1000, Infinite, 1, 0, 15}, {500, Infinite, 1, 5, 15}}},
		{"room for both", []Rate{100 * mb},
			[]flow{{600, 60 * mb, 1, 0, 10}, {400, 40 * mb, 1, 0, 10}}},
		{"two capacities, bottleneck elsewhere", []Rate{100 * mb, 40 * mb},
			// A on 0, B on both, C on 1: B and C get 20 of the second, A the other 80.
			[]flow{{800, Infinite, 1, 0, 10}, {200, Infinite, 3, 0, 10}, {200, Infinite, 2, 0, 10}}},
		{"infinite capacity shares nothing", []Rate{Infinite},
			[]flow{{1000, 100 * mb, 1, 0, 10}, {1000, 100 * mb, 1, 0, 10}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := New(1)
			p := NewPool(e, "bus", c.caps...)
			x := newEnds(e)
			flows := make([]Flow, len(c.flows))
			for i, f := range c.flows {
				at(e, f.startUs, func() { p.Start(&flows[i], f.bytes, f.limit, f.uses, x, 0, uint64(i)) })
			}
			require.NoError(t, e.Run(Never))
			for i, f := range c.flows {
				require.Equal(t, Time(Microseconds(f.endUs)), x.at[uint64(i)], "flow %d", i)
				require.False(t, flows[i].Running())
			}
			for i := range c.caps {
				var want int64
				for _, f := range c.flows {
					if f.uses>>i&1 != 0 {
						want += f.bytes
					}
				}
				require.Equal(t, want, p.Stats(i).Bytes)
			}
		})
	}
}

func TestPoolPauseStopAndCapacity(t *testing.T) {
	e := New(1)
	p := NewPool(e, "bus", 100*mb)
	x := newEnds(e)
	var a, b, c Flow
	p.Start(&a, 1000, Infinite, 1, x, 0, 1)
	at(e, 2, func() { p.Pause(&a); require.EqualValues(t, 800, a.Remaining()) })
	at(e, 4, func() { require.EqualValues(t, 200, p.Stats(0).Bytes); p.Resume(&a) })
	at(e, 6, func() { p.SetCapacity(0, 50*mb); require.Equal(t, Rate(50*mb), a.Rate()) })
	at(e, 8, func() { p.SetCapacity(0, 0); require.EqualValues(t, 500, a.Remaining()) })
	at(e, 10, func() { p.SetCapacity(0, 100*mb) })
	// a has 500 bytes left; b takes half for 4 µs and is stopped.
	at(e, 10, func() { p.Start(&b, 1000, Infinite, 1, x, 0, 2) })
	at(e, 14, func() { p.Stop(&b); require.EqualValues(t, 800, b.Remaining()) })
	at(e, 30, func() { p.Start(&c, 7, 3, 1, x, 0, 3) })
	require.NoError(t, e.Run(Never))
	require.Equal(t, map[uint64]Time{1: Time(17 * Microsecond), 3: Time(30*Microsecond) + 2333333333334}, x.at)
	s := p.Stats(0)
	require.EqualValues(t, 1000+200+7, s.Bytes)
	require.EqualValues(t, 3, s.Flows)
	require.Equal(t, 2*Microsecond+13*Microsecond+2333333333334*Picosecond, s.Busy)
	require.Equal(t, 4*Microsecond, s.Contended)
}

// Owners restart and stop flows from inside a completion.
func TestPoolReentrant(t *testing.T) {
	e := New(1)
	p := NewPool(e, "bus", 100*mb)
	x := newEnds(e)
	var a, b, c Flow
	rounds := 0
	x.then = func(arg uint64) {
		if arg != 1 {
			return
		}
		if rounds++; rounds < 3 {
			p.Start(&a, 500, Infinite, 1, x, 0, 1)
		}
		if rounds == 1 {
			p.Stop(&b) // due at this very instant: must not complete any more
			p.Start(&c, 0, Infinite, 1, x, 0, 3)
		}
	}
	p.Start(&a, 500, Infinite, 1, x, 0, 1)
	p.Start(&b, 500, Infinite, 1, x, 0, 2)
	require.NoError(t, e.Run(Never))
	require.Equal(t, map[uint64]Time{1: Time(20 * Microsecond), 3: Time(10 * Microsecond)}, x.at)
}

func TestPoolMisuse(t *testing.T) {
	e := New(1)
	p := NewPool(e, "bus", 100*mb)
	x := newEnds(e)
	var f Flow
	p.Start(&f, 1000, Infinite, 1, x, 0, 0)
	for name, fn := range map[string]func(){
		"twice":        func() { p.Start(&f, 1, 1, 1, x, 0, 0) },
		"resume":       func() { p.Resume(&f) },
		"no limit":     func() { p.Start(new(Flow), 1, 0, 1, x, 0, 0) },
		"negative":     func() { p.Start(new(Flow), -1, 1, 1, x, 0, 0) },
		"unknown bit":  func() { p.Start(new(Flow), 1, 1, 2, x, 0, 0) },
		"capacity":     func() { p.SetCapacity(0, -1) },
		"pause idle":   func() { p.Pause(new(Flow)) },
		"nine of them": func() { NewPool(e, "bus", make([]Rate, 9)...) },
	} {
		require.Panics(t, fn, name)
	}
}

// A flow of 20 TB needs more than 64 bits of units.
func TestPoolLarge(t *testing.T) {
	e := New(1)
	p := NewPool(e, "bus", 1_000_000_000)
	x := newEnds(e)
	var f, g Flow
	p.Start(&f, 20_000_000_000_000/10, Infinite, 1, x, 0, 1)
	at(e, 1e6, func() { p.Start(&g, 500_000_000, Infinite, 1, x, 0, 2) })
	require.NoError(t, e.Run(Never))
	require.Equal(t, Time(2*Second), x.at[2])
	require.Equal(t, Time(2000*Second+Second/2), x.at[1])
}

// checkFair panics unless rates are feasible and max-min fair up to the bytes
// per second that integer shares leave over.
func checkFair(t require.TestingT, p *Pool) {
	n := Rate(len(p.flows))
	sum := make([]Rate, len(p.caps))
	top := make([]Rate, len(p.caps))
	for _, f := range p.flows {
		require.LessOrEqual(t, f.rate, f.limit)
		for c := range p.caps {
			if f.uses>>c&1 != 0 && f.rate != Infinite {
				sum[c] += f.rate
				top[c] = max(top[c], f.rate)
			}
		}
	}
	for c := range p.caps {
		require.LessOrEqual(t, sum[c], p.caps[c].rate)
	}
	for _, f := range p.flows {
		bound := f.rate == f.limit
		for c := range p.caps {
			if f.uses>>c&1 != 0 && sum[c] >= p.caps[c].rate-n && f.rate >= top[c]-n {
				bound = true
			}
		}
		require.True(t, bound, "a flow at %d B/s of %d could go faster", f.rate, f.limit)
	}
}

// Random starts, stops, pauses and capacity changes: rates stay fair, and what
// an independent integration in big integers says has moved is what was asked for.
func TestPoolProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		e := New(1)
		rate := rapid.OneOf(rapid.Just(Infinite), rapid.Map(rapid.Int64Range(1, 300_000_000), func(v int64) Rate { return Rate(v) }))
		p := NewPool(e, "bus", rapid.SliceOfN(rate, 0, 3).Draw(rt, "capacities")...)
		flows := make([]Flow, 6)
		asked := make([]int64, 6)
		moved := make([]*big.Int, 6)
		last := Time(0)
		integrate := func() {
			dt := big.NewInt(int64(e.Now().Sub(last)))
			for i := range flows {
				if flows[i].Running() {
					if flows[i].rate == Infinite {
						require.Zero(rt, dt.Int64())
						continue
					}
					moved[i].Add(moved[i], new(big.Int).Mul(dt, big.NewInt(int64(flows[i].rate))))
				}
			}
			last = e.Now()
		}
		x := newEnds(e)
		x.then = func(i uint64) {
			want := new(big.Int).Mul(big.NewInt(asked[i]), big.NewInt(int64(unitsPerByte)))
			over := new(big.Int).Sub(moved[i], want)
			if flows[i].rate != Infinite {
				require.True(rt, over.Sign() >= 0 && over.Cmp(big.NewInt(int64(max(flows[i].rate, 1)))) < 0,
					"flow %d of %d bytes: %v units too many at rate %d", i, asked[i], over, flows[i].rate)
			}
			require.Zero(rt, flows[i].Remaining())
		}
		now := Time(0)
		steps := rapid.IntRange(1, 30).Draw(rt, "steps")
		for range steps {
			now += Time(rapid.Int64Range(0, 30_000_000).Draw(rt, "wait"))
			for e.queue.Next() <= now {
				// The rates hold until this event; the next one must not look back further.
				e.queue.now = max(e.queue.now, e.queue.Next())
				integrate()
				e.Step()
				checkFair(rt, p)
			}
			require.NoError(rt, e.Run(now))
			integrate()
			i := rapid.IntRange(0, len(flows)-1).Draw(rt, "flow")
			f := &flows[i]
			switch op := rapid.IntRange(0, 4).Draw(rt, "op"); {
			case op == 4 && len(p.caps) > 0:
				p.SetCapacity(rapid.IntRange(0, len(p.caps)-1).Draw(rt, "capacity"), rate.Draw(rt, "rate"))
			case f.state == flowIdle:
				asked[i], moved[i] = rapid.Int64Range(0, 10_000).Draw(rt, "bytes"), new(big.Int)
				uses := rapid.Uint32Range(0, 1<<len(p.caps)-1).Draw(rt, "uses")
				p.Start(f, asked[i], rate.Draw(rt, "limit"), uses, x, 0, uint64(i))
			case f.state == flowPaused:
				p.Resume(f)
			case op == 0:
				p.Stop(f)
			default:
				p.Pause(f)
			}
			checkFair(rt, p)
		}
		// Everything that still runs completes once nothing is stalled.
		x.then = nil
		for c := range p.caps {
			p.SetCapacity(c, 100*mb)
		}
		require.NoError(rt, e.Run(Never))
		require.Empty(rt, p.flows)
		for c := range p.caps {
			require.Zero(rt, p.caps[c].users)
			require.Zero(rt, p.caps[c].demand)
		}
	})
}

func TestPoolNoAllocation(t *testing.T) {
	e := New(1)
	p := NewPool(e, "bus", 100*mb, 200*mb)
	x := &restart{p: p}
	for i := range x.flows {
		x.Act(0, uint64(i))
	}
	for range 1000 {
		e.Step()
	}
	require.Zero(t, testing.AllocsPerRun(1000, func() { e.Step() }))
	// Events that came too early or too late are few.
	require.Less(t, float64(e.Events()), 1.2*float64(x.n))
	require.LessOrEqual(t, e.Pending(), 4)
}

type restart struct {
	p     *Pool
	flows [4]Flow
	n     int
}

func (r *restart) Act(_ uint32, i uint64) {
	r.n++
	r.p.Start(&r.flows[i], 1000+int64(i)*100, Rate(60*mb+i*mb), 1+uint32(i&2), r, 0, i)
}

func BenchmarkPool(b *testing.B) {
	for _, n := range []int{1, 2, 4, 6} {
		for _, caps := range []Rate{Infinite, 100 * mb} {
			b.Run(fmt.Sprintf("flows=%d/short=%t", n, caps != Infinite), func(b *testing.B) {
				e := New(1)
				p := NewPool(e, "bus", caps, caps, Infinite)
				x := &many{p: p, flows: make([]Flow, n)}
				for i := range x.flows {
					x.Act(0, uint64(i))
				}
				b.ReportAllocs()
				b.ResetTimer()
				from := e.Events()
				x.n = 0
				for x.n < b.N {
					e.Step()
				}
				b.ReportMetric(float64(e.Events()-from)/float64(b.N), "events/op")
			})
		}
	}
}

type many struct {
	p     *Pool
	flows []Flow
	n     int
}

func (r *many) Act(_ uint32, i uint64) {
	r.n++
	r.p.Start(&r.flows[i], 1000+int64(i)*100+int64(r.n&63), 90*mb, 1<<(i&1)|4, r, 0, i)
}
