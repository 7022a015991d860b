package logp

import (
	"math"

	"github.com/sigview/sigview/papers/judge"
)

// variants adds the rows of the older Meiko and of the other SPARCstations
// (logp, section 3.4).
func (r rows) variants() {
	const both = "signatures of both machines"
	of(r, "logp-m50-L", both, aboveMeiko, latency)
	of(r, "logp-m50-g", both, aboveMeiko, gap)
	of(r, "logp-m50-L-d", ofBoth, longest, as(meiko50))
	of(r, "logp-m50-g-d", signature, gap.value, as(meiko50))
	r.under("logp-m50-o", both, slightly, "a library that follows the clock")
	r.under("logp-b-m50-anomaly", both+", and with the bus alone slower", anomaly, "words that take cycles of the bus alone")
	of(r, "logp-m10-os", signature, overheadS.value, as(myrinet10))
	of(r, "logp-m10-or", signature, overheadR.value, as(myrinet10))
	of(r, "logp-m10-osum", "steady cost with a delay of three gaps", lifted, as(myrinet10))
	r.under("logp-m10-g", both, slower, "an SBus of 25 MHz")
	r.under("logp-b-m10-l2", both, delayed, "no controller of a second-level cache")
}

// causes adds the rows of what sets the parameters (logp, section 3.3; grim,
// section 2.1).
func (r rows) causes() {
	const tenfold, free = "an interface processor of ten times the clock", "stores that cost nothing"
	versus(r, "logp-b-meiko-uncached", string(fastWords), wordsLimit, meiko, "the same on myrinet, whose messages lie in the card", myrinet)
	versus(r, "logp-b-ni-latency", string(hostRoutes), routesMoved, moves{unchanged, hostRoutes}, "the same with "+tenfold, moves{tenfold, hostRoutes + ", " + tenfold})
	versus(r, "logp-b-readdress", string(hostRoutes)+" on both SPARCstations", tradeOff, moves{unchanged, hostRoutes}, free, moves{free, hostRoutes + ", " + free})
	versus(r, "logp-attr-o", "library and bus twice as slow", moved, moving{overheads, []change{slowLibrary, "words to and from the card twice as slow"}},
		"interface processor and links slower", moving{overheads, []change{slowCard, slowLinks}})
	versus(r, "logp-attr-L", "interface processor, links and switches slower", moved, moving{latency, []change{slowCard, slowLinks, slowSwitches}},
		string(slowLibrary), moving{latency, []change{slowLibrary}})
	r.Versus("logp-attr-g", "host, card and link made the slowest in turn", in(r.assessment, slowest, as(myrinet)),
		"library twice as slow, which is not the slowest", in(r.assessment, moved, moving{gap, []change{slowLibrary}}))
}

// excess is by how many per cent a figure of a machine is above another's.
func (f figure) excess(s session, of, than machine) float64 { return 100 * (f(s, of)/f(s, than) - 1) }

// aboveMeiko is by how much a figure of the older Meiko is higher.
func aboveMeiko(s session, f figure) judge.Measured {
	return value(f.excess(s, as(meiko50), as(meiko)), "%.2f after %.2f µs", f(s, as(meiko50)), f(s, as(meiko)))
}

// slightly states that both overheads of the older Meiko are higher, and by
// less than half of what its clock is lower.
func slightly(s session, c change) judge.Measured {
	old, now := machine{meiko50, c}, as(meiko)
	os, or := judge.Fig("excess of o_s", overheadS.excess(s, old, now), "%"), judge.Fig("excess of o_r", overheadR.excess(s, old, now), "%")
	least, most := judge.Limit(1, "%"), judge.Limit(15, "%")
	return judge.All(judge.Above(os, least, 0), judge.Above(or, least, 0), judge.Below(os, most, 0), judge.Below(or, most, 0))
}

// anomaly states that L and g of the older Meiko are higher by more than its
// bus is slower, while the overheads are not by what its clock is; the bus
// alone explains only a part.
func anomaly(s session, c change) judge.Measured {
	old, now, bus := machine{meiko50, c}, as(meiko), machine{meiko, "a bus of 40 MHz, the main processor as it was"}
	slowerBus, slowerCPU := judge.Fig("excess of a bus cycle", 100*(45.0/40-1), "%"), judge.Fig("excess of a CPU cycle", 100*(66.0/50-1), "%")
	l, g := judge.Fig("excess of L", latency.excess(s, old, now), "%"), judge.Fig("excess of g", gap.excess(s, old, now), "%")
	return judge.All(judge.Above(l, slowerBus, 50), judge.Above(g, slowerBus, 50),
		judge.Below(judge.Fig("excess of L by the bus alone", latency.excess(s, bus, now), "%"), l, 50),
		judge.Below(judge.Fig("excess of g by the bus alone", gap.excess(s, bus, now), "%"), g, 50),
		judge.Below(judge.Fig("excess of o_s + o_r", overheads.excess(s, old, now), "%"), slowerCPU, 0))
}

// slower states that the gap of the other SPARCstations is larger.
func slower(s session, c change) judge.Measured {
	return judge.All(judge.Above(gap.on(s, machine{myrinet10, c}), gap.on(s, as(myrinet)), 2))
}

// delayed states that both overheads of the other SPARCstations are as much
// higher as there are accesses to the card, for one delay.
func delayed(s session, c change) judge.Measured {
	fast, slow, g := s.of(as(myrinet)), s.of(machine{myrinet10, c}), s.subject(as(myrinet10)).Profile.GAM
	store := judge.Fig("excess per access of a send", (slow.os-fast.os)/float64(g.RequestWords+1), "µs") // and a look at the queue
	load := judge.Fig("excess per access of a receive", (slow.or-fast.or)/float64(g.MessageWords), "µs")
	return judge.All(judge.Above(store, judge.Limit(0.1, "µs"), 0), judge.Near(load, store, 10))
}

// wordsLimit states that the gap halves when words take no time across the bus.
func wordsLimit(s session, name string) judge.Measured {
	return judge.All(judge.Below(judge.Fig("g with fast words", gap(s, machine{name, fastWords}), "µs"), judge.Fig("g", gap(s, as(name)), "µs"), 50))
}

// moves are the changes that a machine has before and after a mechanism moves.
type moves struct{ before, after change }

// routesMoved states that L falls and o_s rises when the host looks ways up.
func routesMoved(s session, c moves) judge.Measured {
	card, host := s.of(machine{myrinet, c.before}), s.of(machine{myrinet, c.after})
	return judge.All(judge.Below(judge.Fig("change of L", host.l-card.l, "µs"), judge.Limit(-0.5, "µs"), 0),
		judge.Above(judge.Fig("change of o_s", host.os-card.os, "µs"), judge.Limit(0.2, "µs"), 0))
}

// tradeOff states that the same move lowers the time of a message on one
// machine and raises it on the other, whose bus is slower.
func tradeOff(s session, c moves) judge.Measured {
	change := func(name string) judge.Figure {
		return judge.Fig("change of half a round trip on "+name, (s.trips(machine{name, c.after}).mean-s.trips(machine{name, c.before}).mean)/2, "µs")
	}
	return judge.All(judge.Below(change(myrinet), judge.Limit(0), 0), judge.Above(change(myrinet10), judge.Limit(0), 0))
}

// moving is a figure that each of some changes is said to move.
type moving struct {
	of      figure
	changes []change
}

// moved states that each of some changes moves a figure of Myrinet by more than
// a tenth.
func moved(s session, x moving) judge.Measured {
	var claims []judge.Claim
	for _, c := range x.changes {
		pct := x.of.excess(s, machine{myrinet, c}, as(myrinet))
		claims = append(claims, judge.Above(judge.Fig("change by "+string(c), math.Abs(pct), "%"), judge.Limit(10, "%"), 0))
	}
	return judge.All(claims...)
}

// slowest states that the gap is the time of the slowest stage, whichever that
// is: the interface, the host when it takes longer, the link when that does.
func slowest(s session, m machine) judge.Measured {
	link := machine{m.name, slowLinks}
	slowHost := s.signature(machine{m.name, "a library that takes 5 µs more for all it does"}, requests)
	p := s.subject(link).Profile
	wire := p.Network.LinkRate.Time(p.GAM.Firmware.HeaderBytes + 16).Us() // the words of a message
	return judge.All(
		judge.Near(judge.Fig("g with a card of half the clock", gap(s, machine{m.name, slowCard}), "µs"), judge.Fig("2g", 2*gap(s, m), "µs"), 5),
		judge.Near(judge.Fig("steady cost with a slow host", slowHost.Curves[0].AsymptoteUs.Value, "µs"), judge.Fig("its o_s + o_r", slowHost.Os.Value+slowHost.Or.Value, "µs"), 5),
		judge.Near(judge.Fig("g with slow links", gap(s, link), "µs"), judge.Fig("time on the wire", wire, "µs"), 10))
}
