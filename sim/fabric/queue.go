package fabric

import (
	"github.com/sigview/sigview/internal/bitset"
	"github.com/sigview/sigview/sim"
)

// Switches with buffers. A packet takes one channel after another as in wormhole switching, but
// it waits in the buffer of a switch, as a whole, in the queue of the channel that it leaves by. So a channel carries
// whole packets: once one has begun nothing halts it, and the channel's end is known. A packet
// has one event at each switch, when the switch has looked at its head; a channel has one
// at the end of a packet only if something waits for that.

func (n *Net) addBuffers() error {
	b := &buffers{net: n, spec: n.spec.Buffer, ports: make([]port, len(n.ch)), marks: n.engine.Stream("fabric/marks"), drops: n.engine.Stream("fabric/drops"), flows: map[FlowKey]*FlowStats{}}
	for i := range b.ports {
		p, id := &b.ports[i], int32(i)
		p.from, p.to = n.layout.ends(id)
		p.reverse = n.reverse(id)
		p.credits.free = int64(n.spec.Buffer.InputBytes)
		if most := int(max(p.from, p.to)); most >= len(b.switches) {
			b.switches = append(b.switches, make([]store, most+1-len(b.switches))...)
		}
		if p.from != noSwitch {
			p.spot = uint32(len(b.switches[p.from].outputs))
			b.switches[p.from].outputs = append(b.switches[p.from].outputs, id)
		}
		if p.to != noSwitch {
			p.place = uint32(len(b.switches[p.to].inputs))
			b.switches[p.to].inputs = append(b.switches[p.to].inputs, id)
		}
	}
	for i := range b.switches { // the headroom of all ports is apart
		s := &b.switches[i]
		s.busy, s.pausing = bitset.New(len(s.outputs)), bitset.New(len(s.inputs))
		for _, id := range s.outputs {
			b.ports[id].waiting = make([]int32, len(s.inputs))
		}
		s.room = int64(b.spec.SwitchBytes - n.layout.ports()*b.spec.Headroom)
	}
	n.buffers = b
	if b.spec.Control == Lossy {
		return nil
	}
	return checkWays(n.layout, len(n.nodes), len(n.ch))
}

// reverse returns the channel in the other direction of the same link.
func (n *Net) reverse(c int32) int32 {
	switch nodes := int32(len(n.nodes)); {
	case len(n.ch) == len(n.nodes) || c >= 2*nodes:
		return n.layout.opposite(c)
	case c < nodes:
		return c + nodes
	default:
		return c - nodes
	}
}

func (b *buffers) act(op uint32, arg uint64) {
	n := b.net
	switch op {
	case opEnter:
		if p := n.deref(arg); p != nil && p.route.headAt == n.engine.Now() {
			b.enter(p)
		}
	case opServe:
		b.ports[arg].armed = false
		b.serve(int32(arg))
	case opCredit:
		b.serve(int32(arg))
	case opPause:
		b.pause(int32(arg>>1), arg&1 != 0)
	case opStorm:
		b.storm(int32(arg>>1), arg&1 != 0)
	case opBegin:
		if p := n.deref(arg); p != nil {
			b.hand(p)
		}
	case opVanish:
		if p := n.deref(arg); p != nil {
			n.Free(p)
		}
	default:
		n.fail("unknown operation %d", op)
	}
}

// inject sends p along its path from time at on. Its node keeps it if the channel is paused,
// without credits, or if the receiver at the end of a cable has no room.
func (b *buffers) inject(p *Packet, at sim.Time, rate sim.Rate) {
	n, r := b.net, &p.route
	c := &n.ch[r.path[0]]
	if p.WireBytes > b.spec.LargestPacket {
		n.fail("node %d injects %d bytes, more than the largest packet of %d", p.Src, p.WireBytes, b.spec.LargestPacket)
	}
	if c.holder != nil {
		if c.end > n.engine.Now() || c.want {
			n.fail("node %d injects while its last packet leaves at %v", p.Src, c.end)
		}
		n.logHold(c, c.end)
		c.holder = nil
	}
	if len(r.path) > 1 {
		r.rate = min(rate, n.spec.LinkRate)
		r.dur = r.rate.Time(p.WireBytes)
	}
	b.take(c, p, noChannel, at)
	c.want = p.WantSent
	p.T4 = c.end
	switch {
	case len(r.path) == 1:
		n.engine.At(at, n, opBegin, p.ref())
	case !b.clear(c.id, p, at):
		b.keep(c, at)
		return
	default:
		b.depart(p, at)
	}
	if p.WantSent {
		n.arm(c)
	}
}

// depart schedules the next switch's look at the head of p, which enters path[head] at start. If p
// arrives more slowly than it will be sent, the switch looks late enough that its output never runs
// dry.
func (b *buffers) depart(p *Packet, start sim.Time) {
	n, r := b.net, &p.route
	r.where = travelling
	r.headAt = start.Add(n.hop)
	rate := n.spec.LinkRate
	if int(r.head)+2 == len(r.path) {
		into, _ := n.spec.into(p.Dst)
		rate = min(rate, into)
	}
	if rate != r.rate {
		next := rate.Time(p.WireBytes)
		// The next link is faster than the packet arrives: its last byte must be there when it is sent.
		r.headAt = r.headAt.Add(max(0, r.dur-next))
		r.rate, r.dur = rate, next
	}
	n.engine.At(r.headAt, n, opEnter, p.ref())
}

// enter moves p into the output queue of its next channel, or drops it if the switch has no room.
// It is forwarded at once if the output is idle.
func (b *buffers) enter(p *Packet) {
	n, r := b.net, &p.route
	in := r.path[r.head]
	r.head++
	id := r.path[r.head]
	r.since, r.headAt = n.engine.Now(), sim.Never
	b.settle(id)
	out, c := &b.ports[id], &n.ch[id]
	if !b.admit(in, id, p.WireBytes) {
		c.crowd.stats.Overflowed++
		n.stats.Overflowed++
		b.flow(p).Overflowed++
		b.drop(p)
		return
	}
	if b.spec.ECN != nil {
		b.mark(out, p, &c.crowd.stats)
	}
	// Bytes count from the decision about room until the tail has left, not only while queued.
	out.bytes += int64(p.WireBytes)
	out.highest = max(out.highest, out.bytes)
	r.where = waiting
	// An idle output needs no event. While an input of the switch is off, events keep pauses exact.
	idle := out.queue.Len() == 0 && c.holder == nil && out.wire <= r.since && !out.notice && b.switches[out.from].off == 0
	if idle && b.clear(id, p, r.since) {
		b.forward(id, p)
		return
	}
	out.queue.Push(p)
	out.waiting[b.ports[in].place]++
	b.stand(id, p, r.since)
	if idle {
		b.logHalted(id)
	} else {
		b.serve(id)
	}
	if r.where == waiting {
		c.crowd.stats.QueueMax = max(c.crowd.stats.QueueMax, out.queue.Len())
		b.logQueued(p, id)
	}
}

// serve sends what is due on a free channel: a pause frame first, then the front of the output
// queue.
func (b *buffers) serve(id int32) {
	n, out, c := b.net, &b.ports[id], &b.net.ch[id]
	if out.from == noSwitch {
		b.letGo(c)
		return
	}
	if s := &b.switches[out.from]; s.off > 0 {
		b.sweep(s) // a pause may end, of which this channel has to tell first
	}
	b.settle(id)
	switch now := n.engine.Now(); {
	case c.holder != nil || out.wire > now:
		b.armIfAwaited(id)
	case out.notice:
		b.sendPause(id)
	case out.queue.Len() == 0:
	case b.clear(id, *out.queue.At(0), now):
		b.forward(id, b.pop(out))
	default:
		b.logHalted(id)
	}
}

// pop takes the front of an output queue.
func (b *buffers) pop(out *port) *Packet {
	p := out.queue.Pop()
	out.waiting[b.ports[p.route.path[p.route.head-1]].place]--
	return p
}

// clear reports whether p may enter a channel that no other packet holds: whether the receiver has
// room, the channel is not paused, or there are credits, which it then spends.
func (b *buffers) clear(id int32, p *Packet, at sim.Time) bool {
	out := &b.ports[id]
	switch {
	case out.to == noSwitch:
		return b.spec.Control == Lossy || b.received(id, p)
	case b.spec.Control == Credits:
		return b.spend(id, int64(p.WireBytes), at)
	}
	return !out.halted
}

// forward sends p, the front of an output queue, and records how long it has waited.
func (b *buffers) forward(id int32, p *Packet) {
	n, out, c := b.net, &b.ports[id], &b.net.ch[id]
	r, now := &p.route, n.engine.Now()
	if w := now.Sub(r.since); w > 0 {
		p.Waited += w
		s := &c.crowd.stats
		s.Waited++
		s.WaitMax = max(s.WaitMax, w)
		b.stood(id, p)
	}
	from := r.path[r.head-1]
	b.take(c, p, from, now)
	b.logBarrier(id, 0)
	if b.spec.Control == Credits {
		// The room is free when the tail leaves; the credit then crosses the wire back.
		b.restore(from, int64(p.WireBytes), c.end.Add(n.spec.WireDelay))
	}
	if out.to == noSwitch {
		b.hand(p)
	} else {
		b.depart(p, now)
	}
	b.armIfAwaited(id)
}

// armIfAwaited schedules the end of a channel's packet if something depends on it: a queue, a pause
// frame, or an input that is off and waits for the room.
func (b *buffers) armIfAwaited(id int32) {
	if out := &b.ports[id]; out.queue.Len() > 0 || out.notice || b.switches[out.from].off > 0 {
		b.arm(id)
	}
}

// hand lets p, which holds the channel into its receiver, flow into it. The receiver is asked for
// room first if packets can be dropped, or at the end of a cable.
func (b *buffers) hand(p *Packet) {
	n := b.net
	c := n.lastOf(p)
	switch {
	case b.spec.Control == Lossy:
		if !n.admit(p) {
			c.crowd.stats.Unreceived++
			n.stats.Unreceived++
			b.flow(p).Unreceived++
			b.drop(p)
			return
		}
	case c.from == noChannel && !b.received(c.id, p):
		b.keep(c, n.engine.Now())
		return
	}
	n.flowIn(p, c, n.engine.Now())
}

// received reports whether the receiver of p has room for it. If not, the output halts until
// resume.
func (b *buffers) received(id int32, p *Packet) bool {
	n, out := b.net, &b.ports[id]
	switch {
	case out.granted:
		out.granted = false
		return true
	case out.halted:
		return false // until resume
	case n.admit(p):
		return true
	}
	n.stats.Refused++
	n.nodes[p.Dst].refused = p
	b.halt(id)
	return false
}

// resume offers a receiver with new room the packet that it refused, and restarts the output.
func (b *buffers) resume(node int) {
	d := &b.net.nodes[node]
	p := d.refused
	if p == nil || !b.net.admit(p) {
		return
	}
	d.refused = nil
	id := b.net.lastOf(p).id
	b.ports[id].granted = true
	b.unhalt(id)
	b.serve(id)
}

// settle releases a switch's channel if the tail of its packet has left, and gives back the room.
func (b *buffers) settle(id int32) {
	n, c := b.net, &b.net.ch[id]
	if c.holder == nil || c.end > n.engine.Now() {
		return
	}
	n.logHold(c, c.end)
	c.holder = nil
	out := &b.ports[id]
	b.switches[out.from].busy.Remove(out.spot)
	out.bytes -= int64(c.bytes)
	// Only now does the room of the packet in the switch become free, maybe long after its tail left.
	b.leave(c.from, int64(c.bytes))
}

// take gives a channel to p at a time.
func (b *buffers) take(c *channel, p *Packet, from int32, at sim.Time) {
	c.take(p, from, at)
	if out := &b.ports[c.id]; out.from != noSwitch {
		b.switches[out.from].busy.Add(out.spot)
	}
	if b.net.log != nil {
		c.crowd.actor = p.Actor
		b.net.logMove(p, c, at)
	}
}

// arm schedules the event that serves a channel when it is free.
func (b *buffers) arm(id int32) {
	out, c := &b.ports[id], &b.net.ch[id]
	if out.armed {
		return
	}
	at := out.wire
	if c.holder != nil {
		at = max(at, c.end)
	}
	out.armed = true
	b.net.engine.At(at, b.net, opServe, uint64(id))
}

// keep holds back a packet at its node: it was to leave at a time, and its channel is halted.
func (b *buffers) keep(c *channel, at sim.Time) {
	p := c.holder
	// What remains to be sent is all of it; its time on the channel does not count while it is kept.
	p.route.rate, p.route.dur = c.rate, c.end.Sub(c.start)
	c.held -= p.route.dur
	c.flowing, c.crowd.halt, c.end = false, at, sim.Never
	p.T4, p.route.headAt = sim.Never, sim.Never
	p.route.where = waiting
	if p.WantHalted {
		c.want = true
	}
	b.stand(c.id, p, at)
	b.logKept(c, p, at)
}

// letGo lets the kept packet of a node's channel leave, if nothing halts the channel any more.
func (b *buffers) letGo(c *channel) {
	n, p := b.net, c.holder
	if p == nil || c.flowing {
		return
	}
	at := max(n.engine.Now(), c.start)
	if !b.clear(c.id, p, at) {
		return
	}
	c.crowd.stats.Halted += at.Sub(c.crowd.halt)
	b.stood(c.id, p)
	c.flowing, c.mark = true, at
	c.end = at.Add(p.route.dur)
	c.held += c.end.Sub(c.start)
	p.T4 = c.end
	n.logMove(p, c, at)
	if c.want {
		n.arm(c)
	}
	if b.ports[c.id].to == noSwitch {
		n.flowIn(p, c, at)
	} else {
		b.depart(p, at)
	}
}

// drop counts p as lost for want of room. It is freed one packet time later, when its tail has left
// the sender.
func (b *buffers) drop(p *Packet) {
	n := b.net
	n.inFlight--
	n.stats.Dropped++
	n.nodes[p.Dst].lacking++
	n.logLost(p)
	n.faults.forget(p)
	// The sender still injects it: its tail comes one packet time after its head.
	n.engine.After(p.route.dur, n, opVanish, p.ref())
}

// count adds a port's longest queue, and a pause that goes on, to the statistics of its channel.
func (b *buffers) count(i int, s *ChannelStats) {
	out := &b.ports[i]
	s.QueueBytes = out.highest
	if out.halted {
		s.Paused += b.net.engine.Now().Sub(out.since)
	}
}
