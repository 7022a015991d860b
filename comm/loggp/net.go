package loggp

import (
	"errors"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/fast"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// New returns a network with these costs, for layers with these traits.
func New(e *sim.Engine, p *fast.Params, traits *comm.Traits) (*Net, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	t := *traits
	t.Multicasts = false
	return &Net{engine: e, params: p, costs: fast.NewCosts(p), traits: &t}, nil
}

// Layer adds a node.
func (n *Net) Layer(frames *host.Frames) *Layer {
	l := &Layer{net: n, node: len(n.layers), frames: frames}
	n.layers = append(n.layers, l)
	return l
}

// Traits returns the properties of the layer that this one stands for. Its interface has no
// multicast.
func (l *Layer) Traits() *comm.Traits { return l.net.traits }

// Open fails: the layer's own functions are not there.
func (l *Layer) Open(*host.Space, trace.Tag) (comm.Endpoint, error) {
	return nil, errors.New("loggp: there are deposits only, no functions of layer " + l.net.traits.Name)
}

// Quiet reports whether nothing that the node has sent is in flight.
func (l *Layer) Quiet() bool { return l.inFlight == 0 }

// Counts returns nothing: no message is lost or refused.
func (l *Layer) Counts() []comm.Count { return nil }

// Silent returns nothing: every message arrives.
func (l *Layer) Silent() []comm.Silence { return nil }

// Traffic returns how many messages were sent; packets are not told apart.
func (l *Layer) Traffic() comm.Traffic { return comm.Traffic{Packets: l.sent} }

// Events of a layer; the argument is a message.
const (
	opTaken  = iota // its own interface has taken it
	opArrive        // at this node
	opStored        // in the memory of this node, or in its queue
)

// claim returns a free message.
func (n *Net) claim() uint32 {
	if k := len(n.free); k > 0 {
		i := n.free[k-1]
		n.free = n.free[:k-1]
		return i
	}
	n.messages = append(n.messages, message{})
	return uint32(len(n.messages) - 1)
}

// leave hands a message to the interface of its sender.
func (l *Layer) leave(i uint32) {
	n := l.net
	m := &n.messages[i]
	taken, arrives := l.link.leave(n.engine.Now(), m.to.port.layer.node, n.costs.At(m.bytes))
	l.sent++
	l.inFlight++
	m.uses = 1
	if m.done != nil {
		m.uses = 2
		n.engine.At(taken, l, opTaken, uint64(i))
	}
	n.engine.At(arrives, m.to.port.layer, opArrive, uint64(i))
}

// Act executes an event.
func (l *Layer) Act(op uint32, arg uint64) {
	n := l.net
	m := &n.messages[arg]
	switch op {
	case opTaken:
		m.done.Done()
		n.drop(uint32(arg))
	case opArrive:
		if at := l.link.land(n.engine.Now(), n.costs.At(m.bytes)); at > n.engine.Now() {
			n.engine.At(at, l, opStored, arg)
			return
		}
		l.stored(uint32(arg))
	case opStored:
		l.stored(uint32(arg))
	}
}

func (l *Layer) stored(i uint32) {
	m := &l.net.messages[i]
	l.net.layers[m.from].inFlight--
	if p := m.to.port; l.net.params.Polled {
		p.queue.Push(i)
		p.arrived()
		return
	}
	l.net.deliver(i)
}

// deliver stores a message in memory and tells its region.
func (n *Net) deliver(i uint32) {
	m := n.messages[i] // more messages may be sent meanwhile
	m.to.take(&m)
	n.drop(i)
}

func (n *Net) drop(i uint32) {
	m := &n.messages[i]
	if m.uses--; m.uses == 0 {
		m.to, m.done = nil, nil
		n.free = append(n.free, i)
	}
}
