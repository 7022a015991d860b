package causal

import (
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// ownChain is the number of packets back to which a chain of messages is followed.
const ownChain = 4

// own reports whether the wait in piece i, or in a line the given part of it, is for work of the actor's
// own chain of messages: another packet of its message, the process that reads that message, a packet
// before it in the chain or the acknowledgement of one, a process that has just woken it, or a task of
// the interface. A program with one message in flight has such waits too, so they are no contention.
func (t *tally) own(i int32, part *account.Rooted) bool {
	p, id := t.Pieces[i], t.owner[i]
	if p.Line {
		p = part.Piece
	}
	h := p.Holder
	// Loss and a full ring are no work of a chain: those waits count as contention.
	if h == 0 || p.Resource == waits.Timer || p.Resource == waits.Ring {
		return false
	}
	holder, self := &t.Actors[h], &t.Actors[id]
	switch {
	// The interface works at times of its own.
	case holder.Type == waits.Task:
		return true
	// A process may be in the way because the actor has just woken it, or because it reads the actor's message.
	case !holder.Type.IsPacket():
		return p.Resource == waits.CPU && wokenBy(t.Crowd.Account, id, p.Begin) == h || t.handles(h, id, p.Begin)
	case !self.Type.IsPacket() && p.Resource == waits.Window:
		return false
	// The process waits for a packet of the message that it handles.
	case !self.Type.IsPacket():
		return t.handles(id, h, p.Begin)
	// Two packets of one message.
	case holder.Cause == self.Cause && holder.Begin == self.Begin:
		return true
	}
	// id goes back along the chain. It meets the holder, or the packet that the holder answers as well.
	cause := parent(t.Crowd.Account, h)
	for range ownChain {
		if id == h || id != 0 && id == cause {
			return true
		}
		if id = parent(t.Crowd.Account, id); id == 0 {
			return false
		}
	}
	return false
}

// handles reports whether a process was last woken, before an instant, by another packet of the
// message of a packet.
func (t *tally) handles(process, packet waits.ID, at int64) bool {
	by := wokenBy(t.Crowd.Account, process, at)
	if by == 0 || !t.Actors[packet].Type.IsPacket() || !t.Actors[by].Type.IsPacket() {
		return false
	}
	return t.Actors[by].Cause == t.Actors[packet].Cause && parent(t.Crowd.Account, by) == parent(t.Crowd.Account, packet)
}

// parent returns the packet that made a packet begin: its cause, or the packet that has last
// woken the process which is its cause. 0: none.
func parent(a *account.Account, id waits.ID) waits.ID {
	x := &a.Actors[id]
	if !x.Type.IsPacket() {
		return 0
	}
	if x.Cause == 0 || a.Actors[x.Cause].Type.IsPacket() {
		return x.Cause
	}
	by := wokenBy(a, x.Cause, x.Begin)
	if a.Actors[by].Type == waits.Handler {
		by = wokenBy(a, by, x.Begin) // by what the handler has served
	}
	if by == 0 || !a.Actors[by].Type.IsPacket() {
		return 0
	}
	return by
}

// wokenBy returns who has ended the last wait of a process for others up to an instant. 0:
// none is known.
func wokenBy(a *account.Account, process waits.ID, at int64) waits.ID {
	for i := a.At(process, at); i >= a.First[process]; i-- {
		if p := &a.Pieces[i]; p.What == waits.Waiting && p.Resource == waits.Event && p.End <= at && p.Holder != 0 {
			return p.Holder
		}
	}
	return 0
}
