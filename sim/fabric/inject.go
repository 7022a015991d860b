package fabric

import (
	"math"

	"github.com/sigview/sigview/sim"
)

// Busy reports whether a packet is still being injected by the node.
func (n *Net) Busy(node int) bool {
	c := &n.ch[node]
	return c.holder != nil && c.end > n.engine.Now()
}

// Leaves returns when the tail of the packet that the node injects, or injected last, leaves. It
// returns Never if Port.Sent reports that end, as after a halt.
func (n *Net) Leaves(node int) sim.Time {
	if c := &n.ch[node]; !c.want {
		return c.end
	}
	return sim.Never
}

// ReportSent makes the fabric call Port.Sent at the end of the packet that the node is injecting,
// as if WantSent had been set.
func (n *Net) ReportSent(node int) {
	c := &n.ch[node]
	c.want = true
	n.arm(c)
}

// Inject starts to send p at time at, now or later, with the rate of the engine. The caller sets
// p.Src, Dst and WireBytes. It panics if the node is still injecting another packet.
func (n *Net) Inject(p *Packet, at sim.Time, rate sim.Rate) {
	now := n.engine.Now()
	if !n.injectable(p) || rate <= 0 || at < now {
		n.refuse(p, at, rate)
	}
	r := &p.route
	route := n.routeOf(int(p.Src), int(p.Dst))
	if n.buffers != nil {
		route = n.buffers.pathOf(p, route, at)
	}
	r.path = n.layout.route(r.path[:0], int(p.Src), int(p.Dst), route)
	into, _ := n.spec.into(p.Dst)
	r.rate = min(rate, n.spec.LinkRate, into)
	r.dur = r.rate.Time(p.WireBytes)
	r.head, r.ahead = 0, false
	r.where = travelling
	p.T3, p.T5 = at, 0
	n.inFlight++
	n.stats.Injected++
	if n.faults.active {
		n.faults.inject(p)
	}
	n.sever(p, at)
	if n.spec.FreeSenders {
		n.injectFree(p, at)
		return
	}
	if n.buffers != nil {
		n.buffers.inject(p, at, rate)
		return
	}
	c := &n.ch[r.path[0]]
	if c.holder != nil {
		if c.end > now || c.want {
			n.fail("node %d injects while its last packet leaves at %v", p.Src, c.end)
		}
		n.logHold(c, c.end)
		n.release(c, c.end)
	}
	n.hold(c, p, noChannel, at)
	n.logMove(p, c, at)
	p.T4 = c.end
	switch {
	case !c.flowing:
		n.logWait(p, c, c, at)
		n.halted(int(p.Src), at)
		return
	case len(r.path) == 1:
		n.engine.At(at, n, opStart, p.ref())
	case n.spec.Uncontended:
		r.head = int16(len(r.path) - 2)
		n.sendHead(p, at.Add(n.hop*sim.Duration(len(r.path)-2)))
	default:
		n.advance(p, at)
	}
	if p.WantSent {
		n.arm(c)
	}
}

// injectFree sends p without holding the node's own channel.
func (n *Net) injectFree(p *Packet, at sim.Time) {
	r := &p.route
	p.T4 = at.Add(r.dur)
	n.logMove(p, &n.ch[r.path[0]], at)
	r.head = int16(max(len(r.path)-2, 0))
	n.sendHead(p, at.Add(n.hop*sim.Duration(r.head)))
	if p.WantSent {
		n.engine.At(p.T4, n, opSent, p.ref())
	}
}

// injectable reports whether source, destination and size of p are within the network's bounds.
func (n *Net) injectable(p *Packet) bool {
	nodes := uint32(len(n.nodes))
	return p.route.used && uint32(p.Src) < nodes && uint32(p.Dst) < nodes && (p.Src != p.Dst || n.spec.Topology.Shape != Cable) &&
		p.WireBytes > 0 && p.WireBytes <= math.MaxInt32 && p.WireBytes >= p.Bytes()
}

// refuse panics with the reason why a packet cannot be injected.
func (n *Net) refuse(p *Packet, at sim.Time, rate sim.Rate) {
	switch {
	case !p.route.used:
		n.fail("node %d injects a packet that has been freed", p.Src)
	case uint(p.Src) >= uint(len(n.nodes)) || uint(p.Dst) >= uint(len(n.nodes)):
		n.fail("packet from node %d to node %d of %d nodes", p.Src, p.Dst, len(n.nodes))
	case p.Src == p.Dst && n.spec.Topology.Shape == Cable:
		n.fail("node %d sends to itself over a cable", p.Src)
	case p.WireBytes <= 0 || p.WireBytes > math.MaxInt32 || p.WireBytes < p.Bytes():
		n.fail("packet of node %d has %d wire bytes and %d bytes of payload", p.Src, p.WireBytes, p.Bytes())
	default:
		n.fail("node %d injects at %v at %d bytes/s", p.Src, at, int64(rate))
	}
}

// sendHead schedules the event of the head's arrival at the switch behind path[head], which it
// enters at start.
func (n *Net) sendHead(p *Packet, start sim.Time) {
	p.route.where = travelling
	p.route.headAt = start.Add(n.hop)
	n.engine.At(p.route.headAt, n, opHead, p.ref())
}

// advance lets the head, entering path[head] at start, go on.
func (n *Net) advance(p *Packet, start sim.Time) {
	if n.stepwise {
		n.sendHead(p, start)
	} else {
		n.express(p, start)
	}
}

// head makes p, whose head is at the switch after path[head], request the next
// channel.
func (n *Net) head(p *Packet) {
	r := &p.route
	in := &n.ch[r.path[r.head]]
	r.head++
	r.ahead = false
	r.since = n.engine.Now()
	if n.spec.Uncontended {
		n.receiveUncontended(p)
		return
	}
	out := n.fed(in)
	if out != nil {
		if out.end <= r.since {
			n.finish(out)
		} else {
			n.yield(out)
		}
		out = n.fed(in)
	}
	if out == nil && in.first == nil {
		n.request(in, p)
		return
	}
	r.where = behind
	n.logWait(p, &n.ch[r.path[r.head]], in, r.since)
	in.crowd.behind = append(in.crowd.behind, p)
	in.backed = true
	if out != nil {
		n.arm(out)
	}
}

// request makes p, first at the input port in, request its next channel.
func (n *Net) request(in *channel, p *Packet) {
	c := &n.ch[p.route.path[p.route.head]]
	n.yield(c)
	if !c.queued {
		if c.holder != nil && c.end <= n.engine.Now() {
			n.finish(c)
		}
		if c.holder == nil {
			n.grant(c, in, p)
			return
		}
	}
	p.route.where = waiting
	n.logWait(p, c, nil, n.engine.Now())
	in.first = p
	w := c.crowd
	w.queue = append(w.queue, in.id)
	c.queued = true
	w.stats.QueueMax = max(w.stats.QueueMax, len(w.queue))
	n.arm(c)
	n.pressure(in)
}

// grant gives channel c to p, which is at input port in.
func (n *Net) grant(c, in *channel, p *Packet) {
	now := n.engine.Now()
	if w := now.Sub(p.route.since); w > 0 {
		p.Waited += w
		s := &c.crowd.stats
		s.Waited++
		s.WaitMax = max(s.WaitMax, w)
	}
	p.route.where = travelling
	in.first = nil
	n.hold(c, p, in.id, now)
	in.feed(c)
	if n.spec.Arbitration == RoundRobin {
		c.crowd.last = in.id
	}
	if c.flowing {
		n.logMove(p, c, now)
		if int(p.route.head) == len(p.route.path)-1 {
			n.receive(p, c)
		} else {
			n.advance(p, now)
		}
	} else {
		n.logWait(p, c, c, now)
	}
	if !c.flowing {
		n.pressure(in)
	} else if in.blocked || in.signal != clear {
		n.relieve(in)
	}
	if in.backed || c.queued {
		n.arm(c)
	}
}

// receive offers p, which holds the last channel c, to the receiver.
func (n *Net) receive(p *Packet, c *channel) {
	if !n.admit(p) {
		p.route.where = refused
		p.route.since = n.engine.Now()
		n.nodes[p.Dst].refused = p
		n.logRefused(p)
		n.stats.Refused++
		n.halt(c, n.engine.Now())
		if c.from == noChannel {
			p.T4 = sim.Never
			n.halted(int(p.Src), n.engine.Now())
		}
		return
	}
	n.flowIn(p, c, n.engine.Now())
}

// admit asks the receiver for room. Packets that the injector drops need none.
func (n *Net) admit(p *Packet) bool {
	if p.route.drop {
		return true
	}
	d := &n.nodes[p.Dst]
	return d.deafTill <= n.engine.Now() && d.port.Accept(p)
}

// flowIn schedules the arrival of p, whose head enters the last wire, of channel c, at start.
func (n *Net) flowIn(p *Packet, c *channel, start sim.Time) {
	p.route.where, p.Accepted = arriving, start
	n.logMove(p, c, start)
	_, delay := n.spec.into(p.Dst)
	p.T5 = max(start.Add(delay+p.route.dur), n.nodes[p.Dst].lastT5)
	if c.signal == open && start > p.route.since { // what has queued up behind it may be shorter
		n.nodes[p.Dst].lastT5 = p.T5
	}
	n.engine.At(p.T5, n, opArrive, p.ref())
}

// HeadIn returns when the first bytes of p, which its receiver accepts now, will be in its memory.
func (n *Net) HeadIn(p *Packet, now sim.Time, bytes int) sim.Time {
	_, delay := n.spec.into(p.Dst)
	return now.Add(delay + p.route.rate.Time(bytes))
}

func (n *Net) receiveUncontended(p *Packet) {
	d := &n.nodes[p.Dst]
	if len(d.parked) > 0 || !n.admit(p) {
		p.route.where = refused
		d.parked = append(d.parked, p)
		n.logRefused(p)
		n.stats.Refused++
		return
	}
	n.flowIn(p, n.lastOf(p), n.engine.Now())
}

// lastOf returns the channel into a packet's receiver.
func (n *Net) lastOf(p *Packet) *channel { return &n.ch[p.route.path[len(p.route.path)-1]] }

// Resume offers the waiting packet to a receiver that refused it and has room now. It does
// nothing if no packet waits.
func (n *Net) Resume(node int) {
	if n.buffers != nil {
		n.buffers.resume(node)
		return
	}
	d := &n.nodes[node]
	now := n.engine.Now()
	for len(d.parked) > 0 && n.admit(d.parked[0]) {
		p := d.parked[0]
		d.parked = append(d.parked[:0], d.parked[1:]...)
		p.Waited += now.Sub(p.route.since)
		n.flowIn(p, n.lastOf(p), now)
		d.lastT5 = p.T5
	}
	p := d.refused
	if p == nil || !n.admit(p) {
		return
	}
	d.refused = nil
	p.Waited += now.Sub(p.route.since)
	c := &n.ch[p.route.path[p.route.head]]
	n.move(c)
	n.flowIn(p, c, now)
}

// arrive hands p to its receiver.
func (n *Net) arrive(p *Packet) {
	n.inFlight--
	p.route.where = travelling // the receiver owns it now
	if p.route.drop {
		n.stats.Dropped++
		if p.route.cut {
			n.stats.Severed++
		}
		n.logLost(p)
		n.faults.forget(p)
		n.Free(p)
		return
	}
	if p.route.errors != 0 {
		n.faults.corrupt(p, &n.stats)
		if p.Hit && !p.CRCError {
			n.nodes[p.Dst].misled++
		}
	}
	n.stats.Delivered++
	n.stats.DeliveredBytes += uint64(p.WireBytes)
	n.nodes[p.Dst].port.Arrived(p)
}
