package main

import (
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// fakeAccount is of a process that waits for the second of two packets, which waits for
// the engine while the first has it.
func fakeAccount() *causal.Account {
	const us = 1e6
	l := waits.NewLog()
	sender := l.Begin(waits.Actor{Type: waits.Process, Name: "program 0", Peer: -1, Number: -1}, waits.Interval{Resource: waits.CPU})
	receiver := l.Begin(waits.Actor{Type: waits.Process, Name: "program 1", Node: 1, Peer: -1, Number: -1}, waits.Interval{Resource: waits.Event, What: waits.Waiting, Instance: 1})
	packet := func(n, from int64) waits.ID {
		id := l.Begin(waits.Actor{Kind: trace.Message, Tag: 1, Peer: 1, Size: 4096, Number: n, Cause: sender},
			waits.Interval{Resource: waits.HostDMA, What: waits.Waiting, Begin: n * us})
		l.Turn(id, waits.Interval{Resource: waits.HostDMA, Begin: from}, 0)
		l.Hold(waits.Hold{Resource: waits.HostDMA, Actor: id, Begin: from, End: from + 40*us})
		l.End(id, from+40*us)
		return id
	}
	packet(1, 1*us)
	last := packet(2, 41*us)
	l.Turn(receiver, waits.Interval{Resource: waits.CPU, Instance: 1, Begin: 81 * us}, last)
	l.End(sender, 3*us)
	l.End(receiver, 100*us)
	a, err := causal.Resolve(l)
	if err != nil {
		panic(err)
	}
	return a
}
