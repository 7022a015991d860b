package logp

import (
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
)

const (
	ofPairs   = "round trips of all pairs of nodes"
	ofBoth    = "signature, and round trips of all pairs"
	signature = "signature"
)

// parameters adds the rows of the LogP parameters (logp, Table 3 and section
// 3.3). Round trips are those of all pairs of 16 nodes.
func (r rows) parameters() {
	for short, name := range map[string]string{"par": paragon, "mei": meiko, "myr": myrinet} {
		id, m := "logp-"+short, as(name)
		of(r, id+"-rtt", ofPairs, tripTime, m)
		of(r, id+"-os", signature, overheadS.value, m)
		of(r, id+"-or", signature, overheadR.value, m)
		of(r, id+"-g", signature, gap.value, m)
		of(r, id+"-osum", "steady cost with a delay of three gaps", lifted, m)
		of(r, id+"-idle", "longest delay that costs nothing", figure(session.idle).value, m)
		of(r, id+"-rate", "messages of long bursts", rate, m)
		of(r, id+"-Mknee", ofBoth, tripMessages, m)
	}
	of(r, "logp-par-gprime", "steady cost with a delay of 16 µs", func(s session, m machine) judge.Measured {
		return value(s.steady(m, requests, 16), "")
	}, as(paragon))
	for id, name := range map[string]string{
		"logp-mei-L": meiko, "logp-myr-L": myrinet, "logp-par-L-63": paragon, "logp-par-L-text75": paragon, "logp-par-L-derived": paragon,
	} {
		of(r, id, ofBoth, longest, as(name))
	}
	of(r, "logp-rtt-ratio", ofPairs, against, figure(func(s session, m machine) float64 { return s.trips(m).mean }))
	of(r, "logp-oneway-ratio", ofBoth, against, figure(func(s session, m machine) float64 { return s.of(m).sum() + s.trips(m).most/2 - s.of(m).sum() }))
	r.under("logp-rtt-dist", ofPairs, spread, slowSwitches)
	for id, o := range map[string]order{
		"logp-b-gorder": {gap, [3]string{paragon, myrinet, meiko}, machine{meiko, fastWords}},
		"logp-b-Lorder": {latency, [3]string{paragon, meiko, myrinet}, machine{myrinet, "an interface processor of four times the clock"}},
		"logp-b-oorder": {overheads, [3]string{meiko, paragon, myrinet}, machine{myrinet, "words to and from the card as fast as to a cache"}},
	} {
		versus(r, id, "signatures", ordered, order{o.of, o.names, machine{}}, o.changed.String(), o)
	}
}

var value = judge.Value

// figure is a number of a machine, µs where it is a time.
type figure func(session, machine) float64

// Parameters of two nodes.
var (
	overheadS figure = func(s session, m machine) float64 { return s.of(m).os }
	overheadR figure = func(s session, m machine) float64 { return s.of(m).or }
	overheads figure = func(s session, m machine) float64 { return s.of(m).sum() }
	latency   figure = func(s session, m machine) float64 { return s.of(m).l }
	gap       figure = func(s session, m machine) float64 { return s.of(m).g }
)

func (f figure) value(s session, m machine) judge.Measured { return value(f(s, m), "") }

// on is the figure of a machine under its name.
func (f figure) on(s session, m machine) judge.Figure { return judge.Fig(m.name, f(s, m), "µs") }

func tripTime(s session, m machine) judge.Measured {
	t := s.trips(m)
	return value(t.mean, "mean of pairs, %.2f to %.2f", t.least, t.most)
}

// lifted is o_s + o_r, from a delay that the processor cannot hide.
func lifted(s session, m machine) judge.Measured {
	delta := measure.Round(3 * s.steady(m, requests, 0))
	return value(s.steady(m, requests, delta)-delta, "delay %.3g µs", delta)
}

// rate is how many messages of a long burst go in a millisecond.
func rate(s session, m machine) judge.Measured {
	return value(1000/s.steady(m, requests, 0), "message %d to %d of a burst", shortSteady, longSteady)
}

// longest is L as the paper extracts it: from the longest round trip.
func longest(s session, m machine) judge.Measured {
	t, f := s.trips(m), s.of(m)
	return value(t.most/2-f.sum(), "from the longest round trip; %.2f from the shortest", t.least/2-f.sum())
}

// tripMessages is how many messages are issued in a round trip.
func tripMessages(s session, m machine) judge.Measured {
	knee := s.signature(m, requests).Curves[0].Knee
	return value(s.trips(m).mean/s.of(m).os, "RTT/o_s; the cost is 5 %% higher from M = %d on", knee.To)
}

// against is a figure of Myrinet against the mean of the other two machines.
func against(s session, f figure) judge.Measured {
	par, mei, myr := f(s, as(paragon)), f(s, as(meiko)), f(s, as(myrinet))
	return value(2*myr/(par+mei), "%.2f µs against the Paragon's %.2f and the Meiko's %.2f", myr, par, mei)
}

// spread is by how much round trips differ at most, in per cent of the shortest.
func spread(s session, c change) judge.Measured {
	var most float64
	var note string
	for _, name := range assessed {
		t := s.trips(machine{name, c})
		pct := 100 * (t.most/t.least - 1)
		most = max(most, pct)
		note += judge.Fig(name, pct, "%").Text() + ", "
	}
	return value(most, "the largest of %s", note[:len(note)-2])
}

// order is that of machines by a figure, one of them changed.
type order struct {
	of      figure
	names   [3]string
	changed machine
}

func ordered(s session, o order) judge.Measured {
	var f []judge.Figure
	for _, name := range o.names {
		m := as(name)
		if name == o.changed.name {
			m = o.changed
		}
		f = append(f, o.of.on(s, m))
	}
	return judge.All(judge.Ordered(f...))
}
