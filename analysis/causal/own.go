package causal

import "github.com/sigview/sigview/trace/waits"

// ownChain is how many packets back a chain of messages is followed.
const ownChain = 4

// own reports whether a wait is for work that the actor's own chain of messages makes:
// another packet of its message, a packet before it in the chain or the acknowledgement of
// one, or a task of the interface. A program with one message in flight has such waits too,
// so they are no contention.
func (t *tally) own(i int32) bool {
	p, id := &t.Pieces[i], t.owner[i]
	h := p.Holder
	if h == 0 || p.Resource == waits.Timer || p.Resource == waits.Ring {
		return false
	}
	holder, self := &t.Actors[h], &t.Actors[id]
	switch {
	case holder.Type == waits.Task:
		return true
	case !holder.Type.IsPacket():
		return false
	case holder.Cause == self.Cause && holder.Begin == self.Begin:
		return true
	}
	parent := t.parent(h)
	for range ownChain {
		if id == h || id != 0 && id == parent {
			return true
		}
		if id = t.parent(id); id == 0 {
			return false
		}
	}
	return false
}

// parent returns the packet that made an actor begin: its cause, or the packet that has last
// woken the process which is its cause. 0: none.
func (t *tally) parent(id waits.ID) waits.ID {
	cause, at := id, t.Actors[id].Begin
	if x := &t.Actors[id]; x.Type.IsPacket() {
		if cause = x.Cause; cause == 0 || t.Actors[cause].Type.IsPacket() {
			return cause
		}
	} else {
		return 0
	}
	for i := t.Account.at(cause, at); i >= t.first[cause]; i-- {
		p := &t.Pieces[i]
		if p.What == waits.Waiting && p.Resource == waits.Event && p.End <= at && p.Holder != 0 {
			if t.Actors[p.Holder].Type.IsPacket() {
				return p.Holder
			}
			return 0
		}
	}
	return 0
}
