package ni

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Log makes the interface record in l, from now on, what packets wait for.
func (n *NIC) Log(l *waits.Log) {
	n.attend()
	n.log = l
}

// Logs reports whether the interface has a log.
func (n *NIC) Logs() bool { return n.log != nil }

// ledger is what an interface keeps for its log.
type ledger struct {
	worker  waits.ID // for whom the running handler works
	since   sim.Time // from when
	blocker waits.ID // of the message that keeps requests from being taken up
	blocks  sim.Time // from when
	taken   sim.Time // when the running handler has taken up a request, or 0
	sendOf  sim.Time // since when the S engine belongs to a packet
	left    waits.ID // packet whose insertion has ended, until the processor handles that
	noter   waits.ID // a task that has the S engine until it has noted the end of a packet
	noted   sim.Time // from when
	tasks   [numTasks]waits.ID
}

// task is work of the processor for no packet.
type task uint8

const (
	taskClock task = iota
	taskTimer
	taskMonitor
	taskTrace
	numTasks
)

var taskNames = [...]string{"clock", "timer", "binning", "trace"}

// Blocker is a Program that knows what keeps it from taking up a request.
type Blocker interface {
	// Blocks returns the packet, made last, of the message in progress because of which
	// Ready is false, and 0 if it is true.
	Blocks() waits.ID
}

// Posted is a request that the host has posted. Each of its packets is made from it.
type Posted struct {
	Seen sim.Time // by the processor: T1 of its packets
	log  *posting // or nil
}

// posting is what the log of waiting keeps of a request.
type posting struct {
	at, taken sim.Time
	by        waits.ID // the process
	next      waits.ID // the packet that is made next
	last      waits.ID // the one before
	lost      bool     // something of it was, and is sent again after a timeout
}

// Last returns the packet that has been made last, or is being made.
func (m *Posted) Last() waits.ID {
	switch {
	case m.log == nil:
		return 0
	case m.log.next != 0:
		return m.log.next
	}
	return m.log.last
}

// Tail returns the request again, for packets that travel with the next packet of this one.
func (m *Posted) Tail() *Posted {
	if m.log == nil {
		return &Posted{Seen: m.Seen}
	}
	return &Posted{Seen: m.Seen, log: &posting{at: m.log.at, taken: m.log.taken, by: m.log.by, last: m.Last()}}
}

func (n *NIC) posted(seen sim.Time) Posted {
	if n.log == nil {
		return Posted{Seen: seen}
	}
	return Posted{Seen: seen, log: &posting{at: n.engine.Now(), by: n.log.Acting()}}
}

// interval returns the beginning of an interval at the cursor.
func (n *NIC) interval(r waits.Resource, w waits.What) waits.Interval {
	return waits.Interval{Resource: r, What: w, Instance: int32(n.id), Begin: int64(n.cur)}
}

func (n *NIC) hold(r waits.Resource, id waits.ID, begin, end sim.Time) {
	n.log.Hold(waits.Hold{Resource: r, Instance: int32(n.id), Actor: id, Begin: int64(begin), End: int64(end)})
}

// enter begins a handler at the time now.
func (n *NIC) enter(now sim.Time) {
	if n.log != nil {
		n.worker, n.since = 0, now
	}
}

// works records that the processor works for id from the cursor on. The first id of a handler has
// it from the handler's begin.
func (n *NIC) works(id waits.ID) {
	if n.log == nil || id == n.worker {
		return
	}
	if n.worker != 0 {
		if !n.free.Processor {
			n.hold(waits.Processor, n.worker, n.since, n.cur)
		}
		n.since = n.cur
		n.rests(n.worker, id)
	}
	n.worker = id
	n.log.Act(id)
}

// Serves records that the processor serves an actor from the cursor on. If the actor waited for an
// event, its turn or room, the actor served before has ended that wait.
func (n *NIC) Serves(id waits.ID) {
	if n.log != nil {
		n.logServes(id)
	}
}

func (n *NIC) logServes(id waits.ID) {
	by := waits.ID(0)
	if r := n.log.Present(id).Resource; r == waits.Event || r == waits.Order || r == waits.Window {
		by = n.worker
	}
	i := n.interval(waits.Processor, waits.Service)
	if n.worker == 0 {
		i.Begin = int64(n.since)
	}
	n.works(id)
	n.log.Turn(id, i, by)
}

// does records that the processor works for no packet.
func (n *NIC) does(t task) {
	if n.log == nil {
		return
	}
	if n.tasks[t] == 0 {
		a := waits.Actor{Type: waits.Task, Node: int32(n.id), Peer: -1, Number: -1, Name: taskNames[t]}
		n.tasks[t] = n.log.Begin(a, n.interval(waits.Event, waits.Idle))
	}
	n.Serves(n.tasks[t])
}

// handles records whose event a handler serves. What a host DMA has ended is served later.
func (n *NIC) handles(s source, ev *event) {
	switch s {
	case srcServiceTimer:
		n.does(taskClock)
	case srcTimer:
		n.does(taskTimer)
	case srcSent:
		n.left = 0
		n.Serves(ev.actor)
	case srcService, srcReceived, srcControl:
		n.Serves(ev.packet.Actor)
	}
}

// idle does a piece of deferred work.
func (n *NIC) idle() {
	if n.log != nil && n.probe.Deferred() {
		n.does(taskMonitor)
	}
	n.probe.Idle()
}

// rests records that the processor stops working for id and turns to next. A task ends or becomes
// idle. A packet that has not gone on waits for the processor, or, at the end of a handler, for an
// event.
func (n *NIC) rests(id, next waits.ID) {
	a := &n.log.Actors[id]
	switch {
	case !n.servedHere(id):
	case a.Type == waits.Task && a.Cause != 0:
		n.noteEnds()
		n.log.End(id, int64(n.cur))
	case a.Type == waits.Task:
		n.log.Turn(id, n.interval(waits.Event, waits.Idle), 0)
	case next != 0:
		n.log.Turn(id, n.interval(waits.Processor, waits.Waiting), 0)
	default:
		n.log.Turn(id, n.interval(waits.Event, waits.Waiting), 0)
	}
}

// servedHere reports whether an actor is at this processor, or waits for it.
func (n *NIC) servedHere(id waits.ID) bool {
	now := n.log.Present(id)
	return now.Actor != 0 && now.Resource == waits.Processor && now.Instance == int32(n.id)
}

// noting begins a task of its own for handling the end of p's insertion: p itself is on the
// network.
func (n *NIC) noting(p *fabric.Packet) waits.ID {
	if n.log == nil || p.Actor == 0 {
		return 0
	}
	a := n.log.Actors[p.Actor]
	a.Type, a.Name, a.Cause = waits.Task, "insertion noted", p.Actor
	i := n.interval(waits.Processor, waits.Waiting)
	i.Begin = int64(n.engine.Now())
	id := n.log.Begin(a, i)
	if n.sendQueue.Len() == 0 && !n.free.NetDMA && !n.free.Processor {
		n.noter, n.noted = id, n.engine.Now() // what the handler sends comes after it
	}
	return id
}

// noteEnds records that the S engine is free for the next packet.
func (n *NIC) noteEnds() {
	n.hold(waits.SEngine, n.noter, n.noted, n.cur)
	n.noter = 0
}

// leave ends a handler at the cursor.
func (n *NIC) leave() {
	n.works(0)
	if b, ok := n.program.(Blocker); ok {
		at := n.cur
		if n.taken != 0 { // a message has its slot from the begin of the handler that takes it up
			at, n.taken = n.taken, 0
		}
		id := b.Blocks()
		if id == n.left {
			id = 0 // only the processor is in the way
		}
		n.block(id, max(at, n.blocks))
	}
}

// block records that from time at on actor id keeps requests from being taken up; 0: nobody does.
func (n *NIC) block(id waits.ID, at sim.Time) {
	if id != n.blocker {
		n.hold(waits.Slot, n.blocker, n.blocks, at)
		n.blocker, n.blocks = id, at
	}
}

// Take records that a request is taken up.
func (n *NIC) Take(m *Posted) {
	if n.log != nil {
		n.logTake(m)
	}
}

func (n *NIC) logTake(m *Posted) {
	n.taken = n.since
	if m.log != nil {
		m.log.taken = n.since
		n.logNext(m)
	}
}

// Next records that the processor makes the next packet of a request.
func (n *NIC) Next(m *Posted) {
	if n.log != nil && m.log != nil {
		n.logNext(m)
	}
}

func (n *NIC) logNext(m *Posted) {
	n.comes(m)
	n.Serves(m.log.next)
}

// comes begins the actor of the next packet of a request, unless there is one. It has waited since
// the request was posted, and after the first packet for the one before.
func (n *NIC) comes(m *Posted) {
	l := m.log
	if l.next != 0 {
		return
	}
	i := n.interval(waits.Request, waits.Waiting)
	i.Begin = int64(l.at)
	l.next = n.log.Begin(waits.Actor{Node: int32(n.id), Peer: -1, Number: -1, Cause: l.by}, i)
	switch {
	case l.lost:
		i = n.interval(waits.Timer, waits.Waiting)
		i.Begin, l.lost = int64(l.taken), false
		n.log.Turn(l.next, i, 0)
	case l.last != 0:
		i = n.interval(waits.Order, waits.Waiting)
		i.Begin, i.By = int64(l.taken), l.last
		n.log.Turn(l.next, i, 0)
	}
}

// NoRoom records that the next packet of a request finds no room.
func (n *NIC) NoRoom(m *Posted) {
	if n.log == nil || m.log == nil {
		return
	}
	n.comes(m)
	if n.log.Present(m.log.next).Resource != waits.Window {
		n.log.Turn(m.log.next, n.interval(waits.Window, waits.Waiting), 0)
	}
}

// identify names the actor of a record. A copy waits for the packet with which it travels.
func (n *NIC) identify(r *Record, m *Posted) {
	if m.log == nil {
		return
	}
	l := m.log
	r.Actor, l.next = l.next, 0
	if r.Actor == 0 {
		i := n.interval(waits.Order, waits.Waiting)
		i.By = l.last
		r.Actor = n.log.Begin(waits.Actor{Node: int32(n.id), Number: -1, Cause: l.last}, i)
	} else {
		l.last = r.Actor
	}
	a := &n.log.Actors[r.Actor]
	a.Tag, a.Kind, a.Span, a.Peer, a.Size = r.Meta.Tag, r.Meta.Kind, r.Meta.Span, r.Peer, r.Bytes
}

// InOrder records that a packet waits for its turn, which the next Send ends.
func (n *NIC) InOrder(r *Record) {
	if n.log != nil {
		n.logInOrder(r)
	}
}

func (n *NIC) logInOrder(r *Record) {
	n.log.Turn(r.Actor, n.interval(waits.Order, waits.Waiting), 0)
}

// Acts makes a packet the acting one while the host sees its effects, and returns the actor before.
func (n *NIC) Acts(id waits.ID) waits.ID { return n.log.Act(id) }

// stored records that the host can see a packet, which stays until it is dropped.
func (n *NIC) stored(p *fabric.Packet) {
	p.Landed = true
	n.log.Turn(p.Actor, n.interval(waits.Event, waits.Idle), 0)
}

// Answer begins a packet of the interface itself: the answer to what it works for.
func (n *NIC) Answer(k trace.Kind, peer int32) waits.ID {
	if n.log == nil {
		return 0
	}
	return n.logAnswer(k, peer)
}

func (n *NIC) logAnswer(k trace.Kind, peer int32) waits.ID {
	return n.log.Begin(waits.Actor{Type: waits.Control, Kind: k, Node: int32(n.id), Peer: peer, Number: -1}, n.interval(waits.SEngine, waits.Waiting))
}

// queued records that a packet waits for the S engine. One that is sent again while
// the first is on its way or delivered is another actor.
func (n *NIC) queued(p *fabric.Packet, r *Record) {
	if r != nil {
		p.Actor = r.Actor
	}
	again := p.Header.Flags&FlagRepeated != 0 && n.log.Present(p.Actor).Resource != waits.Timer && (r == nil || !r.Anew)
	if r == nil && p.Actor == 0 || again {
		p.Actor = n.Answer(p.Header.Meta.Kind, p.Dst)
	}
	if !n.sending && n.sendQueue.Len() == 0 {
		n.noteEnds()
		n.sendOf = n.cur
	}
	by := waits.ID(0)
	if r := n.log.Present(p.Actor).Resource; r == waits.Order || r == waits.Timer {
		by = n.worker
	}
	i := n.interval(waits.SEngine, waits.Waiting)
	i.Line = n.spec.Pipelined // those of other cards have few packets ahead
	n.log.Turn(p.Actor, i, by)
}

// numbered records the number that the monitor has given a packet.
func (n *NIC) numbered(p *fabric.Packet, r *Record) {
	if n.log != nil && r != nil && p.Actor != 0 && p.Header.Flags&FlagRecorded != 0 && r.Number != NoNumber {
		n.log.Actors[p.Actor].Number = int64(r.Number)
	}
}

// inserted records that the S engine has finished with p. The next packet has it and
// waits for the processor.
func (n *NIC) inserted(p *fabric.Packet) {
	if n.log == nil {
		return
	}
	now := n.engine.Now()
	if !n.free.NetDMA {
		n.hold(waits.SEngine, p.Actor, n.sendOf, now)
	}
	n.left = p.Actor
	if p.Actor != 0 && p.Actor == n.blocker {
		n.block(0, now)
	}
	if n.sendQueue.Len() > 0 {
		n.sendOf = now
		n.log.Turn((*n.sendQueue.At(0)).packet.Actor, waits.Interval{Resource: waits.Processor, What: waits.Waiting, Instance: int32(n.id), Begin: int64(now)}, 0)
	}
}

// actor returns for whom a host DMA is.
func (d *DMA) actor() waits.ID {
	switch {
	case d.byHost:
		return d.starter
	case d.Record != nil:
		return d.Record.Actor
	case d.Packet != nil:
		return d.Packet.Actor
	case d.About != nil, d.For != 0:
		return d.starter
	}
	return d.nic.tasks[taskTrace]
}

// resource returns what the log calls a transfer.
func (d *DMA) resource() waits.Resource {
	if d.For != 0 {
		return d.Of
	}
	return waits.HostDMA
}

// fetches records that the processor starts or queues d. A packet whose deposit is under way, or waits, stays there
// while the transfer is queued that tells of it.
func (n *NIC) fetches(d *DMA) {
	if d.About != nil && d.For == 0 && n.log.Present(d.actor()).Resource == waits.HostDMA {
		n.works(d.actor())
		return
	}
	if d.Owner != nil && d.About == nil && d.For == 0 && d.Record == nil && d.Packet == nil {
		n.does(taskTrace)
	} else {
		n.Serves(d.actor())
	}
}

// turns records that the processor starts d, which has waited. A process that has started
// one goes on by itself.
func (n *NIC) turns(d *DMA) {
	if d.byHost {
		n.works(d.starter)
		return
	}
	n.Serves(d.actor())
}

// waits records that d waits for its engine. The log has one H engine for each node: of
// two, it says here who is in the way, and not by holds.
func (n *NIC) waits(d *DMA, e *engine) {
	i := n.interval(waits.HostDMA, waits.Waiting)
	if n.spec.HostEngines > 1 {
		i.By = e.last
	}
	n.log.Turn(d.actor(), i, 0)
}

// holdsHost records that d has had the H engine, of a card with one.
func (n *NIC) holdsHost(d *DMA, end sim.Time) {
	if n.spec.HostEngines < 2 {
		n.hold(waits.HostDMA, d.actor(), d.begun, end)
	}
}

// begins records that the H engine works for d from a time on.
func (n *NIC) begins(d *DMA, from sim.Time) {
	d.begun = from
	d.flow.Owner = uint32(d.actor())
	if !d.byHost {
		n.log.Turn(d.actor(), n.interval(d.resource(), waits.Service), 0)
	}
}

// flowed records that the bytes of d have been moved: it waits for the processor.
func (n *NIC) flowed(d *DMA) {
	if d.byHost || n.log.Present(d.actor()).Resource != d.resource() {
		return // a packet that is already being sent
	}
	now := n.engine.Now()
	if n.ordered {
		n.log.Turn(d.actor(), waits.Interval{Resource: waits.IOBus, What: waits.Waiting, Instance: int32(n.id), By: d.behind, Begin: int64(now.Add(-d.waited))}, 0)
	} else {
		n.host.Lost(d.actor(), &d.flow, now)
	}
	n.log.Turn(d.actor(), waits.Interval{Resource: waits.Processor, What: waits.Waiting, Instance: int32(n.id), Begin: int64(now)}, 0)
}

// notices records that the processor has noticed the end of d: the engine is free.
func (n *NIC) notices(d *DMA) {
	if n.log != nil && !n.free.HostDMA {
		n.holdsHost(d, n.cur)
	}
}

// ends records that the processor handles the end of d, whose packet may be on its way.
func (n *NIC) ends(d *DMA) {
	if id := d.actor(); n.servedHere(id) {
		n.Serves(id)
	} else {
		n.works(id)
	}
}

// arrived records that a packet is in SRAM.
func (n *NIC) arrived(p *fabric.Packet) {
	n.log.Turn(p.Actor, waits.Interval{Resource: waits.Processor, What: waits.Waiting, Instance: int32(n.id), Begin: int64(n.engine.Now())}, 0)
}

// dropped records that a packet has left the receive ring: it is in host memory, or lost.
func (n *NIC) dropped(p *fabric.Packet) {
	at := n.engine.Now()
	if n.worker != 0 {
		at = n.cur
	}
	n.hold(waits.Ring, p.Actor, p.Accepted, at)
	if p.Landed {
		n.log.End(p.Actor, int64(at))
	} else {
		n.log.Lose(p.Actor, int64(at), p.Src)
	}
}

// Forget ends a lost packet that its sender need not send again.
func (n *NIC) Forget(r *Record) {
	if n.log.Present(r.Actor).Resource == waits.Timer {
		n.log.End(r.Actor, int64(n.cur))
	}
}

// Close records what is held at the end of the log.
func (n *NIC) Close() {
	now := n.engine.Now()
	n.block(0, now)
	for _, d := range n.moving {
		n.holdsHost(d, now)
	}
}
