package logp

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/papers/judge"
)

// parameters adds the rows of the LogP parameters (logp, Table 3 and section
// 3.3). Round trips are those of all pairs of 16 nodes.
func (r rows) parameters() {
	for short, name := range map[string]string{"par": paragon, "mei": meiko, "myr": myrinet} {
		id := "logp-" + short
		of(r, id+"-rtt", ofPairs, tripTime, name)
		of(r, id+"-os", signature, overheadS.value, name)
		of(r, id+"-or", signature, overheadR.value, name)
		of(r, id+"-g", signature, gap.value, name)
		of(r, id+"-osum", "steady cost with a delay of three gaps", lifted, name)
		of(r, id+"-idle", "longest delay without cost, by an increase of 2 %", figure(session.idle).value, name)
		of(r, id+"-rate", fmt.Sprintf("message %d to %d of bursts", shortSteady, longSteady), burstRate.value, name)
		of(r, id+"-Mknee", ofBoth, tripMessages, name)
	}
	of(r, "logp-par-gprime", "steady cost with a delay of 16 µs", figure(func(s session, name string) float64 { return s.steady(name, requests, 16) }).value, paragon)
	for id, name := range map[string]string{
		"logp-mei-L": meiko, "logp-myr-L": myrinet, "logp-par-L-63": paragon, "logp-par-L-text75": paragon,
	} {
		of(r, id, ofBoth, longest, name)
	}
	of(r, "logp-par-L-derived", ofBoth, figure(func(s session, name string) float64 { return float64(roundTrip(s, name)/2) - overheads(s, name) }).value, paragon)
	of(r, "logp-rtt-ratio", ofPairs, against, roundTrip)
	of(r, "logp-oneway-ratio", ofBoth, against, figure(func(s session, name string) float64 { return s.roundTrips(name).most / 2 }))
	r.under("logp-rtt-dist", ofPairs, spread, slowSwitches)
	r.under("logp-b-gorder", "signatures", gap.ordered(paragon, myrinet, meiko), fastWords)
	r.under("logp-b-Lorder", "signatures", latency.ordered(paragon, meiko, myrinet), "an interface processor at four times the clock rate")
	r.under("logp-b-oorder", "signatures", overheads.ordered(meiko, paragon, myrinet), "accesses to the card as fast as to a cache")
}

func tripTime(s session, name string) judge.Measured {
	t := s.roundTrips(name)
	return value(t.mean, "mean of pairs, %.2f to %.2f", t.least, t.most)
}

// tripMessages measures how many messages are issued in a round trip.
func tripMessages(s session, name string) judge.Measured {
	knee := s.signature(name, requests).Curves[0].Knee
	return value(s.roundTrips(name).mean/s.of(name).os, "RTT/o_s; the cost is 5 %% higher from M = %d on", knee.To)
}

// against measures a figure of Myrinet relative to the mean of the other two machines.
func against(s session, f figure) judge.Measured {
	par, mei, myr := f(s, paragon), f(s, meiko), f(s, myrinet)
	return value(2*myr/(par+mei), "%.2f µs against the Paragon's %.2f and the Meiko's %.2f", myr, par, mei)
}

// spread measures by how much the longest round trip exceeds the shortest, in per
// cent, on the machine where it is largest.
func spread(s session) judge.Measured {
	var most float64
	m := statement(func(s session, name string) judge.Measured {
		t := s.roundTrips(name)
		pct := 100 * (t.most/t.least - 1)
		most = max(most, pct)
		return value(pct, "%.2f %%", pct)
	}).each(s)
	m.Value = most
	return m
}

// ordered states the order of machines by a figure. Only the last machine has the
// session's change.
func (f figure) ordered(least, middle, most string) func(session) judge.Measured {
	return func(s session) judge.Measured {
		of := func(s session, name string) judge.Figure { return judge.Fig(name, f(s, name), "µs") }
		return judge.All(judge.Ordered(of(s.usual(), least), of(s.usual(), middle), of(s, most)))
	}
}

// variants adds the rows of the older Meiko and of the SPARCstation 10s
// (logp, section 3.4).
func (r rows) variants() {
	const both = "signatures of both machines"
	of(r, "logp-m50-L", both, aboveMeiko, latency)
	of(r, "logp-m50-g", both, aboveMeiko, gap)
	of(r, "logp-m50-L-d", ofBoth, longest, meiko50)
	of(r, "logp-m50-g-d", signature, gap.value, meiko50)
	r.under("logp-m50-o", both, slightly, "library times in proportion to the clock")
	r.under("logp-b-m50-anomaly", both+", and with the bus alone slower", anomaly, "words that cost bus cycles only")
	of(r, "logp-m10-os", signature, overheadS.value, myrinet10)
	of(r, "logp-m10-or", signature, overheadR.value, myrinet10)
	of(r, "logp-m10-osum", "steady cost with a delay of three gaps", lifted, myrinet10)
	r.under("logp-m10-g", both, slower, "a 25 MHz SBus")
	r.under("logp-b-m10-l2", both, delayed, "no second-level cache controller")
}

// causes adds the rows of what sets the parameters (logp, section 3.3; grim,
// section 2.1).
func (r rows) causes() {
	const tenfold, free = "an interface processor at ten times the clock rate", "stores to the card at no cost"
	versus(r, "logp-b-meiko-uncached", string(fastWords), wordsLimit, meiko, "the same on myrinet, whose queues are on the card", myrinet)
	versus(r, "logp-b-ni-latency", string(hostRoutes), routesMoved, move{unchanged, hostRoutes}, "the same with "+tenfold, move{tenfold, hostRoutes + ", " + tenfold})
	versus(r, "logp-b-readdress", string(hostRoutes)+" on both SPARCstations", tradeOff, move{unchanged, hostRoutes}, free, move{free, hostRoutes + ", " + free})
	versus(r, "logp-attr-o", "library and bus twice as slow", overheads.moved, []change{slowLibrary, "accesses to the card twice as slow"},
		"interface processor and links slower", []change{slowCard, slowLinks})
	versus(r, "logp-attr-L", "interface processor, links and switches slower", latency.moved, []change{slowCard, slowLinks, slowSwitches}, string(slowLibrary), []change{slowLibrary})
	r.Versus("logp-attr-g", "host, card and link each made the slowest", given(r, slowest, myrinet),
		"library twice as slow, which is not the slowest", given(r, gap.moved, []change{slowLibrary}))
}

// aboveMeiko measures by how much a figure of the older Meiko is higher, in per cent.
func aboveMeiko(s session, f figure) judge.Measured {
	return value(f.excess(s, meiko50, meiko), "%.2f against %.2f µs", f(s, meiko50), f(s, meiko))
}

// slightly states that both overheads of the older Meiko are higher, but by less than
// half of the 32 % by which its clock period is longer.
func slightly(s session) judge.Measured {
	os, or := judge.Fig("increase of o_s", overheadS.excess(s, meiko50, meiko), "%"), judge.Fig("increase of o_r", overheadR.excess(s, meiko50, meiko), "%")
	least, most := judge.Limit(1, "%"), judge.Limit(15, "%")
	return judge.All(judge.Above(os, least, 0), judge.Above(or, least, 0), judge.Below(os, most, 0), judge.Below(or, most, 0))
}

// anomaly states that L and g of the older Meiko increase by more than the bus cycle,
// and the overheads by less than the CPU cycle. The slower bus alone explains less
// than half of it.
func anomaly(s session) judge.Measured {
	bus := s.with("a 40 MHz bus, the main processor unchanged")
	slowerBus, slowerCPU := judge.Fig("increase of the bus cycle", 100*(45.0/40-1), "%"), judge.Fig("increase of the CPU cycle", 100*(66.0/50-1), "%")
	l, g := judge.Fig("increase of L", latency.excess(s, meiko50, meiko), "%"), judge.Fig("increase of g", gap.excess(s, meiko50, meiko), "%")
	return judge.All(judge.Above(l, slowerBus, 50), judge.Above(g, slowerBus, 50),
		judge.Below(judge.Fig("increase of L by the bus alone", latency.excess(bus, meiko, meiko), "%"), l, 50),
		judge.Below(judge.Fig("increase of g by the bus alone", gap.excess(bus, meiko, meiko), "%"), g, 50),
		judge.Below(judge.Fig("increase of o_s + o_r", overheads.excess(s, meiko50, meiko), "%"), slowerCPU, 0))
}

// slower states that the gap of the SPARCstation 10s is larger.
func slower(s session) judge.Measured {
	return judge.All(judge.Above(judge.Fig("g of myrinet10", gap(s, myrinet10), "µs"), judge.Fig("g of myrinet", gap(s.usual(), myrinet), "µs"), 2))
}

// delayed states that one delay per access to the card explains the increase of both
// overheads of the SPARCstation 10s.
func delayed(s session) judge.Measured {
	fast, slow, g := s.usual().of(myrinet), s.of(myrinet10), s.subject(myrinet10).Profile.GAM
	store := judge.Fig("increase per access of a send", (slow.os-fast.os)/float64(g.RequestWords+1), "µs") // and a check of the queue
	load := judge.Fig("increase per access of a receive", (slow.or-fast.or)/float64(g.MessageWords), "µs")
	return judge.All(judge.Above(store, judge.Limit(0.1, "µs"), 0), judge.Near(load, store, 10))
}

// wordsLimit states that fast access to words reduces the gap by more than half.
func wordsLimit(s session, name string) judge.Measured {
	fast, now := gap(s.with(fastWords), name), gap(s, name)
	return judge.All(judge.Below(judge.Fig("g with fast words", fast, "µs"), judge.Fig("g", now, "µs"), 50))
}

// move is a pair of changes of a machine: without and with a mechanism moved.
type move struct{ before, after change }

// by returns the effect of the move on a figure.
func (x move) by(s session, what string, f figure, name string) judge.Figure {
	return judge.Fig("change of "+what, f(s.with(x.after), name)-f(s.with(x.before), name), "µs")
}

// routesMoved states that L falls and o_s rises when the host looks up routes.
func routesMoved(s session, x move) judge.Measured {
	l, o := x.by(s, "L", latency, myrinet), x.by(s, "o_s", overheadS, myrinet)
	return judge.All(judge.Below(l, judge.Limit(-0.5, "µs"), 0), judge.Above(o, judge.Limit(0.2, "µs"), 0))
}

// tradeOff states that the same move shortens round trips on one machine and
// lengthens them on another whose bus is slower.
func tradeOff(s session, x move) judge.Measured {
	near, far := x.by(s, "the round trip on myrinet", roundTrip, myrinet), x.by(s, "the round trip on myrinet10", roundTrip, myrinet10)
	return judge.All(judge.Below(near, judge.Limit(0, "µs"), 0), judge.Above(far, judge.Limit(0, "µs"), 0))
}

// moved states that each of some changes alters a figure of Myrinet by more than
// 10 %.
func (f figure) moved(s session, changes []change) judge.Measured {
	var claims []judge.Claim
	for _, c := range changes {
		pct := math.Abs(f.excess(s.with(c), myrinet, myrinet))
		claims = append(claims, judge.Above(judge.Fig("change by "+string(c), pct, "%"), judge.Limit(10, "%"), 0))
	}
	return judge.All(claims...)
}

// slowest states that the gap is the time of the slowest of interface, host and link.
func slowest(s session, name string) judge.Measured {
	link, host := s.with(slowLinks), s.with("a library that takes 5 µs more per operation").signature(name, requests)
	p := link.subject(name).Profile
	wire := p.Network.LinkRate.Time(p.GAM.Firmware.HeaderBytes + 16).Us() // the words of a message
	return judge.All(
		judge.Near(judge.Fig("g with a card at half the clock rate", gap(s.with(slowCard), name), "µs"), judge.Fig("2g", 2*gap(s, name), "µs"), 5),
		judge.Near(judge.Fig("steady cost with a slow host", host.Curves[0].AsymptoteUs.Value, "µs"), judge.Fig("its o_s + o_r", host.Os.Value+host.Or.Value, "µs"), 5),
		judge.Near(judge.Fig("g with slow links", gap(link, name), "µs"), judge.Fig("wire time", wire, "µs"), 10))
}
