package svm

import (
	"fmt"

	"github.com/sigview/sigview/trace"
)

// lock is a node's state of one lock. Ownership is a token that stays with its
// last owner until another node requests it. The manager, node id mod N,
// records the last requester and forwards each request to that node. The
// waiting queue is therefore a chain with at most one successor per node.
type lock struct {
	// Invariant: of all nodes one has the token, or a grant with it is on its way. held implies token.
	last  int32 // at the manager: the last requester
	token bool
	held  bool
	next  *successor
}

// successor is the node to which the lock goes next, with the vector time of its request: the grant has the
// notices after that.
type successor struct {
	node int
	span trace.Span
	time []Version
}

// lock returns the state of a lock; its token starts at the manager.
func (n *Node) lock(id uint32) *lock {
	l := n.locks[id]
	if l == nil {
		l = &lock{last: int32(n.manager(id))}
		l.token = n.manager(id) == n.id
		n.locks[id] = l
	}
	return l
}

// manager returns the node that manages a lock or a barrier.
func (n *Node) manager(id uint32) int { return int(id % uint32(n.layout.nodes)) }

// Acquire requests a lock and reports whether the program holds it now. If not,
// the program waits until a step sets Wake, and then holds it. Unless the token
// is already here, the interval ends first, so the diffs of dirty pages are
// sent home before a notice can invalidate those pages.
func (n *Node) Acquire(id uint32, span trace.Span, out *Out) bool {
	n.mustRun("acquire of lock", id)
	n.settle()
	l := n.lock(id)
	if l.held {
		panic(fmt.Sprintf("svm node %d: acquire of lock %d, which the program holds", n.id, id))
	}
	if l.token {
		l.held = true
		return true
	}
	// Notices that come with the grant may invalidate dirty pages: their diffs must have left before.
	if n.fault != LateDiff {
		n.closeInterval(span, out)
	}
	n.waiting = waiting{onLock, id}
	m := Message{
		Kind: trace.LockRequest, Span: span, From: n.id, To: n.manager(id), ID: id,
		Node: n.id, Epoch: n.epoch, Time: n.time(out),
	}
	if m.To == n.id {
		// The manager is here: it forwards the request to the last requester without a message to itself.
		m.Kind, m.To = trace.LockForward, int(l.last)
		l.last = int32(n.id)
	}
	out.send(m)
	return false
}

// Release ends the interval and grants the lock to the successor, if there is
// one.
func (n *Node) Release(id uint32, span trace.Span, out *Out) {
	n.mustRun("release of lock", id)
	n.settle()
	l := n.lock(id)
	if !l.held {
		panic(fmt.Sprintf("svm node %d: release of lock %d, which the program does not hold", n.id, id))
	}
	n.closeInterval(span, out)
	l.held = false
	if s := l.next; s != nil {
		l.next = nil
		n.grant(id, l, s, out)
	}
}

// time returns the node's vector time since the last barrier. The list is in the output of the step and is
// valid as long as that.
func (n *Node) time(out *Out) []Version {
	from := len(out.versions)
	out.versions = n.seen.time(out.versions)
	return out.versions[from:len(out.versions):len(out.versions)]
}

// grant sends the token to a successor with the intervals that it does not know.
func (n *Node) grant(id uint32, l *lock, s *successor, out *Out) {
	l.token = false
	list := n.seen.unknown(nil, int32(s.node), s.time)
	if n.fault == DropNotice && len(list) > 0 {
		list = list[:len(list)-1]
	}
	out.send(Message{
		Kind: trace.LockGrant, Span: s.span, From: n.id, To: s.node, ID: id,
		Node: s.node, Epoch: n.epoch, Notices: list,
	})
}

// lockRequest is the manager's part: it forwards the request to the last requester, who is the last in the
// chain of those that wait, or the owner. It refuses a request of the last requester, which has the lock or
// waits for it.
func (n *Node) lockRequest(m *Message, out *Out) error {
	if n.manager(m.ID) != n.id {
		return n.refuse(m, "came to a node that does not manage the lock")
	}
	if m.Node < 0 || m.Node >= n.layout.nodes || m.Node == n.id {
		return n.refuse(m, "is for an impossible node")
	}
	l := n.lock(m.ID)
	if int(l.last) == m.Node {
		return n.refuse(m, "is for the last owner")
	}
	if int(l.last) == n.id {
		if err := n.forwarded(m, l, out); err != nil {
			return err
		}
	} else {
		f := *m
		f.Kind, f.From, f.To, f.Time = trace.LockForward, n.id, int(l.last), out.keep(m.Time)
		out.send(f)
	}
	// The next request goes to this requester, whether or not it has been granted the lock by then.
	l.last = int32(m.Node)
	return nil
}

// lockForward takes a request that the manager has forwarded.
func (n *Node) lockForward(m *Message, out *Out) error {
	if m.Node < 0 || m.Node >= n.layout.nodes || m.Node == n.id {
		return n.refuse(m, "is for an impossible node")
	}
	return n.forwarded(m, n.lock(m.ID), out)
}

// forwarded is the last owner's part. If the node holds the lock or still waits for it itself, the requester
// becomes its successor; otherwise it gets the lock at once.
func (n *Node) forwarded(m *Message, l *lock, out *Out) error {
	if l.next != nil {
		return n.refuse(m, "is from a second successor of this node")
	}
	time := m.Time
	if m.Epoch != n.epoch {
		// The requester has passed a barrier that this node still waits in,
		// so it already knows this node's intervals.
		if m.Epoch != n.epoch+1 || n.waiting.what != onBarrier {
			return n.refuse(m, "is of another barrier epoch")
		}
		time = n.seen.time(nil)
	}
	s := &successor{m.Node, m.Span, time}
	if l.token && !l.held {
		n.grant(m.ID, l, s, out)
		return nil
	}
	s.time = append([]Version(nil), time...)
	l.next = s
	return nil
}

// lockGrant gives the lock to the program that waits for it, after the notices that come with it have
// invalidated their pages. It refuses a grant that nobody waits for.
func (n *Node) lockGrant(m *Message, out *Out) error {
	if (n.waiting != waiting{onLock, m.ID}) {
		return n.refuse(m, "was not requested")
	}
	if err := n.checkNotices(m); err != nil {
		return err
	}
	l := n.lock(m.ID)
	l.token, l.held = true, true
	n.learn(m.Notices, out)
	n.wake(n.waiting, out)
	return nil
}
