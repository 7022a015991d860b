package verbs

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/comm/verbs/dcqcn"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Build installs the layer on a card, which has to be one of pipelines.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	if !card.Spec().Pipelined {
		return nil, fmt.Errorf("verbs: the card has a processor with a main loop, want ni.pipelined")
	}
	n := &Node{
		nic: card, spec: *s, traits: s.Traits(), nodes: nodes,
		contexts: newCache(s.Contexts, s.CacheWays), pages: newCache(s.Translations, s.CacheWays), atomics: map[word]*ring.Ring[*incoming]{},
	}
	for range s.Card.Units {
		x := &sender{}
		x.unit = card.NewUnit(x)
		n.senders = append(n.senders, x)
		n.receivers = append(n.receivers, &receiver{})
	}
	card.Load(n)
	return n, nil
}

// Traits returns the properties of the layer.
func (n *Node) Traits() *comm.Traits { return n.traits }

// Process gives a process access to the card. Its packets carry the tag.
func (n *Node) Process(space *host.Space, tag trace.Tag) *Process {
	p := &Process{
		Process: library.NewProcess(n.traits, space, tag, n.nic.ID(), n.nodes),
		node:    n, number: len(n.processes), peers: make([]*Pair, n.nodes), pages: map[uint64]*cached{},
	}
	n.processes = append(n.processes, p)
	return p
}

// Connect connects two processes of different nodes by a new pair of queues, of which it returns both
// ends. It takes no simulated time: connections are made before a program is measured.
func Connect(a, b *Process) (*Pair, *Pair) {
	x, y := a.pair(int32(b.Node())), b.pair(int32(a.Node()))
	x.other, y.other = y.number, x.number
	x.end, y.end = y, x
	return x, y
}

func (p *Process) pair(peer int32) *Pair {
	n := p.node
	q := &Pair{process: p, node: n, number: uint32(len(n.pairs)), peer: peer, into: -1}
	q.context.number = uint64(q.number)
	if d := n.spec.DCQCN; d != nil && peer != anyone {
		q.congestion = &congestion{pace: dcqcn.NewSender(d, n.nic.Net().Spec().LinkRate)}
	}
	q.unit = len(n.pairs) % len(n.senders)
	n.pairs = append(n.pairs, q)
	return q
}

// Reset replaces a pair, which may have failed, and its other end by new ones between the same processes. What is
// outstanding at either end is flushed, and packets of the old pair that are still on their way are not taken. Deposits and
// messages between the processes go on with the new pair if they went by the old one. As Connect it takes no simulated time.
func (q *Pair) Reset() *Pair {
	e := q.node.nic.Engine()
	e.At(e.Now(), (*ending)(q), 0, 0)
	e.At(e.Now(), (*ending)(q.end), 0, 0)
	q.successor, q.end.successor = Connect(q.process, q.end.process)
	for _, end := range []*Pair{q, q.end} {
		if at := &end.process.peers[end.peer]; *at == end {
			*at = end.successor
		}
	}
	return q.successor
}

// ending is a pair that another one has replaced.
type ending Pair

// Act ends it.
func (x *ending) Act(uint32, uint64) {
	q := (*Pair)(x)
	q.node.nic.Step()
	q.fail("its program has reset it")
	q.tries = 0
	q.node.nic.End()
}

// Pair returns the pair of deposits and messages to a node, or nil.
func (p *Process) Pair(node int) *Pair { return p.peers[node] }

// join returns the pair for deposits and messages to a process of another node.
func (p *Process) join(peer *Process) *Pair {
	if q := p.peers[peer.Node()]; q != nil && q.end.process == peer {
		return q
	}
	p.peers[peer.Node()], peer.peers[p.Node()] = Connect(p, peer)
	return p.peers[peer.Node()]
}

// Quiet reports whether the node has nothing in flight.
func (n *Node) Quiet() bool {
	for _, q := range n.pairs {
		if q.err == nil && (q.done < q.posted || q.replies.Len() > 0 || q.out > 0) {
			return false
		}
	}
	return n.doorbells.Len() == 0 && len(n.ins) == len(n.inFree)
}

// Stats returns the counters.
func (n *Node) Stats() Stats {
	s := n.stats
	s.ContextHit, s.ContextMiss, s.PageHit, s.PageMiss = n.contexts.hits, n.contexts.misses, n.pages.hits, n.pages.misses
	return s
}

// Traffic returns the counts of sent and rejected packets.
func (n *Node) Traffic() comm.Traffic {
	s := &n.stats
	return comm.Traffic{Packets: s.Packets, Acks: s.Acks, Nacks: s.Naks, Repeated: s.Repeated, Damaged: s.Damaged}
}

// Counts returns the counts of packets that were refused or sent again, and of entries of queue pairs
// that have failed.
func (n *Node) Counts() []comm.Count {
	s := &n.stats
	all := []comm.Count{
		{Name: "damaged", N: s.Damaged}, {Name: "duplicates", N: s.Duplicates}, {Name: "out of order", N: s.OutOfOrder},
		{Name: "not ready", N: s.NotReady}, {Name: "marked", N: s.Marked}, {Name: "repeated", N: s.Repeated}, {Name: "timeouts", N: s.Timeouts},
		{Name: "flushed", N: n.nic.Stats().Flushed}, {Name: "refused", N: s.Refused}, {Name: "failed", N: s.Failed, Loss: true},
	}
	if s.Lost > 0 {
		all = append(all, comm.Count{Name: "datagrams without a buffer", N: s.Lost, Loss: true})
	}
	return all
}

// Silent returns the peers that have not answered since packets to them were sent again.
func (n *Node) Silent() (all []comm.Silence) {
	for _, q := range n.pairs {
		if q.tries > 0 {
			all = append(all, comm.Silence{Peer: int(q.peer), Again: q.tries, GivenUp: q.err != nil})
		}
	}
	return all
}
