package logp

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
)

// Stores of the rows, bytes.
const (
	shortStore = 8
	pageStore  = 4096
	farStore   = 128 << 10 // the largest of the lines through T(n)
)

// assessBulk holds the rows of bulk transfers (logp, section 4).
func (r *rows) assessBulk(a *assessment) {
	line := a.bulk(bulkKey{machine{name: meiko}, pageStore})
	r.Versus("logp-bulk-T0", "line through T(n) up to 4 KB", judge.Read(line, func(b logp.BulkResult) (judge.Measured, error) {
		return onLine(b, func(t0, rate, n float64) float64 { return t0 + n/rate }), nil
	}), "n times the rate, as the text prints it", judge.Read(line, func(b logp.BulkResult) (judge.Measured, error) {
		return onLine(b, func(t0, rate, n float64) float64 { return t0 + float64(n*rate) }), nil
	}))
	intercept := func(c change) judge.Measure {
		return judge.Read(a.bulk(bulkKey{machine{myrinet, c}, farStore}), func(b logp.BulkResult) (judge.Measured, error) {
			return value(b.T.T0Us, "%d sizes up to %d KB", len(b.Sizes), farStore>>10), nil
		})
	}
	r.Versus("logp-bulk-negT0", "line through T(n)", intercept(unchanged), string(evenCopies), intercept(evenCopies))

	r.Of("logp-bulk8-g", "signature of stores of 8 B", func(ctx context.Context) (judge.Measured, error) {
		s, err := a.shapeOf(ctx, myrinet, unchanged, shortStore)
		return value(s.G.Value, "%s", s.G.Reason), err
	})
	r.Of("logp-bulk8-dma", "signatures of requests and of stores of 8 B", func(ctx context.Context) (judge.Measured, error) {
		s, err := a.shapeOf(ctx, myrinet, unchanged, shortStore)
		if err != nil {
			return judge.Measured{}, err
		}
		f, err := a.of(ctx, myrinet, unchanged)
		return value(s.G.Value-f.g, "%.2f less %.2f µs", s.G.Value, f.g), err
	})
	three := func(bytes int) judge.Measure {
		return func(ctx context.Context) (judge.Measured, error) {
			s, err := a.shapeOf(ctx, myrinet, unchanged, bytes)
			if err != nil {
				return judge.Measured{}, err
			}
			n, text := s.regimes()
			return holds(n == 3, "%s", text), nil
		}
	}
	r.Versus("logp-bulk8-3reg", "signature of stores of 8 B", three(shortStore), "of 2 KB", three(2048))
	r.Versus("logp-bulk2k-shape", "signature of stores of 2 KB", a.overheadLimited(2048), "of 8 B", a.overheadLimited(shortStore))
	r.Versus("logp-bulk-tofo", "signatures of stores of 8, 256 and 1024 B", a.surface(myrinet), "on paragon, where nothing is copied", a.surface(paragon))

	r.Of("logp-bulk4k-o", "overhead of stores", a.overhead(myrinet, pageStore, func(us float64) float64 { return us }))
	r.Of("logp-bulk4k-copy", "overhead of stores", a.copies)
	r.Of("logp-bulk-nmax", "longest store", a.talking(machine{name: myrinet}, 2, 0, func(t *testbed.Calls) judge.Measured {
		return value(float64(t.Ends[0].Traits().MaxBytes), "longer ones are cut")
	}))
	r.Versus("logp-bulk-const", "overhead of stores of 8 B to 4 KB", a.constant(paragon, unchanged, meiko, unchanged), string(copied), a.constant(paragon, copied, meiko, copied))
	r.Versus("logp-bulk-linear", "overhead of stores of 8 B to 4 KB", a.linear(unchanged), string(uncopied), a.linear(uncopied))
	r.Versus("logp-bulk-oltT", "overhead and time of stores of 8 B to 4 KB", a.overlaps(unchanged), string(oneToken), a.overlaps(oneToken))
	r.Versus("logp-bulk-pin", "a buffer that is written again at once", a.rewritten(unchanged), string(uncopied), a.rewritten(uncopied))
	r.Versus("logp-bulk-bw-def", "stores of 8 B to 4 KB", a.bandwidths(true), "the timer stopped when the data have arrived", a.bandwidths(false))
}

func (a *assessment) measureBulk(ctx context.Context, k bulkKey) (logp.BulkResult, error) {
	var points logp.Bulk
	s, err := a.subject(ctx, k.machine)
	for n := shortStore; n <= k.most && err == nil; n *= 2 {
		var p logp.BulkPoint
		p, err = s.StoreTimes(n)
		points = append(points, p)
	}
	return points.Extract(), err
}

// onLine tells whether T(n) is within a tenth of a law of the line's figures.
func onLine(b logp.BulkResult, law func(t0, rate, n float64) float64) judge.Measured {
	l := b.T
	worst := 0.0
	for _, z := range b.Sizes {
		worst = max(worst, math.Abs(law(l.T0Us, l.Rinf.Value, float64(z.SizeBytes))/z.T.Value-1))
	}
	return holds(l.Rinf.OK() && worst < 0.1, "T0 %.1f µs, Rinf %.1f MB/s; at most %.1f %% off", l.T0Us, l.Rinf.Value, 100*worst)
}

// overhead is a figure of the overhead of a store.
func (a *assessment) overhead(name string, bytes int, of func(us float64) float64) judge.Measure {
	return judge.Read(a.bulk(bulkKey{machine{name: name}, pageStore}), func(b logp.BulkResult) (judge.Measured, error) {
		i := slices.IndexFunc(b.Sizes, func(z logp.BulkSize) bool { return z.SizeBytes == bytes })
		o := b.Sizes[i].O
		return value(of(o.Value), "%.1f µs %s", o.Value, o.Reason), nil
	})
}

// copies is the rate of the copy into pinned memory: the overhead of a store less
// that of a request.
func (a *assessment) copies(ctx context.Context) (judge.Measured, error) {
	f, err := a.of(ctx, myrinet, unchanged)
	if err != nil {
		return judge.Measured{}, err
	}
	return a.overhead(myrinet, pageStore, func(us float64) float64 { return pageStore / (us - f.os) })(ctx)
}

// overheadLimited is the size when its signature shows no gap and delays
// always cost, else 0.
func (a *assessment) overheadLimited(bytes int) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		s, err := a.shapeOf(ctx, myrinet, unchanged, bytes)
		if err != nil {
			return judge.Measured{}, err
		}
		none, err := a.steady(steadyKey{machine: machine{name: myrinet}, bytes: bytes})(ctx)
		if err != nil {
			return judge.Measured{}, err
		}
		const delta = 5
		some, err := a.steady(steadyKey{machine: machine{name: myrinet}, bytes: bytes, deltaUs: delta})(ctx)
		n, text := s.regimes()
		v := 0.0
		if !s.G.OK() && n < 3 && some-none > 0.7*delta {
			v = float64(bytes)
		}
		return value(v, "%s; steady cost %.1f µs, with a delay of %d µs %.1f", text, none, delta, some), err
	}
}

func visible(s shape) string {
	if s.G.OK() {
		return fmt.Sprintf("%.1f µs", s.G.Value)
	}
	return s.G.Reason
}

// surface tells whether o_s and g are functions of the length that both grow.
func (a *assessment) surface(name string) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		ok := true
		var seen []string
		var before, first float64
		for i, n := range []int{shortStore, 256, 1024} {
			s, err := a.shapeOf(ctx, name, unchanged, n)
			if err != nil {
				return judge.Measured{}, err
			}
			end := s.Curves[0].AsymptoteUs.Value
			if i > 0 {
				ok = ok && s.Os.Value > 1.5*before
			}
			before = s.Os.Value
			if i == 0 {
				first = end
			} else if n == 1024 {
				ok = ok && end > 1.2*first
			}
			seen = append(seen, fmt.Sprintf("%d B %.1f and %.1f µs", n, s.Os.Value, end))
		}
		return holds(ok, "o_s and the asymptote: %s", strings.Join(seen, ", ")), nil
	}
}

// constant tells whether the overheads of two machines do not depend on the
// length.
func (a *assessment) constant(one string, c1 change, two string, c2 change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		return judge.ForAll([]machine{{one, c1}, {two, c2}}, "%s", ", ", func(m machine) (judge.Measured, error) {
			b, err := a.bulk(bulkKey{m, pageStore})(ctx)
			if err != nil {
				return judge.Measured{}, err
			}
			first, last := b.Sizes[0].O.Value, b.Sizes[len(b.Sizes)-1].O.Value
			return holds(near(last, first, 0.02), "%s %.2f to %.2f µs", m.name, first, last), nil
		})
	}
}

// linear tells whether the overhead grows with the length along a line.
func (a *assessment) linear(c change) judge.Measure {
	return judge.Read(a.bulk(bulkKey{machine{myrinet, c}, pageStore}), func(b logp.BulkResult) (judge.Measured, error) {
		l := b.O
		first, last := b.Sizes[0].O.Value, b.Sizes[len(b.Sizes)-1].O.Value
		return holds(last > 10*first && l.Residual.MaxUs < 0.05*last, "%.1f to %.1f µs, off a line of %.1f MB/s by at most %.1f µs", first, last, l.Rinf.Value, l.Residual.MaxUs), nil
	})
}

// overlaps tells whether the sender is done before the store, at any length. What a
// store costs is the cost of one more among many.
func (a *assessment) overlaps(c change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		b, err := a.bulk(bulkKey{machine{name: myrinet}, pageStore})(ctx)
		if err != nil {
			return judge.Measured{}, err
		}
		most := 0.0
		for _, z := range b.Sizes {
			o := z.O.Value
			if c != unchanged {
				if o, err = a.steady(steadyKey{machine: machine{myrinet, c}, bytes: z.SizeBytes})(ctx); err != nil {
					return judge.Measured{}, err
				}
			}
			most = max(most, o/z.T.Value)
		}
		return holds(most < 0.95, "the sender takes at most %.2f of T(n)", most), nil
	}
}

// rewritten tells whether a store brings what its buffer held when it was
// issued, although the buffer was written again at once.
func (a *assessment) rewritten(c change) judge.Measure {
	return a.talking(machine{myrinet, c}, 2, pageStore, func(t *testbed.Calls) judge.Measured {
		from, at := t.Ends[0].Buffer(pageStore), t.Ends[1].Space().Alloc(pageStore)
		own := t.Ends[0].Space()
		for i := 0; i < pageStore; i += 4 {
			own.Store32(from+host.Addr(i), 7)
		}
		t.Serve(0, 1, 1, func(c *host.Context) {
			store(t, c, from, at, pageStore)
			for i := 0; i < pageStore; i += 4 {
				own.Store32(from+host.Addr(i), 8)
			}
			t.Collect(c, 0)
		})
		old := 0
		for i := 0; i < pageStore; i += 4 {
			if t.Ends[1].Space().Load32(at+host.Addr(i)) == 7 {
				old++
			}
		}
		return holds(old == pageStore/4, "%d of %d words as they were", old, pageStore/4)
	})
}

// store makes node 0 store into node 1.
func store(t *testbed.Calls, c *host.Context, from, at host.Addr, n int) {
	t.Keep(t.Ends[0].Store(c, 1, from, at, n, testbed.Counted, [4]uint32{}))
}

// bandwidths tells whether the bandwidth of a store is its length over the time
// until its reply, or until its handler runs.
func (a *assessment) bandwidths(reply bool) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		b, err := a.bulk(bulkKey{machine{name: myrinet}, pageStore})(ctx)
		if err != nil {
			return judge.Measured{}, err
		}
		return a.talking(machine{name: myrinet}, 2, pageStore, func(t *testbed.Calls) judge.Measured {
			from, at := t.Ends[0].Buffer(pageStore), t.Ends[1].Space().Alloc(pageStore)
			worst := 0.0
			var end float64 // when the last store was done, µs
			t.Handle(1, testbed.Counted, func(c *host.Context, _ comm.Call) [4]uint32 {
				end = us(c)
				return [4]uint32{}
			})
			for _, z := range b.Sizes {
				const times = 8
				taken := 0.0
				t.Serve(0, 1, times, func(c *host.Context) {
					for range times {
						c.Sleep(1 + t.Pause.Upto(20*sim.Microsecond))
						begin := us(c)
						store(t, c, from, at, z.SizeBytes)
						t.Collect(c, 0)
						if reply {
							end = us(c)
						}
						taken += (end - begin) / times
					}
				})
				worst = max(worst, math.Abs(float64(z.SizeBytes)/taken/z.Bandwidth.Value-1))
			}
			return holds(worst < 0.05, "n/T(n) at most %.1f %% off the reported bandwidth", 100*worst)
		})(ctx)
	}
}

// us is the time, µs.
func us(c *host.Context) float64 { return c.Now().Sub(0).Us() }
