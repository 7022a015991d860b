package clock

import "fmt"

type state uint8

const (
	idle state = iota
	queried
	replied
)

type pending struct {
	state state
	probe probe
	reply Reply
}

// Counts counts failures in rounds.
type Counts struct {
	Stale  uint64 // replies that are repeated, unrequested or of another round
	Absurd uint64 // replies with impossible times
	Lost   uint64 // nodes without a reply when a round ended
}

// Coordinator runs rounds on node 0.
type Coordinator struct {
	plan
	own         *Converter
	round       uint32
	pending     []pending
	outstanding int
	trackers    []tracker
	counts      Counts
}

// NewCoordinator returns the coordinator that shares node 0 with own, node 0's
// converter for the same protocol.
func NewCoordinator(p Protocol, own *Converter) (*Coordinator, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if own.node != 0 || own.nodes != p.Nodes || own.filtered != (p.Estimator == Filtered) {
		return nil, fmt.Errorf("clock: coordinator's converter is node %d of %d: want node 0 of %d with estimator %s",
			own.node, own.nodes, p.Nodes, p.Estimator)
	}
	c := &Coordinator{plan: p.plan(), own: own}
	c.pending = make([]pending, p.Nodes)
	c.trackers = make([]tracker, p.Nodes)
	for i := range c.trackers {
		if c.filtered {
			c.trackers[i] = newFilter(&c.plan)
		} else {
			c.trackers[i] = &midpoint{plan: &c.plan, best: newSmallest()}
		}
	}
	return c, nil
}

// Begin starts the next round and returns the query to send to every node.
func (c *Coordinator) Begin() Query {
	c.round++
	clear(c.pending)
	c.outstanding = c.nodes - 1
	return Query{Round: c.round}
}

// Round returns the number of the round begun last, from 1.
func (c *Coordinator) Round() uint32 { return c.round }

// Outstanding returns how many nodes have not replied in the round begun last,
// 0 once it has ended.
func (c *Coordinator) Outstanding() int { return c.outstanding }

// Counts returns the failures so far.
func (c *Coordinator) Counts() Counts { return c.counts }

// Queried records that the injection of a query to node starts when the register shows counter. The
// last call counts: earlier ones may be of a query from a previous round.
func (c *Coordinator) Queried(node int, counter uint64) {
	if node <= 0 || node >= c.nodes {
		panic(fmt.Sprintf("clock: round %d queries node %d of %d", c.round, node, c.nodes))
	}
	if p := &c.pending[node]; p.state != replied {
		*p = pending{state: queried, probe: probe{t0: c.own.Extend(counter)}}
	}
}

// Replied processes a reply noticed at counter. A reply of another round, or an
// impossible one, is counted and gives false.
func (c *Coordinator) Replied(r Reply, counter uint64) bool {
	if r.Node == 0 || int(r.Node) >= c.nodes || r.Round != c.round || c.pending[r.Node].state != queried {
		c.counts.Stale++
		return false
	}
	p := &c.pending[r.Node]
	q := p.probe
	q.t1, q.received, q.sent = c.own.Extend(counter), r.Received, r.Sent
	if !c.filtered {
		q.sent = q.received // a reply of Cristian carries one time
	}
	if q.t1 < q.t0 || q.t1 > maxTicks || q.sent < q.received || q.sent > maxTicks || q.roundTrip() < 0 || r.Count > replyPoints {
		c.counts.Absurd++
		return false
	}
	p.state, p.probe, p.reply = replied, q, r
	c.outstanding--
	return true
}

// End ends the round at counter and returns the entries to publish, in the order of nodes.
// A node that did not reply has an entry only if the estimator has new data for it.
func (c *Coordinator) End(counter uint64) []Entry {
	now := c.own.Extend(counter)
	c.counts.Lost += uint64(c.outstanding)
	entries := make([]Entry, 0, c.nodes-1)
	for node := 1; node < c.nodes; node++ {
		p := &c.pending[node]
		var back [replyPoints]Point
		n := 0
		if c.filtered {
			back, n = c.own.minima[node].take()
		}
		if p.state == replied {
			c.trackers[node].probe(p.probe, p.reply.Points[:p.reply.Count], back[:n])
		}
		p.state = idle
		if e, ok := c.trackers[node].entry(node, now); ok {
			entries = append(entries, e)
		}
	}
	c.outstanding = 0
	return entries
}
