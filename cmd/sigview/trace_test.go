package main

import (
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// fakeAccount is of a process that waits for the second of two packets, which waits for
// the engine while the first has it.
func fakeAccount() *account.Account {
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
	a, err := account.Resolve(l)
	if err != nil {
		panic(err)
	}
	return a
}

// fakeRecords are of a page fetch: the request, and the reply, whose transfer waits for
// another one's.
func fakeRecords() (packets []trace.PacketRow, spans []trace.SpanRow, steps []trace.StepRow) {
	some := trace.Some[int64]
	packet := func(kind trace.Kind, number, sender, receiver int64, t1, t6 int64) {
		packets = append(packets, trace.PacketRow{
			Kind: kind.String(), Span: 1, Number: number, Sender: sender, Receiver: receiver, SizeBytes: 72, First: true, Inline: trace.Some(false),
			T1Ns: some(t1), TakenNs: some(t1), T2Ns: some(t1 + 5000), T3Ns: some(t1 + 6000), T4Ns: some(t1 + 8000), T5Ns: some(t1 + 10000), T6Ns: some(t6),
		})
	}
	packet(trace.PageRequest, 1, 0, 1, 3000, 18000)
	packet(trace.PageReply, 1, 1, 0, 50000, 90000)
	spans = []trace.SpanRow{{Span: 1, Operation: string(trace.OpPageFetch), EndNs: 100000, DurationNs: 100000, Packets: 2}}
	step := func(name trace.Step, node, begin, end int64) {
		steps = append(steps, trace.StepRow{Span: 1, Operation: string(trace.OpPageFetch), Order: int64(len(steps)), Step: string(name), Node: node, BeginNs: begin, DurationNs: end - begin})
	}
	step(trace.StepTrap, 0, 0, 2000)
	step(trace.StepRequest, 0, 2000, 18000)
	step(trace.StepQueue, 1, 18000, 40000)
	step(trace.StepHandler, 1, 40000, 48000)
	step(trace.StepReply, 1, 48000, 90000)
	step(trace.StepNotice, 0, 90000, 91000)
	step(trace.StepResume, 0, 91000, 100000)
	return packets, spans, steps
}
