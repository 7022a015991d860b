package svm

import (
	"fmt"

	"github.com/sigview/sigview/trace"
)

// Access makes a page readable or writable and reports whether it is so now. If not, the program
// waits until a step sets Wake, and calls Access again. A write to an invalid page faults twice: it
// becomes readable, then writable.
func (n *Node) Access(p Page, write bool, span trace.Span, out *Out) bool {
	n.mustRun("access to page", uint32(p))
	e := n.pages.at(p)
	if e.state == Invalid && !n.fetch(p, e, span, out) {
		n.waiting = waiting{onPage, uint32(p)}
		return false
	}
	if write && e.state == Read {
		n.upgrade(p, e, out)
	}
	return true
}

// State returns what the node may do with a page now.
func (n *Node) State(p Page) State { return n.pages.at(p).state }

// Frame returns the node's copy of a page that is not INVALID. The program
// may write it only in state WRITE, and may not keep it past its next
// operation on locks and barriers.
func (n *Node) Frame(p Page) *Frame { return n.pages.at(p).frame }

// fetch makes an INVALID page READ. If its home is elsewhere, or here and without all required versions, fetch
// reports false: the page has been requested, or diffs for it are under way.
//
// A first-touch page whose home is not known is asked for at its directory. If that is here, this is the first
// touch, or the home is known after all. pending keeps one access from sending two requests.
func (n *Node) fetch(p Page, e *entry, span trace.Span, out *Out) bool {
	h := n.home(p)
	if h == int32(n.id) {
		if e.extra != 0 && n.fault != EagerLocal {
			x := n.extra.of(e)
			if !n.satisfied(x, x.required) {
				return false
			}
			x.required = x.required[:0]
		}
		if e.frame == nil {
			e.frame = n.pool.first(p)
		}
		e.state = Read
		out.Effort.Protects++
		n.migration.used(p)
		return true
	}
	if h < 0 {
		directory, _ := n.layout.Home(p)
		if directory == n.id {
			if owner, ok := n.given[p]; ok {
				n.homes = put(n.homes, p, owner)
				h = owner
			} else {
				n.given = put(n.given, p, int32(n.id))
				n.homes = put(n.homes, p, int32(n.id))
				return n.fetch(p, e, span, out)
			}
		} else {
			h = int32(directory)
		}
	}
	if !e.pending {
		e.pending = true
		m := Message{Kind: trace.PageRequest, Span: span, From: n.id, To: int(h), Node: n.id, Page: p}
		if e.extra != 0 {
			m.Required = out.keep(n.extra.of(e).required)
		}
		if n.migration.on {
			m.Epoch = n.epoch
		}
		out.send(m)
	}
	return false
}

// upgrade makes a READ page WRITE. The home writes in place; other nodes keep the old frame as the twin, with
// which the page is compared when the interval ends. In checking mode the copy moves, so that slices of the
// readable page become invalid.
func (n *Node) upgrade(p Page, e *entry, out *Out) {
	d := dirtyPage{page: p}
	switch home := n.home(p) == int32(n.id); {
	case home && n.pool.Check:
		n.relocate(e)
	case home:
		n.own(e)
	case n.pool.Check:
		d.twin = n.pool.copyOf(e.frame)
		n.relocate(e)
		out.Effort.Twins++
	default:
		d.twin = e.frame
		e.frame = n.pool.copyOf(d.twin)
		out.Effort.Twins++
	}
	e.state = Write
	out.Effort.Protects++
	n.dirty = append(n.dirty, d)
}

// relocate moves a copy of a page to another frame, which invalidates slices of
// the old one. It is used in checking mode.
func (n *Node) relocate(e *entry) {
	old := e.frame
	e.frame = n.pool.copyOf(old)
	n.pool.drop(old)
}

// invalidate records that the next access to p must see version v, and makes the page INVALID. The
// home never waits for its own writes, which are in its copy.
func (n *Node) invalidate(p Page, v Version, out *Out) {
	h := n.home(p)
	if h == v.Node && !n.pages.holds(p) {
		return // there is no copy, and the next one has it
	}
	e := n.pages.at(p)
	if e.state == Write {
		n.discard(p, v)
	}
	if h == int32(n.id) {
		x := n.extra.of(e)
		if at(x.applied, v.Node) >= v.Interval {
			return
		}
		x.required = raise(x.required, v)
		if e.state != Invalid {
			e.state = Invalid
			out.Effort.Protects++
		}
		return
	}
	if h != v.Node {
		x := n.extra.of(e)
		x.required = raise(x.required, v)
	}
	if e.state != Invalid {
		e.state = Invalid
		out.Effort.Protects++
		n.pool.drop(e.frame)
		e.frame = nil
	}
}

// discard drops the writes to a dirty page, a defect that only the fault LateDiff allows. It panics
// otherwise: in a correct protocol no page is dirty when notices arrive.
func (n *Node) discard(p Page, v Version) {
	if n.fault != LateDiff {
		panic(fmt.Sprintf("svm node %d: notice %d of node %d for page %d, which is dirty", n.id, v.Interval, v.Node, p))
	}
	for i, d := range n.dirty {
		if d.page == p {
			if d.twin != nil {
				n.pool.drop(d.twin)
			}
			n.dirty = append(n.dirty[:i], n.dirty[i+1:]...)
			return
		}
	}
}

// pageReply installs a page that has arrived. Without a frame, the directory has made this node the home of a
// first-touch page; otherwise such a page tells its home by whom it comes from. It refuses a page that was not
// requested.
func (n *Node) pageReply(m *Message, out *Out) error {
	if int(m.Page) >= n.layout.pages {
		return n.refuse(m, "names a page outside the shared memory")
	}
	e := n.pages.at(m.Page)
	if !e.pending {
		return n.refuse(m, "was not requested")
	}
	if _, fixed := n.layout.Home(m.Page); !fixed {
		h := int32(m.From)
		if m.Frame == nil {
			h = int32(n.id)
		}
		n.homes = put(n.homes, m.Page, h)
	} else if m.Frame == nil {
		return n.refuse(m, "gives away a page whose home is fixed")
	}
	e.pending = false
	if m.Frame != nil {
		e.frame = m.Frame
		e.state = Read
		n.extra.release(e)
		out.Effort.Protects++
	}
	n.wake(waiting{onPage, uint32(m.Page)}, out)
	return nil
}
