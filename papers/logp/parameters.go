package logp

import (
	"fmt"

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
		of(r, id+"-idle", "longest delay that costs nothing, from an increase of 2 %", figure(session.idle).value, name)
		of(r, id+"-rate", fmt.Sprintf("message %d to %d of bursts", shortSteady, longSteady), burstRate.value, name)
		of(r, id+"-Mknee", ofBoth, tripMessages, name)
	}
	of(r, "logp-par-gprime", "steady cost with a delay of 16 µs", figure(func(s session, name string) float64 { return s.steady(name, requests, 16) }).value, paragon)
	for id, name := range map[string]string{
		"logp-mei-L": meiko, "logp-myr-L": myrinet, "logp-par-L-63": paragon, "logp-par-L-text75": paragon, "logp-par-L-derived": paragon,
	} {
		of(r, id, ofBoth, longest, name)
	}
	of(r, "logp-rtt-ratio", ofPairs, against, roundTrip)
	of(r, "logp-oneway-ratio", ofBoth, against, figure(func(s session, name string) float64 { return s.trips(name).most / 2 }))
	r.under("logp-rtt-dist", ofPairs, spread, slowSwitches)
	for id, o := range map[string]order{
		"logp-b-gorder": {gap, []string{paragon, myrinet, meiko}, meiko, fastWords},
		"logp-b-Lorder": {latency, []string{paragon, meiko, myrinet}, myrinet, "an interface processor at four times the clock rate"},
		"logp-b-oorder": {overheads, []string{meiko, paragon, myrinet}, myrinet, "accesses to the card as fast as to a cache"},
	} {
		r.under(id, "signatures", o.holds, o.change)
	}
}

func tripTime(s session, name string) judge.Measured {
	t := s.trips(name)
	return value(t.mean, "mean of pairs, %.2f to %.2f", t.least, t.most)
}

// tripMessages is how many messages are issued in a round trip.
func tripMessages(s session, name string) judge.Measured {
	knee := s.signature(name, requests).Curves[0].Knee
	return value(s.trips(name).mean/s.of(name).os, "RTT/o_s; the cost is 5 %% higher from M = %d on", knee.To)
}

// against is a figure of Myrinet relative to the mean of the other two machines.
func against(s session, f figure) judge.Measured {
	par, mei, myr := f(s, paragon), f(s, meiko), f(s, myrinet)
	return value(2*myr/(par+mei), "%.2f µs against the Paragon's %.2f and the Meiko's %.2f", myr, par, mei)
}

// spread is how much longer the longest round trip is than the shortest, in per
// cent, on the machine where that is most.
func spread(s session) judge.Measured {
	var most float64
	var note string
	for _, name := range assessed {
		t := s.trips(name)
		pct := 100 * (t.most/t.least - 1)
		most = max(most, pct)
		note += judge.Fig(name, pct, "%").Text() + ", "
	}
	return value(most, "the largest of %s", note[:len(note)-2])
}

// order is the order of machines by a figure, and a change of one of them.
type order struct {
	of      figure
	names   []string
	changed string
	change  change
}

func (o order) holds(s session) judge.Measured {
	var f []judge.Figure
	for _, name := range o.names {
		x := s.usual()
		if name == o.changed {
			x = s
		}
		f = append(f, judge.Fig(name, o.of(x, name), "µs"))
	}
	return judge.All(judge.Ordered(f...))
}
