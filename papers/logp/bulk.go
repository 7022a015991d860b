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

// Stores of the rows, bytes.
const (
	shortStore = 8
	pageStore  = 4096
	farStore   = 128 << 10 // the largest of the lines through T(n)
)

// bulk adds the rows of bulk transfers and of asynchronous RPC (logp, sections 4
// and 5).
func (r rows) bulk() {
	const upToPage = "stores of 8 B to 4 KB"
	versus(r, "logp-bulk-T0", "line through T(n) up to 4 KB", func(s session, asPrinted bool) judge.Measured {
		return onLine(s.stores(as(meiko), pageStore), asPrinted)
	}, false, "n times the rate, as the text prints it", true)
	r.under("logp-bulk-negT0", "line through T(n)", intercept, "copies at one rate")
	of(r, "logp-bulk8-g", "signature of stores of 8 B", storeGap, 0)
	of(r, "logp-bulk8-dma", "signatures of requests and of stores of 8 B", func(s session, m machine) judge.Measured {
		return storeGap(s, gap(s, m))
	}, as(myrinet))
	versus(r, "logp-bulk8-3reg", "signature of stores of 8 B", threeRegimes, shortStore, "of 2 KB", 2048)
	versus(r, "logp-bulk2k-shape", "signature of stores of 2 KB", overheadLimited, 2048, "of 8 B", shortStore)
	versus(r, "logp-bulk-tofo", "signatures of stores of 8, 256 and 1024 B", surface, myrinet, "on paragon, where nothing is copied", paragon)
	of(r, "logp-bulk4k-o", "overhead of stores", pageOverhead, as(myrinet))
	of(r, "logp-bulk4k-copy", "overhead of stores", copies, as(myrinet))
	r.under("logp-bulk-const", "overhead of "+upToPage, constant, "data copied into a pinned area")
	r.under("logp-bulk-linear", "overhead of "+upToPage, linear, uncopied)
	r.under("logp-bulk-oltT", "overhead and time of "+upToPage, overlaps, oneToken)
	r.under("logp-bulk-pin", "a buffer that is written again at once", rewritten, uncopied)
	versus(r, "logp-bulk-bw-def", upToPage, bandwidths, true, "the timer stopped when the data have arrived", false)
	r.under("logp-rpc-sig", signature, busy, "a wire of a tenth of the rate")
}

// onLine states that T(n) = T0 + n/Rinf. The text has n times Rinf.
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
	return judge.All(judge.True(rate.OK(), "Rinf is identified", "T0 %.1f µs, Rinf %s MB/s", t0, rate), off.Within("the line", "T(n)", 10))
}

func intercept(s session, c change) judge.Measured {
	b := s.stores(machine{myrinet, c}, farStore)
	return value(b.T.T0Us, "%d sizes up to %d KB", len(b.Sizes), farStore>>10)
}

// storeGap is the gap of short stores, less the part that something else makes.
func storeGap(s session, lessUs float64) judge.Measured {
	g := s.signature(as(myrinet), measure.Stores(shortStore)).G
	if !g.OK() {
		s.Fail("no gap: %s", g.Reason)
	}
	return value(g.Value-lessUs, "%.2f less %.2f µs", g.Value, lessUs)
}

func threeRegimes(s session, bytes int) judge.Measured {
	n, text := regimes(s.signature(as(myrinet), measure.Stores(bytes)))
	return judge.All(judge.True(n == 3, "3 regimes", "%d regimes: %s", n, text))
}

// overheadLimited is the size when its signature shows no gap and delays
// always cost, else 0.
func overheadLimited(s session, bytes int) judge.Measured {
	const delta = 5
	m, q := as(myrinet), measure.Stores(bytes)
	x := s.signature(m, q)
	none, some := s.steady(m, q, 0), s.steady(m, q, delta)
	n, text := regimes(x)
	if x.G.OK() || n == 3 || some-none <= 0.7*delta {
		bytes = 0
	}
	return value(float64(bytes), "%s; steady cost %.1f µs, with a delay of %d µs %.1f", text, none, delta, some)
}

// surface states that o_s and g are functions of the length that both grow.
func surface(s session, name string) judge.Measured {
	of := func(bytes int) (o, end judge.Figure) {
		x := s.signature(as(name), measure.Stores(bytes))
		return judge.Fig(fmt.Sprintf("o_s of %d B", bytes), x.Os.Value, "µs"), judge.Fig(fmt.Sprintf("asymptote of %d B", bytes), x.Curves[0].AsymptoteUs.Value, "µs")
	}
	o8, end8 := of(shortStore)
	o256, _ := of(256)
	o1024, end1024 := of(1024)
	return judge.All(judge.Above(o256, o8, 50), judge.Above(o1024, o256, 50), judge.Above(end1024, end8, 20))
}

// ends are the overheads of the shortest and of the longest store up to a page.
func ends(s session, m machine) (short, long judge.Figure) {
	z := s.stores(m, pageStore).Sizes
	return judge.Fig("overhead of 8 B", z[0].O.Value, "µs"), judge.Fig("overhead of 4 KB", z[len(z)-1].O.Value, "µs")
}

// pageOverhead is the overhead of a store of a page.
func pageOverhead(s session, m machine) judge.Measured {
	_, long := ends(s, m)
	return value(long.V, "")
}

// copies is the rate of the copy into pinned memory: the overhead of a store less
// that of a request.
func copies(s session, m machine) judge.Measured {
	_, long := ends(s, m)
	return value(pageStore/(long.V-overheadS(s, m)), "%s", long.Text())
}

// constant states that the overheads of two machines do not depend on the
// length.
func constant(s session, c change) judge.Measured {
	return judge.Every([]string{paragon, meiko}, "%s", "; ", func(name string) judge.Measured {
		short, long := ends(s, machine{name, c})
		return judge.All(judge.Near(long, short, 2))
	})
}

// linear states that the overhead grows with the length along a line.
func linear(s session, c change) judge.Measured {
	m := machine{myrinet, c}
	short, long := ends(s, m)
	off := judge.Fig("most off a line", s.stores(m, pageStore).O.Residual.MaxUs, "µs")
	return judge.All(judge.Above(long, short, 900), judge.Below(off, long, 95))
}

// overlaps states that the sender is done before the store, at any length. What
// a store costs is the cost of one more among many.
func overlaps(s session, c change) judge.Measured {
	most := 0.0
	for _, z := range s.stores(as(myrinet), pageStore).Sizes {
		o := z.O.Value
		if c != unchanged {
			o = s.steady(machine{myrinet, c}, measure.Stores(z.SizeBytes), 0)
		}
		most = max(most, o/z.T.Value)
	}
	return judge.All(judge.Below(judge.Fig("the sender's part of T(n), at most", most), judge.Limit(0.95), 0))
}

// rewritten states that a store brings what its buffer held when it was issued,
// although the buffer was written again at once.
func rewritten(s session, c change) judge.Measured {
	return calls(s, machine{myrinet, c}, 2, pageStore, func(t *testbed.Calls) judge.Measured {
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
		return judge.All(judge.True(same, "the bytes of before arrive", "bytes as they were: %t", same))
	})
}

// store makes node 0 store into node 1.
func store(t *testbed.Calls, c *host.Context, from, at host.Addr, n int) {
	t.Keep(t.Ends[0].Store(c, 1, from, at, n, testbed.Counted, [4]uint32{}))
}

// bandwidths states that the reported bandwidth of a store is its length over
// the time until its reply, or until its handler runs.
func bandwidths(s session, reply bool) judge.Measured {
	sizes := s.stores(as(myrinet), pageStore).Sizes
	return calls(s, as(myrinet), 2, pageStore, func(t *testbed.Calls) judge.Measured {
		from, at := t.Ends[0].Buffer(pageStore), t.Ends[1].Space().Alloc(pageStore)
		var end float64 // when the last store was done, µs
		t.Handle(1, testbed.Counted, func(c *host.Context, _ comm.Call) [4]uint32 {
			end = us(c)
			return [4]uint32{}
		})
		var off judge.Deviation
		for _, z := range sizes {
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
			off.Add(float64(z.SizeBytes)/taken, z.Bandwidth.Value)
		}
		return judge.All(off.Within("n over the time of a store", "the reported bandwidth", 5))
	})
}

// busy states that the processor never idles: the first delay lifts the steady
// cost by itself, and the gap is both overheads.
func busy(s session, c change) judge.Measured {
	const delta = 20
	m := machine{sunRPC, c}
	x, none, some := s.signature(m, requests), s.steady(m, requests, 0), s.steady(m, requests, delta)
	return judge.All(judge.Near(judge.Fig("what a delay of 20 µs adds", some-none, "µs"), judge.Limit(delta, "µs"), 20),
		judge.Near(judge.Fig("steady cost", none, "µs"), judge.Fig("o_s + o_r", x.Os.Value+x.Or.Value, "µs"), 2))
}
