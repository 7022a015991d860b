package grim

import (
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/tpil"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/testbeds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// tpil returns the host, card and library of a machine.
func (r *rows) tpil(m machine) tpil.Machine {
	p := r.profile(m.name, m.overlay)
	return tpil.Machine{Host: p.Host, Card: p.NI, TPIL: *p.TPIL}
}

// sample returns what injections of n bytes by a mechanism cost.
func (r *rows) sample(m machine, how tpil.Mechanism, n int) tpil.Sample {
	return judge.Recall(r.known, func() tpil.Sample { return judge.Must(r.tpil(m).Measure(how, n, r.seed)) }, "sample", m, how, n)
}

// rate returns the rate of injections of n bytes, MB/s.
func (r *rows) rate(m machine, how tpil.Mechanism, n int) float64 {
	return float64(n) / r.sample(m, how, n).Took.Us()
}

// fastest returns the fastest of the mechanisms that plans have, and its time in µs.
func (r *rows) fastest(m machine, n int) (best tpil.Mechanism, us float64) {
	us = math.Inf(1)
	t := r.tpil(m)
	for _, how := range tpil.Mechanisms(&t.Host) {
		if took := r.sample(m, how, n).Took.Us(); took < us && t.TPIL.Takes(how) {
			best, us = how, took
		}
	}
	return best, us
}

// most returns the highest rate of some mechanisms at any size from 64 B to 2 MB, and where.
func (r *rows) most(m machine, mechanisms ...tpil.Mechanism) (rate float64, note string) {
	for n := 64; n <= 2*mb; n *= 2 {
		for _, how := range mechanisms {
			if v := r.rate(m, how, n); v > rate {
				rate, note = v, fmt.Sprintf("by %v at %d B", how, n)
			}
		}
	}
	return rate, note
}

var dma = []tpil.Mechanism{tpil.OneCopy, tpil.DoubleBuffered, tpil.ZeroCopy}

// hosts adds the rows of the hosts (grim §5.2).
func (r *rows) hosts() {
	for id, name := range map[string]string{"ppro": pproL9, "p3": p3L9, "p4": p4L9} {
		r.Of("grim-"+id+"-cpu", "cycle count", testbeds.On(testbed.Spec{Platform: name, Seed: r.seed}, testbeds.Number(testbeds.CPUMHz)))
	}
	field := func(id string, of func(*host.Spec) float64) {
		r.Of(id, "host", measure(func() judge.Measured { return judge.Measured{Value: of(&r.profile(p3L9, "").Host)} }))
	}
	field("grim-pci32", func(h *host.Spec) float64 { return float64(h.IOBus) / 1e6 })
	field("grim-pio-read", func(h *host.Spec) float64 { return h.PIORead.Us() })
	field("grim-pio-write", func(h *host.Spec) float64 { return h.PIOWrite.Us() })
	field("grim-mmx", func(h *host.Spec) float64 { return float64(h.MMX.Bytes) })
}

// stores adds the rows of the CPU's stores (grim §5.2.1).
func (r *rows) stores() {
	r.Versus("grim-sse", "64 KB from memory", r.ahead(of(p3L9), 64*kb), "SSE without prefetch", r.ahead(machine{p3L9, "SSE without prefetch"}, 64*kb))
	r.Versus("grim-wc", "stores of 8 B to 1 KB and a word that announces them", r.combined(of(p3L9)),
		"stores that are not combined", r.combined(machine{p3L9, "stores that are not combined"}),
		"the longest transfer up to 1 KB that combining makes faster; an announcement overtakes combined stores, and none after a fence")
	r.Versus("grim-wc-dropped", "plans", r.without(""), "plans with combined stores", r.without("plans with combined stores"))
	r.Of("grim-p3-mmxsse", "SSE and MMX from memory", measure(func() judge.Measured {
		const ahead = 1.1
		for n := 256; n <= 64*kb; n += 64 {
			if v := r.rate(of(p3L4), tpil.SSE, n) / r.rate(of(p3L4), tpil.MMX, n); v >= ahead {
				return judge.Value(float64(n)/kb, "SSE %.2f times as fast from there on, %.2f at 64 KB", v, r.rate(of(p3L4), tpil.SSE, 64*kb)/r.rate(of(p3L4), tpil.MMX, 64*kb))
			}
		}
		return judge.Value(math.NaN(), "SSE is never a tenth faster")
	}), "the least size at which SSE is a tenth faster")
}

// ahead states that SSE hides the memory from which MMX reads.
func (r *rows) ahead(m machine, n int) judge.Measure {
	return measure(func() judge.Measured {
		return judge.All(judge.Above(judge.Fig("SSE", r.rate(m, tpil.SSE, n), "MB/s"), judge.Fig("MMX", r.rate(m, tpil.MMX, n), "MB/s"), 10))
	})
}

// combined measures up to which size, of at most 1 KB, combining makes stores faster, in
// bytes. It is NaN if no announcement overtakes data, or if one does after a fence.
func (r *rows) combined(m machine) judge.Measure {
	return measure(func() judge.Measured {
		longest := math.NaN()
		for n := 8; n <= kb; n *= 2 {
			if r.rate(m, tpil.Combining, n) > 1.1*r.rate(m, tpil.Word, n) {
				longest = float64(n)
			}
		}
		overtaken, fenced := r.overtaking(m, false), r.overtaking(m, true)
		if overtaken == 0 || fenced > 0 {
			longest = math.NaN()
		}
		return judge.Value(longest, "%d words may be overtaken, %d after a fence", overtaken, fenced)
	})
}

// overtaking returns how many of 64 combined words a combined announcement may overtake.
func (r *rows) overtaking(m machine, fence bool) (words int) {
	e := sim.New(r.seed)
	defer e.Close()
	h := host.New(e, "host", &r.profile(m.name, m.overlay).Host, host.Uncontended{})
	h.Go("program", host.Application, func(c *host.Context) {
		c.PIOWrite(64, host.Combining)
		if fence {
			c.Fence()
		}
		words = c.PIOAnnounce(host.Combining)
	})
	judge.Must(0, e.Run(sim.Never))
	return words
}

// without states that plans of hosts with MMX and SSE have no combined stores.
func (r *rows) without(overlay string) judge.Measure {
	return measure(func() judge.Measured {
		var used []string
		for _, name := range []string{p3L4, p3L9, p4L4, p4L9} {
			if slices.ContainsFunc(r.plan(machine{name, overlay}), func(e tpil.Entry) bool { return e.By == tpil.Combining }) {
				used = append(used, name)
			}
		}
		return judge.States(len(used) == 0, "no plan of the Pentium III or 4 has combined stores", "they are in plans of %v", used)
	})
}

func (r *rows) plan(m machine) tpil.Plan {
	return judge.Recall(r.known, func() tpil.Plan { return judge.Must(tpil.Tune(r.tpil(m))) }, "plan", m)
}

// mechanisms adds the rows of DMA that hosts start, and of self-tuning (grim §5.2.2, 5.2.3).
func (r *rows) mechanisms() {
	longest := func(id string, how tpil.Mechanism, unit float64) {
		r.Of(id, "transfers of 1 MB", measure(func() judge.Measured {
			return judge.Value(float64(r.sample(of(p3L9), how, mb).Longest)/unit, "the longest transfer")
		}))
	}
	longest("grim-onecopy-buf", tpil.OneCopy, kb)
	longest("grim-dblbuf", tpil.DoubleBuffered, kb)
	longest("grim-zerocopy", tpil.ZeroCopy, host.PageBytes)
	r.Versus("grim-dma-cost", "64 KB from the user's pages", r.costs(tpil.ZeroCopy), "the same by SSE", r.costs(tpil.SSE))
	r.Versus("grim-tpil-auto", "the plan of each machine", r.tuned(""), "the plan of another machine", r.tuned(p3L4))
}

// costs states that an injection needs words to program each page's transfer, an interrupt at its
// end, and time for a page to be pinned.
func (r *rows) costs(how tpil.Mechanism) judge.Measure {
	return measure(func() judge.Measured {
		const pages = 16
		s := r.sample(of(p3L9), how, pages*host.PageBytes)
		pin := s.Took - r.sample(machine{p3L9, "a driver that takes no time"}, how, pages*host.PageBytes).Took
		return judge.All(
			judge.Near(judge.Fig("words stored", float64(s.Words)), judge.Fig("those that program the transfers", float64(pages*r.tpil(of(p3L9)).TPIL.ProgramWords)), 0),
			judge.Near(judge.Fig("interrupts", float64(s.Interrupts)), judge.Limit(pages), 0),
			judge.Above(judge.Fig("pinning and the call", pin.Us(), "µs"), judge.Limit(0), 0))
	})
}

// tuned states that a plan is as fast as the fastest mechanism, at sizes that were not measured to
// make it. The plans are those of the machines themselves, or all that of one.
func (r *rows) tuned(by string) judge.Measure {
	return measure(func() judge.Measured {
		return judge.Each([]string{pproL9, p3L4, p3L9, p4L4, p4L9}, func(name string) judge.Measured {
			plan := r.plan(of(name))
			if by != "" {
				plan = r.plan(of(by))
			}
			t := r.tpil(of(name))
			worst := 1.0
			for n := 20; n <= mb; n *= 2 {
				how := plan.Best(n)
				if tpil.Offers(&t.Host, how) != nil {
					how = tpil.Word
				}
				_, best := r.fastest(of(name), n)
				worst = max(worst, r.sample(of(name), how, n).Took.Us()/best)
			}
			return judge.All(judge.Below(judge.Fig("times as long as the fastest", worst), judge.Limit(1.2), 0))
		})
	})
}

// injection adds the rows of the Pentium III and of all hosts (grim §5.2.3, Figures 5.2, 5.3).
func (r *rows) injection() {
	r.Of("grim-p3-pio-best", "the fastest of each size", measure(func() judge.Measured {
		longest := func(name string) (n int) {
			for n := 256; n <= 64*kb; n += 256 {
				if best, _ := r.fastest(of(name), n); !best.PIO() {
					if later, _ := r.fastest(of(name), n+3*kb); !later.PIO() {
						return n
					}
				}
			}
			return 0
		}
		a, b := float64(float64(longest(p3L4))/kb), float64(float64(longest(p3L9))/kb)
		return judge.Value((a+b)/2, "%.2f KB with LANai 4, %.2f with LANai 9", a, b)
	}), "the least size from which DMA is faster, also 3 KB further on; mean of both cards")
	r.Of("grim-p3-zerocopy-bw", "zero-copy", measure(func() judge.Measured {
		a, _ := r.most(of(p3L4), tpil.ZeroCopy)
		b, _ := r.most(of(p3L9), tpil.ZeroCopy)
		return judge.Value((a+b)/2, "%.1f with LANai 4, %.1f with LANai 9", a, b)
	}), "mean of both cards")
	top := func(id, what, name string, mechanisms ...tpil.Mechanism) {
		r.Of(id, what, measure(func() judge.Measured {
			v, note := r.most(of(name), mechanisms...)
			return judge.Value(v, "%s", note)
		}))
	}
	top("grim-p4-l4-sse", "SSE", p4L4, tpil.SSE)
	top("grim-p4-l4-dma", "zero-copy", p4L4, tpil.ZeroCopy)
	top("grim-p4-l9-pio", "MMX and SSE", p4L9, tpil.MMX, tpil.SSE)
	top("grim-p4-l9-dma", "DMA", p4L9, dma...)
	r.Versus("grim-p4-dbl-gt-zero", "2 MB on both hosts", r.buffers(""), "a Pentium 4 with slow memory", r.buffers("slow memory"))
	r.Versus("grim-tpil-order", "the fastest of each size", r.order(""), "a Pentium Pro with the stores and the bus of the Pentium III", r.order("a host with the bus of the others"))
	const slow = "blocks that take four times as long"
	r.Versus("grim-p3-linear", "the fastest of 256 B to 1 MB", r.linear(""), slow, r.linear(slow), "ratio of the longest to the shortest time of a byte")
	near := func(id, name string, mechanisms ...tpil.Mechanism) {
		r.Of(id, "rates of powers of two", measure(func() judge.Measured {
			most, _ := r.most(of(name), mechanisms...)
			for n := 64; ; n *= 2 {
				for _, how := range mechanisms {
					if v := r.rate(of(name), how, n); v >= 0.9*most {
						return judge.Value(float64(n)/kb, "%.1f MB/s by %v, %.1f at most", v, how, most)
					}
				}
			}
		}), "the least power of two with nine tenths of the highest rate")
	}
	near("grim-inj-l4-best", p3L4, tpil.SSE)
	near("grim-inj-l9-best", p3L9, dma...)
}

// buffers states that two buffers are faster than none on a Pentium 4, changed by an overlay, and
// slower on a Pentium III, for very long transfers.
func (r *rows) buffers(overlay string) judge.Measure {
	return measure(func() judge.Measured {
		fig := func(m machine, how tpil.Mechanism, who string) judge.Figure {
			return judge.Fig(fmt.Sprintf("%v on %s", how, who), r.rate(m, how, 2*mb), "MB/s")
		}
		p4 := machine{p4L9, overlay}
		return judge.All(
			judge.Above(fig(p4, tpil.DoubleBuffered, "Pentium 4"), fig(p4, tpil.ZeroCopy, "Pentium 4"), 0),
			judge.Above(fig(of(p3L9), tpil.ZeroCopy, "Pentium III"), fig(of(p3L9), tpil.DoubleBuffered, "Pentium III"), 0))
	})
}

// order states how the hosts compare with LANai 9: the Pentium Pro, changed by an overlay, is slowest
// at all sizes; the Pentium 4 stores faster in the 32-bit slot and transfers faster in the other one.
func (r *rows) order(ppro string) judge.Measure {
	return measure(func() judge.Measured {
		const considerably = 1.2
		ratio := math.Inf(1)
		for n := 64; n <= mb; n *= 4 {
			_, slow := r.fastest(machine{pproL9, ppro}, n)
			_, p3 := r.fastest(of(p3L9), n)
			_, wide := r.fastest(of(p4L9), n)
			_, narrow := r.fastest(machine{p4L9, slot32}, n)
			ratio = min(ratio, slow/max(p3, min(wide, narrow)))
		}
		narrow, _ := r.most(machine{p4L9, slot32}, tpil.MMX, tpil.SSE)
		wide, _ := r.most(of(p4L9), tpil.MMX, tpil.SSE)
		narrowDMA, _ := r.most(machine{p4L9, slot32}, dma...)
		wideDMA, _ := r.most(of(p4L9), dma...)
		return judge.All(
			judge.Above(judge.Fig("least ratio of the Pentium Pro's times to the next longer, 64 B to 1 MB", ratio), judge.Limit(considerably), 0),
			judge.Above(judge.Fig("stores in the 32-bit slot", narrow, "MB/s"), judge.Fig("stores in the other", wide, "MB/s"), 0),
			judge.Above(judge.Fig("DMA in the 64-bit slot", wideDMA, "MB/s"), judge.Fig("DMA in the 32-bit slot", narrowDMA, "MB/s"), 0))
	})
}

// linear states that the time of a byte, by the fastest mechanism, varies least with the size on the
// Pentium III, changed by an overlay.
func (r *rows) linear(p3 string) judge.Measure {
	return measure(func() judge.Measured {
		spread := func(what string, m machine) judge.Figure {
			least, most := math.Inf(1), 0.0
			for n := 256; n <= mb; n *= 2 {
				_, us := r.fastest(m, n)
				least, most = min(least, us/float64(n)), max(most, us/float64(n))
			}
			return judge.Fig(what, most/least)
		}
		return judge.All(
			judge.Below(spread("Pentium III", machine{p3L9, p3}), spread("Pentium 4", of(p4L9)), 0),
			judge.Below(spread("Pentium III", machine{p3L9, p3}), spread("Pentium Pro", of(pproL9)), 0))
	})
}

const slot32 = "the 32-bit slot"

// slots adds the rules for the slot of a LANai 9 in the Pentium 4.
func (r *rows) slots() {
	crossing := func(id string, wide bool) {
		r.Of(id, "the fastest in either slot", measure(func() judge.Measured {
			last := 0
			for n := 64; n <= 256*kb; n *= 2 {
				_, narrow := r.fastest(machine{p4L9, slot32}, n)
				if _, us := r.fastest(of(p4L9), n); us < narrow {
					if wide {
						return judge.Value(float64(n)/kb, "%.1f µs against %.1f in the 32-bit slot", us, narrow)
					}
					break
				}
				last = n
			}
			return judge.Value(float64(last)/kb, "the 64-bit slot is faster at twice the size")
		}))
	}
	crossing("grim-p4-rule-a", false)
	crossing("grim-p4-rule-b", true)
}
