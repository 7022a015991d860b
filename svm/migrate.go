package svm

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/trace"
)

// Homes that follow their users. A page is offered to a node that alone writes it
// while its home does not use it. The home learns from the write notices of a barrier
// that one other node alone has written a page since the last one, and then watches
// the page: it gives up its own access, so that the next use faults. If there is none
// until a barrier, the home offers the page. The manager of the barrier agrees if the
// same node alone has written it again: that node's copy then has all writes, so it
// becomes the home's copy and no content moves. Every release lists all moves.
//
// Other nodes fetch the page from one home or the other. What counts is that the
// writer saves twins and diffs, and the home loses nothing. A home that reads what
// one node writes keeps the page: a diff that is sent ahead takes less time than a
// fetch that somebody waits for.
//
// Watching a page that the home does use costs it a fault. After each such fault as
// many writes pass unwatched as there were in vain, doubled. A page that several
// nodes use in turns does not move all the time, because each move doubles the number
// of offers that the next one needs.

// Migrate lets homes follow their users. All nodes of a system must agree on it.
func (n *Node) Migrate() {
	n.migration = migration{on: true, watches: make(map[Page]*watch), moves: make(map[Page]uint8), late: make(map[Page][]Version)}
}

// maxDoubling keeps counts that double from overflowing.
const maxDoubling = 20

// survey finds the pages of this home that exactly one node has written since the last barrier, and it is
// another one. It watches them for a move; other pages that have been written are watched no more. notices are
// those of the barrier; what was learnt by locks before is in the history.
func (n *Node) survey(notices []*Interval, out *Out) {
	g := &n.migration
	if !g.on {
		return
	}
	const several = -1
	writer := make(map[Page]int32) // only looked up
	var written []Page
	note := func(iv *Interval) {
		for _, p := range iv.Pages {
			if w, ok := writer[p]; ok {
				if w != iv.Node {
					writer[p] = several
				}
			} else if n.home(p) == int32(n.id) {
				writer[p] = iv.Node
				written = append(written, p)
			}
		}
	}
	for i := range n.seen.writers {
		for _, iv := range n.seen.writers[i].intervals {
			note(iv)
		}
	}
	for _, iv := range notices {
		note(iv)
	}
	out.Effort.Weighed += len(written)
	for _, p := range written {
		if w := writer[p]; w != several && w != int32(n.id) {
			n.watch(p, w, out)
		} else if w := g.watches[p]; w != nil {
			w.on = false
		}
	}
	slices.Sort(g.watched)
}

// watch makes the next use of page p by its home, this node, a fault that ends the watch. It counts the
// barriers at which writer alone had written p. After vain watches it skips as many such barriers as used has
// set.
func (n *Node) watch(p Page, writer int32, out *Out) {
	g := &n.migration
	w := g.watches[p]
	if w == nil {
		w = &watch{writer: writer}
		g.watches[p] = w
	}
	switch {
	case w.on && w.writer == writer:
		w.writes++
		return
	case w.skip > 0:
		w.skip--
		return
	}
	w.writer, w.writes = writer, 1
	if !w.on {
		w.on = true
		g.watched = append(g.watched, p)
	}
	if e := n.pages.at(p); e.state == Read {
		e.state = Invalid
		out.Effort.Protects++
	}
}

// used ends the watch of a page that its home has begun to use: the page stays.
func (g *migration) used(p Page) {
	if w := g.watches[p]; w != nil && w.on {
		w.on = false
		w.skip = 1 << w.vain
		w.vain = min(w.vain+1, maxDoubling)
	}
}

// offer returns the moves that this home proposes: of watched pages that it has not used, and that
// have been written at enough barriers: twice as many after each earlier move.
func (n *Node) offer(out *Out) (list []Move) {
	g := &n.migration
	out.Effort.Weighed += len(g.watched)
	g.watched = slices.DeleteFunc(g.watched, func(p Page) bool {
		w := g.watches[p]
		switch {
		case w == nil || !w.on:
			return true
		case w.writes >= 1<<min(g.moves[p], maxDoubling):
			list = append(list, Move{p, w.writer})
		}
		return false
	})
	return list
}

// grant returns the moves that the manager of a barrier accepts from the proposals: of pages that the proposed
// home alone has written again since the last barrier, so that its copy has all writes. They are in the order
// of pages, so that all nodes move them alike.
func (b *barrier) grant(n *Node, out *Out) (list []Move) {
	const several = -1
	writer := make(map[Page]int32) // of the pages offered; only looked up
	for i := range b.by {
		for _, m := range b.by[i].moves {
			writer[m.Page] = m.Home
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		return nil
	}
	again := make(map[Page]bool)
	for i := range b.by {
		for _, iv := range b.by[i].intervals {
			for _, p := range iv.Pages {
				if w, ok := writer[p]; ok && w != iv.Node {
					writer[p] = several
				} else if ok {
					again[p] = true
				}
			}
		}
	}
	out.Effort.Weighed += len(list)
	list = slices.DeleteFunc(list, func(m Move) bool {
		return (writer[m.Page] == several || !again[m.Page]) && n.fault != MoveStale
	})
	slices.SortFunc(list, func(a, b Move) int { return cmp.Compare(a.Page, b.Page) })
	return list
}

// checkMoves rejects impossible moves, which corruption on the wire can cause: to a node that does not exist or
// does not have the content, of a page that was not offered, or twice.
func (n *Node) checkMoves(m *Message) error {
	var here []Page
	for _, v := range m.Moves {
		switch {
		case !n.migration.on:
			return n.refuse(m, "moves homes, which are fixed")
		case int(v.Page) >= n.layout.pages:
			return n.refuse(m, "moves a page outside the shared memory")
		case v.Home < 0 || int(v.Home) >= n.layout.nodes:
			return n.refuse(m, "moves a page to an impossible node")
		case m.Kind == trace.BarrierArrive && int(v.Home) == m.Node:
			return n.refuse(m, "offers a page to its home")
		case m.Kind == trace.BarrierRelease && slices.Contains(here, v.Page):
			return n.refuse(m, "moves a page twice")
		case m.Kind == trace.BarrierRelease && int(v.Home) == n.id:
			here = append(here, v.Page)
		case m.Kind == trace.BarrierRelease && n.home(v.Page) == int32(n.id) && n.migration.watches[v.Page] == nil:
			return n.refuse(m, "moves a page that its home has not offered")
		}
	}
	if n.fault == MoveStale {
		return nil
	}
	for _, p := range here {
		stale := n.pages.at(p).state != Read
		for _, iv := range m.Notices {
			stale = stale || slices.Contains(iv.Pages, p)
		}
		if stale {
			return n.refuse(m, "moves a page to a node that does not have its content")
		}
	}
	return nil
}

// move gives a page its new home. Every node now knows all intervals, and the new
// home's copy contains them.
func (n *Node) move(v Move, out *Out) {
	e := n.pages.at(v.Page)
	switch {
	case v.Home == int32(n.id):
		n.extra.release(e)
	case n.home(v.Page) == int32(n.id):
		out.found(v, int(n.migration.watches[v.Page].writes)+1)
		delete(n.migration.watches, v.Page)
		n.leave(v.Page, e, out)
	case e.state == Invalid:
		n.extra.release(e)
	}
	n.migration.moves[v.Page]++
	n.homes = put(n.homes, v.Page, v.Home)
}

// leave turns the home's copy of a page that moves away into an ordinary one. The copy is not valid
// if diffs for it are under way; those will be discarded on arrival.
func (n *Node) leave(p Page, e *entry, out *Out) {
	var late []Version
	if e.extra != 0 {
		x := n.extra.of(e)
		for _, v := range x.required {
			if at(x.applied, v.Node) < v.Interval {
				late = append(late, v)
			}
		}
		n.extra.release(e)
	}
	switch {
	case len(late) > 0:
		for _, v := range late {
			n.migration.late[p] = raise(n.migration.late[p], v)
		}
		if n.fault == StayValid {
			e.state = Read
			return
		}
		if e.frame != nil {
			n.pool.drop(e.frame)
			e.frame = nil
		}
		e.state = Invalid
	case e.state == Invalid && e.frame != nil:
		e.state = Read
		out.Effort.Protects++
	}
}

// tooLate discards a diff that has reached the page's former home, and reports whether it was one. The new
// home's copy has its words, because that node has written them. After the last one that is awaited, nothing is
// kept of the page.
func (n *Node) tooLate(m *Message, out *Out) bool {
	list := n.migration.late[m.Page]
	last := at(list, int32(m.From)) // 0: none is awaited
	if last == 0 || last < m.Interval {
		return false
	}
	if last == m.Interval {
		list = slices.DeleteFunc(list, func(v Version) bool { return v.Node == int32(m.From) })
		n.migration.late[m.Page] = list
		if len(list) == 0 {
			delete(n.migration.late, m.Page)
		}
	}
	out.Effort.AppliedDiffs++
	return true
}

// tooEarly keeps a message that has overtaken this node's passage of the barrier after which it is the page's
// home, and reports whether it did. The message is copied, because the transport uses it again.
func (n *Node) tooEarly(m *Message) bool {
	request := m.Kind == trace.PageRequest
	if !n.migration.on || n.waiting.what != onBarrier || request && m.Epoch != n.epoch+1 {
		return false
	}
	c := *m
	c.Required, c.Diff = slices.Clone(m.Required), slices.Clone(m.Diff)
	n.migration.early = append(n.migration.early, c)
	return true
}

// resume processes the messages that came too early, in the order in which they came.
func (n *Node) resume(out *Out) error {
	list := n.migration.early
	n.migration.early = nil
	for i := range list {
		serve := n.applyDiff
		if list[i].Kind == trace.PageRequest {
			serve = n.pageRequest
		}
		if err := serve(&list[i], out); err != nil {
			return err
		}
	}
	return nil
}
