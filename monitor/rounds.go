package monitor

import (
	"fmt"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// rounds is node 0's part of the clock protocol: it queries all nodes and sends
// the resulting table to all of them.
type rounds struct {
	*GlobalClock
	coordinator *clock.Coordinator
	begun       uint32
	next        sim.Time // when the next round begins
	giveUp      sim.Time // when the open round ends without the missing replies
	asked       int      // nodes that have been sent the open round's query
	overdue     bool     // a round waits for the end of the previous one
	exchange    int      // cycles to exchange a node's record with host memory
	table       broadcast
	ended       func(round uint32)
}

// broadcast sends the table of the last round to all nodes, part by part, in
// bursts.
type broadcast struct {
	rest   []clock.Entry // still to be sent
	to     int           // next node to get the first part of rest
	resume sim.Time      // when the next burst begins
	pause  sim.Duration  // between two bursts
}

// replyLimit is how long node 0 waits for the replies of a round: longer than
// the network may block a packet.
const replyLimit = 200 * sim.Millisecond

// RoundBytes returns how many bytes node 0 sends in a round of a protocol: a query and the table to
// each other node.
func RoundBytes(p clock.Protocol) int {
	words := p.Words()
	return (p.Nodes - 1) * (2*clockHeaderBytes + 4*(words.Query+words.Table(p.Nodes)))
}

// newRounds makes node 0 the coordinator. If its records of all clocks do not
// fit into SRAM, they are in host memory, and for each reply the processor
// waits for the transfer of one record in both directions.
func newRounds(c *GlobalClock) (*rounds, error) {
	r := &rounds{GlobalClock: c, giveUp: sim.Never}
	r.table.resume = sim.Never
	p, s := &c.protocol, c.nic.Spec()
	var err error
	if r.coordinator, err = clock.NewCoordinator(*p, c.converter); err != nil {
		return nil, err
	}
	record := p.CoordinatorBytes()
	all := record * (p.Nodes - 1)
	if all > c.nic.SRAM().Free()/2 { // the rest is for others
		us := 2*s.HostDMASetupUs + float64(record)/s.HostDMAToNIMBps + float64(record)/s.HostDMAToHostMBps
		r.exchange = int(us * 1e-6 * float64(s.ClockHz))
		all = record
	}
	if err := c.nic.SRAM().Reserve("clock records", all); err != nil {
		return nil, fmt.Errorf("clock on node %d: %w", c.nic.ID(), err)
	}
	r.table.pause = 2 * crowd * sim.MBps(s.NetDMAMBps).Time(s.BufferBytes)
	return r, nil
}

// due returns when the rounds next have work, or sim.Never.
func (r *rounds) due() sim.Time { return min(r.next, r.giveUp, r.table.resume) }

// run performs the work that is due now.
func (r *rounds) run(now sim.Time) {
	if now >= r.giveUp {
		r.stats.Partial++
		r.end()
	}
	if now >= r.table.resume {
		r.spread()
	}
	if now >= r.next {
		r.begin(now)
	}
}

// begin begins a round, unless the previous one must end first.
func (r *rounds) begin(now sim.Time) {
	if open := r.coordinator.Outstanding() > 0; open && r.many() || len(r.table.rest) > 0 {
		r.overdue, r.next = true, sim.Never
		return
	} else if open {
		r.stats.Partial++
		r.end()
	}
	q := r.coordinator.Begin()
	r.begun++
	r.next = now.Add(sim.Duration(r.protocol.Gap(r.begun)))
	r.giveUp = now.Add(r.patience())
	r.asked = 0
	for r.asked < min(crowd, r.protocol.Nodes-1) {
		r.ask(q)
	}
}

// patience returns how long node 0 waits for a reply.
func (r *rounds) patience() sim.Duration {
	if r.many() {
		return replyLimit
	}
	return min(replyLimit, sim.Duration(r.protocol.Gap(r.begun))/2)
}

// ask sends the open round's query to the next node.
func (r *rounds) ask(q clock.Query) {
	r.asked++
	r.words = r.protocol.AppendQuery(r.words[:0], q)
	r.send(trace.ClockQuery, r.asked)
}

// replied processes a reply, observed at the given time, and continues the
// round.
func (r *rounds) replied(reply clock.Reply, at sim.Time) {
	r.nic.Spend(r.cost.ClockTake + r.exchange)
	if !r.coordinator.Replied(reply, r.counter(at)) {
		return
	}
	switch {
	case r.coordinator.Outstanding() == 0:
		r.end()
	case r.asked < r.protocol.Nodes-1:
		r.ask(clock.Query{Round: r.coordinator.Round()})
		r.giveUp = r.nic.Now().Add(r.patience())
	}
}

// end ends the open round and begins to send its table, if it goes to all nodes.
func (r *rounds) end() {
	r.giveUp = sim.Never
	entries := r.coordinator.End(r.counter(r.nic.Now()))
	if r.coordinator.Round() < r.protocol.FirstTable() {
		r.adopt(entries)
		r.done()
		return
	}
	r.table.rest, r.table.to = entries, 1
	r.spread()
}

// spread sends one burst of the table of the last round, part by part to all
// nodes. Node 0 adopts a part after sending it to all others.
func (r *rounds) spread() {
	t := &r.table
	t.resume = sim.Never
	per := max(1, r.protocol.Words().Entries(r.nic.Spec().BufferBytes-clockHeaderBytes))
	for sent := 0; len(t.rest) > 0; {
		part := t.rest[:min(per, len(t.rest))]
		for ; t.to < r.protocol.Nodes; t.to++ {
			if sent == crowd {
				t.resume = r.nic.Now().Add(t.pause)
				r.arm()
				return
			}
			r.words = r.protocol.AppendTable(r.words[:0], r.coordinator.Round(), part)
			r.send(trace.ClockTable, t.to)
			sent++
		}
		r.adopt(part)
		t.rest, t.to = t.rest[len(part):], 1
	}
	r.done()
}

// done reports that the round has ended.
func (r *rounds) done() {
	r.stats.Rounds++
	if r.ended != nil {
		r.ended(r.coordinator.Round())
	}
	if r.overdue {
		r.overdue, r.next = false, r.nic.Now()
		r.arm()
	}
}
