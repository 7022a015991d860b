package clock

import (
	"fmt"
	"math"
)

// Converter maps the registers of all nodes to global time on one node.
type Converter struct {
	plan
	node    int
	shift   uint // 64 - width of the register
	started bool
	last    uint64 // own ticks when Interpolate was called last
	peers   []peer
	own     anchor
	near    [nearMost]tangent // the anchors used last, by the low bits of the node's number
	shared  *Curves
	minima  []minima // of sender 0; on node 0 of every sender
	stale   uint64
}

// peer is what a converter knows of a node's clock. The curve is nil and the global tick 0 before
// the first table. The tangent is computed when needed: with many nodes that costs less than its
// memory.
type peer struct {
	curve *curve
	now   int64
}

// tangent is the anchor of a curve at a global tick.
type tangent struct {
	peer
	anchor
}

const never = math.MinInt64

// nearMost is how many anchors a converter keeps, a power of two.
const nearMost = 8

// noAnchor stands for the anchor of a clock that is not known.
var noAnchor = anchor{bound: Unbounded}

// NewConverter returns node's converter.
func NewConverter(p Protocol, node int) (*Converter, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if node < 0 || node >= p.Nodes {
		return nil, fmt.Errorf("clock: converter of node %d: want 0 to %d", node, p.Nodes-1)
	}
	c := &Converter{plan: p.plan(), node: node, shift: uint(64 - p.WidthBits)}
	c.peers = make([]peer, p.Nodes)
	for i := range c.peers {
		c.peers[i].now = never
	}
	c.peers[0].curve = &curve{err0: subtick}
	c.own = noAnchor
	if c.filtered {
		c.minima = make([]minima, 1)
		if node == 0 {
			c.minima = make([]minima, p.Nodes)
		}
	}
	return c, nil
}

// signed returns the distance from b to the register value a, taking the
// shorter way round.
func (c *Converter) signed(a, b uint64) int64 { return int64((a-b)<<(c.shift&63)) >> (c.shift & 63) }

// Extend returns this node's 64-bit count for a register value read at most a
// quarter of the register's range before or after the last Interpolate.
func (c *Converter) Extend(counter uint64) uint64 {
	if !c.started {
		return counter
	}
	return c.last + uint64(c.signed(counter, c.last))
}

// extend is Extend for another node's register.
func (c *Converter) extend(node int, counter uint64) uint64 {
	a := c.anchor(node)
	return a.local + uint64(c.signed(counter, a.local))
}

// Ready reports whether node's registers can be converted.
func (c *Converter) Ready(node int) bool { return c.anchor(node).bound != Unbounded }

// anchor returns the anchor of node's clock, which is valid until the next call.
func (c *Converter) anchor(node int) *anchor {
	if node == c.node {
		return &c.own
	}
	t := &c.near[node&(nearMost-1)]
	if p := &c.peers[node]; t.curve != p.curve || t.now != p.now {
		if p.now == never {
			return &noAnchor
		}
		*t = tangent{*p, p.curve.anchor(p.now, c.stride)}
	}
	return &t.anchor
}

// Share makes the converter keep the curves that it adopts in s, with those of other nodes.
func (c *Converter) Share(s *Curves) { c.shared = s }

// Stale returns how many entries Adopt has skipped because they were not newer.
func (c *Converter) Stale() uint64 { return c.stale }

// Interpolate extends the present register to 64 bits and moves every node's anchor to
// now. It is due every [Protocol.InterpolatePs]. A late call makes conversions slower but
// not less precise, as long as the register has not passed half of its range in between.
func (c *Converter) Interpolate(counter uint64) {
	now, ok := c.mark(counter)
	if !ok {
		return
	}
	for i := range c.peers {
		c.move(i, now)
	}
}

// mark records the present register and returns the global tick; ok is false until the
// node's own clock is known.
func (c *Converter) mark(counter uint64) (now int64, ok bool) {
	c.last = c.Extend(counter)
	c.started = true
	own := c.peers[c.node].curve
	if own == nil {
		return 0, false
	}
	now = int64(c.last) - own.offset>>FracBits
	if c.Ready(c.node) {
		global, _ := c.Convert(c.node, counter)
		now = global >> FracBits
	}
	// A line through a point a few ticks off is the same line.
	for range 2 {
		now = c.settle(c.node, c.last, now)
	}
	return now, true
}

// move moves a node's anchor, if its clock is known, to global tick now.
func (c *Converter) move(node int, now int64) {
	p := &c.peers[node]
	if p.curve == nil {
		return
	}
	p.now = now
	if node == c.node {
		c.own = p.curve.anchor(now, c.stride)
	}
}

// settle improves the guess of the global tick at which node counted local.
func (c *Converter) settle(node int, local uint64, guess int64) int64 {
	a := c.peers[node].curve.anchor(guess, c.stride)
	return guess + int64(local-a.local)
}

// Convert returns the global time, in subticks, at which node's register showed counter,
// and a bound of its error, in subticks. The bound includes the register's truncation to
// whole ticks. The register must have been read within a quarter of its range of now.
// Without a table the bound is [Unbounded].
func (c *Converter) Convert(node int, counter uint64) (global, bound int64) {
	a := c.anchor(node)
	d := c.signed(counter, a.local)
	if c.far(d) {
		return c.convertFar(node, a.local+uint64(d))
	}
	return a.at(d), a.bound
}

// far reports whether a count is so far from its anchor that the bound does not hold: after the
// next stride, or two strides before.
func (c *Converter) far(d int64) bool { return uint64(d+2*c.stride) > uint64(3*c.stride) }

// convertFar converts a count far from its anchor.
func (c *Converter) convertFar(node int, local uint64) (global, bound int64) {
	if !c.Ready(node) {
		return 0, Unbounded
	}
	a := *c.anchor(node)
	now := a.global>>FracBits + int64(local-a.local)
	for range 2 {
		now = c.settle(node, local, now)
	}
	a = c.peers[node].curve.anchor(now, c.stride)
	return a.at(int64(local - a.local)), a.bound
}

// Latency returns the time from the instant when sender's register showed
// sent to the one when this node's showed received, and a bound of its error,
// both in subticks.
func (c *Converter) Latency(sender int, sent, received uint64) (latency, bound int64) {
	a := c.anchor(sender)
	d3, d5 := c.signed(sent, a.local), c.signed(received, c.own.local)
	if a.bound == Unbounded || c.own.bound == Unbounded {
		return 0, Unbounded
	}
	if c.far(d3) || c.far(d5) {
		t3, b3 := c.Convert(sender, sent)
		t5, b5 := c.Convert(c.node, received)
		return t5 - t3, b3 + b5
	}
	return c.own.at(d5) - a.at(d3), a.bound + c.own.bound
}

// Observes reports whether Observe needs packets from sender.
func (c *Converter) Observes(sender int) bool { return c.filtered && (sender == 0 || c.node == 0) }

// Observe gives a data packet to the estimator: the registers at its start and arrival,
// the latency that [Converter.Latency] returned, and the ticks that a packet of its length
// takes without load. Nominal may be wrong by a constant that is the same in both
// directions. Cristian ignores the packet.
func (c *Converter) Observe(sender int, sent, received uint64, latency, nominal int64) {
	if !c.Observes(sender) || sender == c.node || !c.Ready(sender) || c.own.bound == Unbounded {
		return
	}
	d := c.signed(received, c.own.local)
	now := c.own.at(d)
	if c.far(d) {
		now, _ = c.Convert(c.node, received)
	}
	m := &c.minima[sender]
	if p := m.offer(now, latency-nominal<<FracBits, c.window<<FracBits); p != nil {
		*p = Point{Sent: c.extend(sender, sent), Received: c.Extend(received) - uint64(nominal)}
	}
}

// Reply returns the answer to a query that was noticed when the register showed
// received. The firmware sets Sent to [Converter.Extend] of the register as the
// reply's injection starts.
func (c *Converter) Reply(q Query, received uint64) Reply {
	r := Reply{Round: q.Round, Node: uint32(c.node), Received: c.Extend(received)}
	if !c.started {
		c.last, c.started = r.Received, true // the first table may come after the register's wrap
	}
	r.Sent = r.Received
	if c.filtered {
		points, n := c.minima[0].take()
		r.Points, r.Count = points, uint32(n)
	}
	return r
}

// Adopt stores entries of a table when the register shows counter; a packet may carry
// only a part of a table. Entries that are not newer than the known ones are counted and
// skipped. If an entry is out of range, Adopt returns an error and stores none.
func (c *Converter) Adopt(entries []Entry, counter uint64) error {
	for _, e := range entries {
		if err := e.check(c.nodes); err != nil {
			return err
		}
	}
	all := !c.Ready(c.node) // entries adopted before the node's own have no anchors
	for _, e := range entries {
		p := &c.peers[e.Node]
		if p.curve != nil && int64(e.Epoch) <= p.curve.epoch {
			c.stale++
			continue
		}
		var v curve
		if c.filtered {
			v = filtered(e)
		} else {
			v = cristian(p.curve, e, &c.plan)
		}
		p.curve = c.shared.keep(int(e.Node), &v)
	}
	if all {
		c.Interpolate(counter)
		return nil
	}
	// A table of many nodes takes several packets: entries that this one lacks
	// stay as they are.
	if now, ok := c.mark(counter); ok {
		for _, e := range entries {
			c.move(int(e.Node), now)
		}
		c.move(0, now)
		c.move(c.node, now)
	}
	return nil
}

func filtered(e Entry) curve {
	return curve{
		epoch: int64(e.Epoch), offset: e.Offset, rate: e.Rate, bend: e.Bend,
		err0: int64(e.Error) + subtick, err1: int64(e.Error1), err2: int64(e.Error2),
	}
}
