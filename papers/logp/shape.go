package logp

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/testbed"
)

// assessShape holds the rows of the form of a signature (logp, sections 3.1
// and 3.2).
func (r *rows) assessShape(a *assessment) {
	r.Versus("logp-b-3regimes", "signatures of requests", a.regimes(0, unchanged), "stores of 2 KB", a.regimes(2048, unchanged))
	r.Versus("logp-b-sendonly", "bursts shorter than RTT/o_s", a.sendOnly(unchanged), string(fourTokens), a.sendOnly(fourTokens))
	r.Versus("logp-b-knee", "where cost rises, with tokens for more and for less than a round trip", a.knees(unchanged), string(noTurns), a.knees(noTurns))
	r.Versus("logp-b-asym", "signature, and the longest delay that costs nothing", a.asymptote(unchanged), string(oneToken), a.asymptote(oneToken))
	r.Versus("logp-b-delta", "steady cost over delays", a.delays(unchanged), string(oneToken), a.delays(oneToken))
	r.Versus("logp-b-replygap", "instants of replies", a.replies(unchanged), string(oneToken), a.replies(oneToken))
}

// shapeOf is the shape of stores of so many bytes, or of requests (0), of a machine.
func (a *assessment) shapeOf(ctx context.Context, name string, c change, bytes int) (shape, error) {
	k := signatureKey{machine: machine{name, c}, peers: 1, bytes: bytes}
	return a.signature(k)(ctx)
}

// regimes is how many the curves without delay have at least.
func (a *assessment) regimes(bytes int, c change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		names := assessed
		if bytes > 0 {
			names = []string{myrinet} // the others do not copy
		}
		least := math.Inf(1)
		var seen []string
		for _, name := range names {
			s, err := a.shapeOf(ctx, name, c, bytes)
			if err != nil {
				return judge.Measured{}, err
			}
			n, text := s.regimes()
			least = min(least, float64(n))
			seen = append(seen, name+" "+text)
		}
		return value(least, "%s", strings.Join(seen, "; ")), nil
	}
}

// regimes counts those of the curve without delay: a beginning of more than
// one message that costs the overhead, a rise between it and the gap, and a gap
// that it tends to.
func (s shape) regimes() (n int, text string) {
	flat, rising := 0, 0
	for _, p := range s.points {
		switch {
		case p.DeltaUs > 0:
		case p.Cost.Value <= 1.05*s.Os.Value:
			flat++
		case s.G.OK() && p.Cost.Value < 0.95*s.G.Value:
			rising++
		}
	}
	for _, there := range []bool{flat > 1, rising > 0, s.G.OK()} {
		if there {
			n++
		}
	}
	return n, fmt.Sprintf("%d points at o_s, %d between, g %s", flat, rising, visible(s))
}

// sendOnly tells whether all bursts that fit into a round trip cost o_s.
func (a *assessment) sendOnly(c change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		return judge.ForAll(assessed, "%s", ", ", func(name string) (judge.Measured, error) {
			f, err := a.of(ctx, name, unchanged)
			if err != nil {
				return judge.Measured{}, err
			}
			worst, most := 0.0, int(f.rtt/f.os)
			err = a.bursts(ctx, machine{name, c}, most, func(_ int, us float64) { worst = max(worst, us/f.os-1) })
			if err != nil {
				return judge.Measured{}, err
			}
			return holds(worst <= 0.05, "%s up to %d messages at most %+.1f %%", name, most, 100*worst), nil
		})
	}
}

// bursts measures the cost of every burst length up to most, without delay.
func (a *assessment) bursts(ctx context.Context, m machine, most int, f func(m int, us float64)) error {
	s, err := a.subject(ctx, m)
	if err != nil {
		return err
	}
	r, err := s.Ask(signatureKey{peers: 1}.asked())
	if err != nil {
		return err
	}
	defer r.Engine.Close()
	for n := 1; n <= most; n++ {
		p, err := r.Point(n, 0)
		if err != nil {
			return err
		}
		f(n, p.Cost.Value)
	}
	return nil
}

// kneeShare is how much later than after a round trip the cost may have risen
// by 5 %: the first reply waits for requests at two interfaces, and one reply
// alone does not make 5 % of a longer burst.
const kneeShare = 0.3

// knees tells whether the cost of a message rises after a round trip and,
// where the network takes only four messages, after these.
func (a *assessment) knees(c change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		return judge.ForAll(assessed, "%s", "; ", func(name string) (judge.Measured, error) {
			f, err := a.of(ctx, name, c)
			if err != nil {
				return judge.Measured{}, err
			}
			free, err := a.knee(ctx, machine{name, c}, f.os)
			if err != nil {
				return judge.Measured{}, err
			}
			full, err := a.knee(ctx, machine{name, fourTokens}, f.os)
			if err != nil {
				return judge.Measured{}, err
			}
			trip := f.rtt / f.os
			return holds(float64(free) > trip && float64(free-1) <= (1+kneeShare)*trip && full == 5, "%s at %d, RTT/o_s %.1f, with four tokens at %d", name, free, trip, full), nil
		})
	}
}

// knee is the shortest burst that costs 5 % more a message than o_s.
func (a *assessment) knee(ctx context.Context, m machine, os float64) (int, error) {
	at := 0
	err := a.bursts(ctx, m, 40, func(n int, us float64) {
		if at == 0 && us > 1.05*os {
			at = n
		}
	})
	return at, err
}

// asymptote tells whether the cost tends to the gap of an undisturbed machine, and whether
// the gap is the overheads and the idle time.
func (a *assessment) asymptote(c change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		return judge.ForAll(assessed, "%s", "; ", func(name string) (judge.Measured, error) {
			f, err := a.of(ctx, name, unchanged)
			if err != nil {
				return judge.Measured{}, err
			}
			s, err := a.pair(machine{name, c})(ctx)
			if err != nil {
				return judge.Measured{}, err
			}
			idle, err := a.idle(machine{name: name})(ctx)
			if err != nil {
				return judge.Measured{}, err
			}
			end := s.Curves[0].AsymptoteUs.Value
			return holds(near(end, f.g, 0.02) && near(f.sum()+idle, end, 0.03), "%s tends to %.2f, g %.2f, o_s + o_r + Idle %.2f", name, end, f.g, f.sum()+idle), nil
		})
	}
}

// delays tells whether the steady cost is the gap or the overheads and the
// delay, whichever is more.
func (a *assessment) delays(c change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		worst := 0.0
		for _, name := range assessed {
			f, err := a.of(ctx, name, unchanged)
			if err != nil {
				return judge.Measured{}, err
			}
			for _, share := range []float64{0.25, 0.5, 0.75, 1.25, 2, 4} { // of the idle time
				delta := measure.Round(share * f.idle)
				us, err := a.steady(steadyKey{machine: machine{name, c}, deltaUs: delta})(ctx)
				if err != nil {
					return judge.Measured{}, err
				}
				worst = max(worst, math.Abs(us/max(f.g, f.sum()+delta)-1))
			}
		}
		return holds(worst <= 0.03, "at most %.1f %% off over delays of a quarter to four times the idle time", 100*worst), nil
	}
}

// replies tells whether replies of a long burst come a gap apart and each costs
// o_r: the issue of n messages takes n·o_s and o_r for each that came.
func (a *assessment) replies(c change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		f, err := a.of(ctx, myrinet, unchanged)
		if err != nil {
			return judge.Measured{}, err
		}
		// Within the transition: beyond a round trip, before the tokens end.
		const messages = 32
		return a.talking(machine{myrinet, c}, 2, 0, func(t *testbed.Calls) judge.Measured {
			var came []float64
			t.Ends[0].Answered(testbed.Counted, func(c *host.Context, _ comm.Call) { came = append(came, us(c)) })
			var issue float64
			var inside int
			t.Serve(0, 1, messages, func(c *host.Context) {
				begin := c.Now()
				for range messages {
					t.Send(c, 0, 1)
				}
				issue, inside = c.Now().Sub(begin).Us(), len(came)
				t.Collect(c, 0)
			})
			want := float64(messages*f.os) + float64(float64(inside)*f.or)
			// Once no more requests come the receiver sends as fast as it can.
			apart := (came[len(came)-1] - came[0]) / float64(len(came)-1)
			return holds(inside > 0 && near(issue, want, 0.03) && near(apart, f.g, 0.1),
				"%.2f µs apart, g %.2f; %d of %d came meanwhile, the issue took %.1f µs, o_s and their o_r make %.1f", apart, f.g, inside, messages, issue, want)
		})(ctx)
	}
}
