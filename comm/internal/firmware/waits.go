package firmware

import (
	"slices"

	"github.com/sigview/sigview/trace/waits"
)

// slotTaken notes that a packet has a slot, so that Blocks can name the oldest that has one.
func (p *Program) slotTaken(o *outgoing) { p.slotted = append(p.slotted, o) }

// slotFreed notes that a packet has given its slot back.
func (p *Program) slotFreed(o *outgoing) {
	if i := slices.Index(p.slotted, o); i >= 0 {
		p.slotted = slices.Delete(p.slotted, i, i+1)
	}
}

// Blocks implements ni.Blocker: a request is being cut into packets, all slots are taken,
// or the next request's data came with it and that of an earlier one is being fetched. It
// does not tell who keeps the layer from sending.
func (p *Program) Blocks() waits.ID {
	switch {
	case p.current != nil:
		return p.current.posted.Last()
	case len(p.slotted) == 0:
		return 0
	case !p.slot():
		return p.slotted[0].Actor
	case p.fetches > 0 && len(p.queue.requests) > 0 && p.queue.requests[0].fetch(p.queue.requests[0].Bytes) == 0:
		return p.slotted[len(p.slotted)-1].Actor
	}
	return 0
}
