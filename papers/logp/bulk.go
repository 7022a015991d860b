package logp

import (
	"bytes"
	"fmt"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
)

// bulk adds the rows of bulk transfers and of asynchronous RPC (logp, sections 4
// and 5).
func (r rows) bulk() {
	const upToPage = "stores of 8 B to 4 KB"
	versus(r, "logp-bulk-T0", "line through T(n) up to 4 KB", func(s session, printed bool) judge.Measured { return onLine(s.stores(meiko, pageStore), printed) }, false, "T0 + n Rinf, as printed", true)
	r.under("logp-bulk-negT0", "line through T(n) up to 128 KB", func(s session) judge.Measured { return value(s.stores(myrinet, farStore).T.T0Us, "") }, "all copies at the same rate")
	of(r, "logp-bulk8-g", "signature of stores of 8 B", gapOf8.value, myrinet)
	of(r, "logp-bulk8-dma", "signatures of requests and of stores of 8 B", figure(func(s session, name string) float64 { return gapOf8(s, name) - gap(s, name) }).value, myrinet)
	versus(r, "logp-bulk8-3reg", "signature of stores of 8 B", threeRegimes, shortStore, "of 2 KB", 2048)
	versus(r, "logp-bulk2k-shape", "signature of stores of 2 KB: no gap, and a delay of 5 µs adds over 3.5 µs", overheadLimited, 2048, "of 8 B", shortStore)
	versus(r, "logp-bulk-tofo", "signatures of stores of 8, 256 and 1024 B", surface, myrinet, "on paragon, where nothing is copied", paragon)
	of(r, "logp-bulk4k-o", "overhead of stores", overhead4K.value, myrinet)
	// The rate of the copy into pinned memory: less what a request costs.
	of(r, "logp-bulk4k-copy", "overhead of stores", figure(func(s session, name string) float64 { return pageStore / (overhead4K(s, name) - overheadS(s, name)) }).value, myrinet)
	r.under("logp-bulk-const", "overhead of "+upToPage, constant, "data copied into a pinned area")
	r.under("logp-bulk-linear", "overhead of "+upToPage, linear, uncopied)
	r.under("logp-bulk-oltT", "overhead and time of "+upToPage, overlaps, oneToken)
	r.under("logp-bulk-pin", "a buffer overwritten right after its store", rewritten, uncopied)
	versus(r, "logp-bulk-bw-def", upToPage, bandwidths, true, "the timer stopped when the data have arrived", false)
	r.under("logp-rpc-sig", signature, busy, "a wire at a tenth of its rate")
}

// Figures of stores, µs.
var (
	gapOf8 figure = func(s session, name string) float64 {
		return s.identified(s.signature(name, measure.Stores(shortStore)).G, name)
	}
	overhead8  figure = func(s session, name string) float64 { return s.stores(name, pageStore).Sizes[0].O.Value }
	overhead4K figure = func(s session, name string) float64 { return s.stores(name, pageStore).Sizes[9].O.Value }
)

// onLine states that T(n) = T0 + n/Rinf. The paper prints n times Rinf.
func onLine(b logp.BulkResult, asPrinted bool) judge.Measured {
	t0, rate := b.T.T0Us, b.T.Rinf
	var off judge.Deviation
	for _, z := range b.Sizes {
		law := t0 + float64(z.SizeBytes)/rate.Value
		if asPrinted {
			law = t0 + float64(float64(z.SizeBytes)*rate.Value)
		}
		off.Add(law, z.T.Value)
	}
	return judge.All(judge.True(rate.OK(), "Rinf is identified", "T0 %.1f µs, Rinf %s MB/s", t0, rate), off.Within("T0 + n/Rinf", "T(n)", 10))
}

func threeRegimes(s session, bytes int) judge.Measured {
	n, text := regimes(s.signature(myrinet, measure.Stores(bytes)))
	return judge.All(judge.True(n == 3, "3 regimes, told apart by 5 %", "%d regimes: %s", n, text))
}

// overheadLimited is the size if its signature shows no gap and every delay adds to
// the cost, else 0.
func overheadLimited(s session, bytes int) judge.Measured {
	const delta = 5
	q := measure.Stores(bytes)
	x := s.signature(myrinet, q)
	none, some := s.steady(myrinet, q, 0), s.steady(myrinet, q, delta)
	n, text := regimes(x)
	if x.G.OK() || n == 3 || some-none <= 0.7*delta {
		bytes = 0
	}
	return value(float64(bytes), "%s; steady cost %.1f µs, with a delay of %d µs %.1f", text, none, delta, some)
}

// surface states that o_s and the asymptote grow with the length.
func surface(s session, name string) judge.Measured {
	of := func(bytes int) (o, end judge.Figure) {
		x := s.signature(name, measure.Stores(bytes))
		return judge.Fig(fmt.Sprintf("o_s of %d B", bytes), x.Os.Value, "µs"), judge.Fig(fmt.Sprintf("asymptote of %d B", bytes), x.Curves[0].AsymptoteUs.Value, "µs")
	}
	o8, end8 := of(shortStore)
	o256, _ := of(256)
	o1024, end1024 := of(1024)
	return judge.All(judge.Above(o256, o8, 50), judge.Above(o1024, o256, 50), judge.Above(end1024, end8, 20))
}

// constant states that the overheads of two machines do not depend on the
// length.
func constant(s session) judge.Measured {
	return judge.Each([]string{paragon, meiko}, func(name string) judge.Measured {
		short, long := shortAndLong(s, name)
		return judge.All(judge.Near(long, short, 2))
	})
}

// linear states that the overhead grows with the length along a line.
func linear(s session) judge.Measured {
	short, long := shortAndLong(s, myrinet)
	off := judge.Fig("largest distance from a line", s.stores(myrinet, pageStore).O.Residual.MaxUs, "µs")
	return judge.All(judge.Above(long, short, 900), judge.Below(off, long, 95))
}

func shortAndLong(s session, name string) (short, long judge.Figure) {
	return judge.Fig("overhead of 8 B", overhead8(s, name), "µs"), judge.Fig("overhead of 4 KB", overhead4K(s, name), "µs")
}

// overlaps states that the sender is free before the store has ended, at every
// length. With a change its overhead is the steady cost of stores.
func overlaps(s session) judge.Measured {
	most := 0.0
	for _, z := range s.usual().stores(myrinet, pageStore).Sizes {
		o := z.O.Value
		if s.change != unchanged {
			o = s.steady(myrinet, measure.Stores(z.SizeBytes), 0)
		}
		most = max(most, o/z.T.Value)
	}
	return judge.All(judge.Below(judge.Fig("largest share of T(n) that the sender is busy", 100*most, "%"), judge.Limit(95, "%"), 0))
}

// rewritten states that a store delivers what its buffer held when it was issued,
// although the buffer is overwritten at once.
func rewritten(s session) judge.Measured {
	return calls(s, myrinet, 2, pageStore, func(t *testbed.Calls) judge.Measured {
		own, far := t.Ends[0].Space(), t.Ends[1].Space()
		from, at := t.Ends[0].Buffer(pageStore), far.Alloc(pageStore)
		old, got := testbed.Pattern(7, pageStore), make([]byte, pageStore)
		own.WriteAt(from, old)
		t.Serve(0, 1, 1, func(c *host.Context) {
			store(t, c, from, at, pageStore)
			own.WriteAt(from, testbed.Pattern(8, pageStore))
			t.Collect(c, 0)
		})
		far.ReadAt(at, got)
		same := bytes.Equal(got, old)
		return judge.All(judge.True(same, "the data arrive as they were when the store was issued", "as they were: %t", same))
	})
}

// store makes node 0 store into node 1.
func store(t *testbed.Calls, c *host.Context, from, at host.Addr, n int) {
	t.Keep(t.Ends[0].Store(c, 1, from, at, n, testbed.Counted, [4]uint32{}))
}

// bandwidths states that the reported bandwidth of a store is its length over the
// time until its reply, or else until its handler runs.
func bandwidths(s session, reply bool) judge.Measured {
	sizes := s.stores(myrinet, pageStore).Sizes
	return calls(s, myrinet, 2, pageStore, func(t *testbed.Calls) judge.Measured {
		from, at := t.Ends[0].Buffer(pageStore), t.Ends[1].Space().Alloc(pageStore)
		var end sim.Time // of the last store
		t.Handle(1, testbed.Counted, func(c *host.Context, _ comm.Call) [4]uint32 {
			end = c.Now()
			return [4]uint32{}
		})
		var off judge.Deviation
		for _, z := range sizes {
			us := t.Mean(0, 1, 8, func(c *host.Context) sim.Time {
				store(t, c, from, at, z.SizeBytes)
				t.Collect(c, 0)
				if reply {
					end = c.Now()
				}
				return end
			})
			off.Add(float64(z.SizeBytes)/us, z.Bandwidth.Value)
		}
		return judge.All(off.Within("n/T(n)", "the reported bandwidth", 5))
	})
}

// busy states that the processor never idles: a delay raises the steady cost by
// its full length, and the gap is both overheads.
func busy(s session) judge.Measured {
	const delta = 20
	x, none, some := s.signature(sunRPC, requests), s.steady(sunRPC, requests, 0), s.steady(sunRPC, requests, delta)
	return judge.All(judge.Near(judge.Fig("increase by a delay of 20 µs", some-none, "µs"), judge.Limit(delta, "µs"), 20),
		judge.Near(judge.Fig("steady cost", none, "µs"), judge.Fig("o_s + o_r", x.Os.Value+x.Or.Value, "µs"), 2))
}
