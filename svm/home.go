package svm

import "github.com/sigview/sigview/trace"

// satisfied reports whether the home's copy contains every version that a request requires. The home's own
// writes are in its copy before anybody learns of them, so they are not compared.
func (n *Node) satisfied(x *extra, required []Version) bool {
	for _, v := range required {
		if int(v.Node) != n.id && at(x.applied, v.Node) < v.Interval {
			return false
		}
	}
	return true
}

// pageRequest serves a page at its home, queues the request until the required
// diffs have arrived, or forwards it to the home that the first touch has
// chosen.
func (n *Node) pageRequest(m *Message, out *Out) error {
	if int(m.Page) >= n.layout.pages {
		return n.refuse(m, "names a page outside the shared memory")
	}
	if m.Node < 0 || m.Node >= n.layout.nodes || m.Node == n.id {
		return n.refuse(m, "is for an impossible node")
	}
	h, fixed := n.layout.Home(m.Page)
	switch {
	case n.home(m.Page) == int32(n.id):
		return n.serve(m, out)
	case n.tooEarly(m):
		return nil
	case fixed:
		return n.refuse(m, "came to a node that is not the home")
	case h != n.id:
		return n.refuse(m, "came to a node that is neither home nor directory")
	}
	return n.direct(m, out)
}

// direct handles a request for a first-touch page at its directory: the first node to ask becomes the home, and
// later requests are forwarded to it. The reply to the first one has no frame, which says that the page is its
// own. It refuses a request of the home itself, which has the page.
func (n *Node) direct(m *Message, out *Out) error {
	owner, ok := n.given[m.Page]
	if !ok {
		n.given = put(n.given, m.Page, int32(m.Node))
		out.send(Message{Kind: trace.PageReply, Span: m.Span, From: n.id, To: m.Node, Node: m.Node, Page: m.Page})
		return nil
	}
	if int(owner) == m.Node {
		return n.refuse(m, "is for the home itself")
	}
	f := *m
	f.From, f.To, f.Required = n.id, int(owner), out.keep(m.Required)
	out.send(f)
	return nil
}

// serve answers a request at the page's home, or keeps it with the page until the diffs have come that it
// requires. The requester's list is copied: the message is used again.
func (n *Node) serve(m *Message, out *Out) error {
	e := n.pages.at(m.Page)
	if len(m.Required) > 0 && n.fault != EagerHome {
		x := n.extra.of(e)
		if !n.satisfied(x, m.Required) {
			x.waiters = append(x.waiters, waiter{m.Node, m.Span, append([]Version(nil), m.Required...)})
			return nil
		}
	}
	n.reply(m.Page, e, m.Node, m.Span, out)
	return nil
}

// reply sends the home's copy. While the home's program may write (state WRITE), readers get a copy of their
// own; otherwise they share the frame, which is copied before anybody writes it.
func (n *Node) reply(p Page, e *entry, to int, span trace.Span, out *Out) {
	if e.frame == nil {
		e.frame = n.pool.first(p)
	}
	m := Message{Kind: trace.PageReply, Span: span, From: n.id, To: to, Node: to, Page: p}
	if e.state == Write {
		m.Frame = n.pool.copyOf(e.frame)
	} else {
		m.Frame = n.pool.share(e.frame)
	}
	out.send(m)
}

// applyDiff merges a diff into the home's copy, serves the requests that waited for it, and wakes the home's
// own program if that waits for the page.
//
// Invariant: applied[w] is the latest interval of writer w in the copy. Diffs of one writer come in the order
// of intervals, so that another one is a duplicate or out of order. A damaged diff is refused before a word of
// it is written.
func (n *Node) applyDiff(m *Message, out *Out) error {
	if int(m.Page) >= n.layout.pages {
		return n.refuse(m, "names a page outside the shared memory")
	}
	if n.tooLate(m, out) {
		return nil
	}
	if n.home(m.Page) != int32(n.id) {
		if n.tooEarly(m) {
			return nil
		}
		return n.refuse(m, "came to a node that is not the home")
	}
	words, runs, err := checkDiff(m.Diff)
	if err != nil {
		return n.refuse(m, "is damaged: "+err.Error())
	}
	e := n.pages.at(m.Page)
	x := n.extra.of(e)
	if at(x.applied, int32(m.From)) >= m.Interval {
		return n.refuse(m, "is a duplicate or out of order")
	}
	if e.frame == nil {
		e.frame = n.pool.first(m.Page)
	}
	n.own(e)
	writeDiff(e.frame.Bytes(), m.Diff)
	out.Effort.AppliedDiffs++
	out.Effort.AppliedRuns += runs
	out.Effort.AppliedWords += words
	x.applied = raise(x.applied, Version{int32(m.From), m.Interval})

	kept := x.waiters[:0]
	for _, w := range x.waiters {
		if !n.satisfied(x, w.required) {
			kept = append(kept, w)
			continue
		}
		n.reply(m.Page, e, w.node, w.span, out)
	}
	clear(x.waiters[len(kept):])
	x.waiters = kept
	if e.state == Invalid && n.satisfied(x, x.required) {
		n.wake(waiting{onPage, uint32(m.Page)}, out)
	}
	return nil
}
