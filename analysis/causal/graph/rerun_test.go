package graph

import (
	"testing"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestRerunAgreesWithLindley(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := synth.Line{
			Gap:   rapid.SliceOfN(rapid.Int64Range(1, 30), 1, 12).Draw(t, "gap"),
			First: rapid.Int64Range(1, 30).Draw(t, "first"), Next: rapid.Int64Range(1, 30).Draw(t, "next"),
		}
		log, last := l.Log()
		end := log.Actors[last].End
		r := NewRerun(resolved(t, log), Stretch{Last: last, To: end})
		require.Equal(t, Prediction{Length: end, Grants: 2 * int64(len(l.Gap))}, r.WhatIf(Change{}))
		slow := synth.Line{Gap: l.Gap, First: 2 * l.First, Next: 3 * l.Next}
		p := r.WhatIf(Change{Factor: map[waits.Resource]float64{waits.HostDMA: 2, waits.SEngine: 3}})
		require.Equal(t, slow.Last(false), p.Length, "longer services make new queues")
		require.Equal(t, l.Last(true), r.WhatIf(Change{Free: []waits.Resource{waits.HostDMA}}).Length)
	})
}

// TestRerunOfAnyLog: whatever a log says, a rerun ends, and one without a change at the recorded
// time.
func TestRerunOfAnyLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := synth.RandomLog(t)
		for id := range log.Actors {
			log.Actors[id].Type = waits.Type(rapid.IntRange(0, 4).Draw(t, "type"))
		}
		actor := waits.ID(rapid.IntRange(1, len(log.Actors)-1).Draw(t, "actor"))
		at := rapid.Int64Range(1, 20).Draw(t, "at")
		r := NewRerun(resolved(t, log), Stretch{Last: actor, To: at})
		require.Equal(t, at, r.WhatIf(Change{}).Length)
		for free := range waits.Resource(waits.NumResources) {
			r.WhatIf(Change{Free: []waits.Resource{free}})
		}
	})
}

// crossing is two packets of two processes for one engine: that of the second process comes
// first because the first one waits for a link.
func crossing() (*waits.Log, waits.ID) {
	log := waits.NewLog()
	process := func(node int32) waits.ID {
		return log.Begin(waits.Actor{Type: waits.Process, Node: node, Name: "process"}, waits.Interval{Resource: waits.CPU, Instance: node})
	}
	a, b := process(0), process(1)
	serve := func(id waits.ID, r waits.Resource, begin, end int64) {
		log.Turn(id, waits.Interval{Resource: r, Instance: 2, Begin: begin}, 0)
		log.Hold(waits.Hold{Resource: r, Instance: 2, Actor: id, Begin: begin, End: end})
	}
	wait := func(id waits.ID, r waits.Resource, begin int64) {
		log.Turn(id, waits.Interval{Resource: r, What: waits.Waiting, Instance: 2, Begin: begin}, 0)
	}
	packet := func(cause waits.ID, kind trace.Kind) waits.ID {
		return log.Begin(waits.Actor{Cause: cause, Kind: kind, Node: log.Actors[cause].Node, Peer: 2}, waits.Interval{Resource: waits.CPU, What: waits.Idle, Begin: 5})
	}
	other := log.Begin(waits.Actor{Cause: b, Node: 1, Peer: 2}, waits.Interval{Resource: waits.SEngine, What: waits.Idle, Begin: 5})
	first, second := packet(a, trace.Message), packet(b, trace.Data)
	serve(other, waits.SEngine, 6, 36)
	log.End(other, 36)
	wait(first, waits.SEngine, 7)
	serve(second, waits.HostDMA, 10, 50)
	log.End(second, 50)
	serve(first, waits.SEngine, 36, 40)
	wait(first, waits.HostDMA, 40)
	serve(first, waits.HostDMA, 50, 60)
	log.End(first, 60)
	log.Finish(60)
	return log, first
}

// TestRerunServesWhoIsReadyFirst: without its wait for the first engine a packet comes to the
// second one at 11, after the other one, and with that twice as fast at 9, before it. The replay
// that keeps orders lets it wait for the other.
func TestRerunServesWhoIsReadyFirst(t *testing.T) {
	log, last := crossing()
	r := NewRerun(resolved(t, log), Stretch{Last: last, To: 60})
	c := Change{Free: []waits.Resource{waits.SEngine}, Factor: map[waits.Resource]float64{waits.SEngine: 0.5}}
	require.EqualValues(t, 60, newReplay(r.Graph).WhatIf(c, r.of).Length)
	require.Equal(t, Prediction{Length: 7 + 2 + 10, Grants: 1}, r.WhatIf(c))
}

// TestHandlersAnswerWhoComesFirst: a handler is asked by nodes 1 and 2, and a thread waits for
// its second answer.
func TestHandlersAnswerWhoComesFirst(t *testing.T) {
	log := waits.NewLog()
	home := log.Begin(waits.Actor{Type: waits.Handler, Name: "home"}, waits.Interval{Resource: waits.Event, What: waits.Waiting})
	thread := log.Begin(waits.Actor{Type: waits.Process, Node: 2, Name: "thread"}, waits.Interval{Resource: waits.Event, What: waits.Waiting, Instance: 2})
	ask := func(node int32, begin, end int64) waits.ID {
		id := log.Begin(waits.Actor{Kind: trace.PageRequest, Node: node, Span: trace.Span(node)}, waits.Interval{Resource: waits.HostDMA, Instance: node, Begin: begin})
		log.End(id, end)
		return id
	}
	answer := func(to waits.ID, at int64) waits.ID {
		log.Turn(home, waits.Interval{Resource: waits.Event, What: waits.Idle, Begin: at}, to)
		log.Turn(home, waits.Interval{Resource: waits.CPU, Begin: at + 2}, 0)
		reply := log.Begin(waits.Actor{Cause: home, Kind: trace.PageReply, Peer: log.Actors[to].Node, Span: log.Actors[to].Span}, waits.Interval{Resource: waits.Port, Begin: at + 30})
		log.Turn(home, waits.Interval{Resource: waits.Event, What: waits.Waiting, Begin: at + 30}, 0)
		log.End(reply, at+31)
		return reply
	}
	answer(ask(1, 1, 11), 11)
	reply := answer(ask(2, 40, 45), 45)
	log.Turn(thread, waits.Interval{Resource: waits.CPU, Instance: 2, Begin: 76}, reply)
	log.Finish(90)
	r := NewRerun(resolved(t, log), Stretch{Last: thread, To: 90})
	later := Change{Places: map[account.Place]float64{{Resource: waits.HostDMA, Instance: 1}: 10}}
	require.EqualValues(t, 90, r.WhatIf(later).Length, "the second one comes first")
	require.EqualValues(t, 101+30+30+1+14, newReplay(r.Graph).WhatIf(later, r.of).Length)
	slow := Change{Factor: map[waits.Resource]float64{waits.CPU: 2}}
	require.EqualValues(t, 11+2+56+56+1+28, r.WhatIf(slow).Length, "the second one comes while the handler works and needs no interrupt")
}
