package sampled

import (
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// New returns a Net that calls edge before the first message, and then before the one of each number that edge returns.
// Edge says whether messages from then on go in full. The number must be higher than the last one.
func New(edge func(sent uint64, now sim.Time) (full bool, next uint64)) *Net { return &Net{edge: edge} }

// Sent returns how many messages have been sent.
func (n *Net) Sent() uint64 { return n.sent }

// Pairs returns how many pairs of a sender and a receiver have exchanged messages, each direction on its own.
func (n *Net) Pairs() int { return n.pairs }

// Around returns the port of a node's process over its port of the full layer and its fast layer.
func (n *Net) Around(node int, full deposit.Port, fast deposit.Native, tag trace.Tag) deposit.Port {
	p := &port{Port: full, fast: fast.OpenPort(full.Space(), tag), net: n, node: node}
	if p.Polled() {
		p.fast.Attend(func() {
			if !p.waiting.Wake() {
				p.waiting.Alarm()
			}
		})
	}
	if r, ok := full.(deposit.Redirector); ok {
		return &redirecting{p, r}
	}
	return p
}

// count gives the next message its number.
func (n *Net) count(now sim.Time) {
	if n.sent == n.next {
		n.full, n.next = n.edge(n.sent, now)
	}
	n.sent++
}
