package synth

import (
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace/waits"
)

// RandomLog draws a log of few actors, resources and instants. Holds may overlap, and an
// actor may be woken by any other, so that chains have every shape.
func RandomLog(t *rapid.T) *waits.Log {
	const horizon = 12
	n := rapid.IntRange(1, 5).Draw(t, "actors")
	l := waits.NewLog()
	resource := rapid.SampledFrom([]waits.Resource{waits.Request, waits.Slot, waits.Processor, waits.HostDMA, waits.SEngine, waits.Port, waits.Ring, waits.Event})
	what := rapid.SampledFrom([]waits.What{waits.Service, waits.Waiting, waits.Waiting, waits.Idle})
	draw := func(at int64) waits.Interval {
		x := waits.Interval{
			Resource: resource.Draw(t, "resource"), What: what.Draw(t, "what"),
			Instance: int32(rapid.IntRange(0, 1).Draw(t, "instance")), Begin: at,
		}
		x.Line = x.What == waits.Waiting && x.Resource == waits.Port && rapid.Bool().Draw(t, "line")
		return x
	}
	for range n {
		at := rapid.Int64Range(0, horizon-1).Draw(t, "begin")
		cause := waits.ID(rapid.IntRange(0, n).Draw(t, "cause"))
		kind := waits.Type(rapid.IntRange(0, 1).Draw(t, "type"))
		id := l.Begin(waits.Actor{Type: kind, Cause: cause}, draw(at))
		for at < horizon && rapid.IntRange(0, 5).Draw(t, "more") > 0 {
			at += rapid.Int64Range(1, 4).Draw(t, "length")
			by := waits.ID(0)
			if rapid.IntRange(0, 2).Draw(t, "woken") == 0 {
				by = waits.ID(rapid.IntRange(1, n).Draw(t, "by"))
			}
			l.Turn(id, draw(at), by)
		}
		l.End(id, at+rapid.Int64Range(0, 2).Draw(t, "last"))
	}
	for range rapid.IntRange(0, 8).Draw(t, "holds") {
		x := draw(rapid.Int64Range(0, horizon-1).Draw(t, "hold"))
		l.Hold(waits.Hold{Resource: x.Resource, Instance: x.Instance, Actor: waits.ID(rapid.IntRange(1, n).Draw(t, "holder")),
			Begin: x.Begin, End: x.Begin + rapid.Int64Range(1, 6).Draw(t, "held")})
	}
	return l
}

// Line is a process that sends packets through two engines, each of which serves them
// one at a time in their order.
type Line struct {
	Gap         []int64 // computation before each packet
	First, Next int64   // service times of the engines
}

// Last returns when the last packet is through, by Lindley's recursion.
func (l Line) Last(freeFirst bool) int64 {
	var sent, one, two int64
	for _, gap := range l.Gap {
		sent += gap
		if freeFirst {
			one = sent + l.First
		} else {
			one = max(sent, one) + l.First
		}
		two = max(one, two) + l.Next
	}
	return two
}

// Log writes down what happens on the line.
func (l Line) Log() (*waits.Log, waits.ID) {
	log := waits.NewLog()
	host := log.Begin(waits.Actor{Type: waits.Process}, waits.Interval{Resource: waits.CPU})
	var sent, one, two int64
	var last waits.ID
	for _, gap := range l.Gap {
		sent += gap
		last = log.Begin(waits.Actor{Cause: host}, waits.Interval{Resource: waits.HostDMA, What: waits.Waiting, Begin: sent})
		one = l.Serve(log, last, waits.HostDMA, max(sent, one), l.First)
		log.Turn(last, waits.Interval{Resource: waits.SEngine, What: waits.Waiting, Begin: one}, 0)
		two = l.Serve(log, last, waits.SEngine, max(one, two), l.Next)
		log.End(last, two)
	}
	log.Finish(sent)
	return log, last
}

// Serve makes a resource serve an actor from at on. It returns when the service ends.
func (Line) Serve(log *waits.Log, id waits.ID, r waits.Resource, at, service int64) (end int64) {
	log.Turn(id, waits.Interval{Resource: r, Begin: at}, 0)
	log.Hold(waits.Hold{Resource: r, Actor: id, Begin: at, End: at + service})
	return at + service
}
