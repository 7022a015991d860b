package vmmc

import (
	"slices"

	"github.com/sigview/sigview/trace/waits"
)

// slotTaken notes that a message has a send slot, so that Blocks can name the oldest that has one.
func (n *Node) slotTaken(m *message) { n.slotted = append(n.slotted, m) }

// slotFreed notes that a message has given its send slot back.
func (n *Node) slotFreed(m *message) {
	if len(n.slotted) == 1 {
		n.slotted = n.slotted[:0]
	} else if i := slices.Index(n.slotted, m); i >= 0 {
		n.slotted = slices.Delete(n.slotted, i, i+1)
	}
}

// Blocks implements ni.Blocker: a message stalls, is being cut into packets, or is the
// oldest one with a slot.
func (n *Node) Blocks() waits.ID {
	switch {
	case n.Ready():
		return 0
	case len(n.stalled) > 0:
		return n.stalled[0].posted.Last()
	case n.active >= n.most:
		return n.slotted[0].posted.Last()
	}
	if n.eligible() < 0 {
		if l := n.link((*n.queue.At(0)).peer); l.unacked > 0 {
			return n.outs[l.first].Actor
		}
		return 0
	}
	return n.order[len(n.order)-1].posted.Last()
}
