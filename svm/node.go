package svm

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/trace"
)

// Node is the protocol of one node as a state machine: the inputs are the
// program's operations and arriving messages, the outputs messages and a
// wake-up. Nodes of a system share a Layout and a Pool.
type Node struct {
	id     int
	layout *Layout
	pool   *Pool
	fault  Fault

	pages table
	extra extras

	interval uint32 // own intervals closed so far
	epoch    uint32 // barriers passed
	seen     history
	dirty    []dirtyPage
	ended    []*Frame // replaced, but the program may still hold slices of them

	locks   map[uint32]*lock    // only looked up
	barrier map[uint32]*barrier // barriers that this node manages; only looked up
	homes   map[Page]int32      // known homes of first-touch pages, and of pages that have moved
	given   map[Page]int32      // directory: homes assigned by this node
	waiting waiting

	migration migration
}

// dirtyPage is a page in state WRITE, with its content before.
type dirtyPage struct {
	page Page
	twin *Frame // nil at the home
}

// waiting is what the node's program waits for.
type waiting struct {
	what what
	id   uint32
}

type what uint8

const (
	nothing what = iota
	onPage
	onLock
	onBarrier
)

// String returns what the program waits for, for errors.
func (w waiting) String() string {
	return fmt.Sprintf("%s %d", [...]string{"nothing", "page", "lock", "barrier"}[w.what], w.id)
}

// Fault is a defect planted in the protocol, with which tests show that the
// oracle finds it. Only tests set one.
type Fault uint8

// Defects.
const (
	Sound         Fault = iota
	DropNotice          // a lock grant leaves out the newest write notice
	EagerHome           // the home answers page requests without waiting for diffs
	EagerLocal          // the home reads its own pages without waiting for diffs
	LateDiff            // an acquire does not end the interval first
	WholePageDiff       // a diff carries the whole page
	KeepPages           // a barrier invalidates nothing
	NoFlush             // a release sends empty diffs
	MoveStale           // a home moves to a node whose copy is not valid
	StayValid           // the former home keeps its copy although diffs are on their way
)

// NewNode returns node id of a system with the given layout.
func NewNode(id int, layout *Layout, pool *Pool) (*Node, error) {
	if id < 0 || id >= layout.nodes {
		return nil, fmt.Errorf("svm: node = %d, want 0 to %d", id, layout.nodes-1)
	}
	return &Node{
		id: id, layout: layout, pool: pool,
		pages:   newTable(layout.pages),
		locks:   make(map[uint32]*lock),
		barrier: make(map[uint32]*barrier),
	}, nil
}

// Plant plants a defect.
func (n *Node) Plant(f Fault) { n.fault = f }

// Step processes a message that has arrived. An error means that the message is
// not valid in the node's state, for example because it is corrupted; the node
// is then unchanged.
func (n *Node) Step(m *Message, out *Out) error {
	if m.Kind >= trace.NumKinds || steps[m.Kind] == nil {
		return n.refuse(m, "is not part of the protocol")
	}
	return steps[m.Kind](n, m, out)
}

// steps holds the function for each kind of message.
var steps = [trace.NumKinds]func(n *Node, m *Message, out *Out) error{
	trace.PageRequest: (*Node).pageRequest, trace.PageReply: (*Node).pageReply, trace.Diff: (*Node).applyDiff,
	trace.LockRequest: (*Node).lockRequest, trace.LockForward: (*Node).lockForward, trace.LockGrant: (*Node).lockGrant,
	trace.BarrierArrive: (*Node).barrierArrive, trace.BarrierRelease: (*Node).barrierRelease,
}

// refuse returns the error of a message that does not fit the node's state. It names the node, the message and
// what is wrong.
func (n *Node) refuse(m *Message, why string) error {
	return fmt.Errorf("svm node %d: message %v %s", n.id, m, why)
}

// wake resumes the program if it waits for w.
func (n *Node) wake(w waiting, out *Out) {
	if n.waiting == w {
		n.waiting = waiting{}
		out.Wake = true
	}
}

// mustRun panics if the program waits: it cannot call an operation then.
func (n *Node) mustRun(op string, id uint32) {
	if n.waiting.what != nothing {
		panic(fmt.Sprintf("svm node %d: %s %d while the program waits for %v", n.id, op, id, n.waiting))
	}
}

// home returns the page's home, or -1 while this node does not know it.
func (n *Node) home(p Page) int32 {
	if h, ok := n.homes[p]; ok {
		return h
	}
	if h, fixed := n.layout.Home(p); fixed {
		return int32(h)
	}
	return -1
}

// closeInterval ends the current interval: diffs of dirty pages go to
// their homes, the pages become READ, and the write notice is recorded. An
// interval without writes gets no number.
func (n *Node) closeInterval(span trace.Span, out *Out) {
	if len(n.dirty) == 0 {
		return
	}
	n.interval++
	iv := &Interval{Node: int32(n.id), ID: n.interval, Pages: make([]Page, 0, len(n.dirty))}
	for i := range n.dirty {
		d := &n.dirty[i]
		e := n.pages.at(d.page)
		if e.state != Write {
			panic(fmt.Sprintf("svm node %d: dirty page %d is %v", n.id, d.page, e.state))
		}
		e.state = Read
		out.Effort.Protects++
		if d.twin != nil {
			n.flush(d, e.frame, span, out)
		}
		iv.Pages = append(iv.Pages, d.page)
	}
	slices.Sort(iv.Pages)
	n.dirty = n.dirty[:0]
	n.seen.add(iv)
}

// flush sends the diff of a dirty page to its home. The bytes are in the output of the step.
func (n *Node) flush(d *dirtyPage, frame *Frame, span trace.Span, out *Out) {
	from := len(out.bytes)
	if n.fault == WholePageDiff {
		out.bytes = append(out.bytes, 0, 0, pageWords&0xff, pageWords>>8)
		out.bytes = append(out.bytes, frame.Bytes()...)
	} else if n.fault != NoFlush {
		out.bytes, _ = appendDiff(out.bytes, d.twin.Bytes(), frame.Bytes())
	}
	n.pool.drop(d.twin)
	out.send(Message{
		Kind: trace.Diff, Span: span, From: n.id, To: int(n.home(d.page)), Node: n.id,
		Page: d.page, Interval: n.interval, Diff: out.bytes[from:len(out.bytes):len(out.bytes)],
	})
}

// learn stores write notices that are new to the node, and invalidates their pages. Invariant: notices of a
// writer come without gaps; checkNotices has seen to it.
func (n *Node) learn(list []*Interval, out *Out) {
	for _, iv := range list {
		if latest := n.seen.latest(iv.Node); latest != 0 && iv.ID != latest+1 {
			panic(fmt.Sprintf("svm node %d: notice %d of node %d follows %d", n.id, iv.ID, iv.Node, latest))
		}
		n.seen.add(iv)
		n.invalidateAll(iv, out)
	}
}

// invalidateAll invalidates the pages of one interval.
func (n *Node) invalidateAll(iv *Interval, out *Out) {
	out.Effort.Notices += len(iv.Pages)
	for _, p := range iv.Pages {
		n.invalidate(p, Version{iv.Node, iv.ID}, out)
	}
}

// checkNotices rejects impossible write notices, which corruption on the wire can cause: of this node or of
// none, of a page that does not exist, or with a gap after the last one known. At a barrier a writer's first
// notice may follow ones that only the manager knows.
func (n *Node) checkNotices(m *Message) error {
	for i, iv := range m.Notices {
		if iv.Node < 0 || int(iv.Node) >= n.layout.nodes || int(iv.Node) == n.id || iv.ID == 0 {
			return n.refuse(m, "has a write notice of an impossible interval")
		}
		latest := uint32(0)
		if i > 0 && m.Notices[i-1].Node == iv.Node {
			latest = m.Notices[i-1].ID
		} else if m.Kind == trace.LockGrant {
			latest = n.seen.latest(iv.Node)
		}
		if latest != 0 && iv.ID != latest+1 {
			return n.refuse(m, "has a write notice that does not follow the last one known")
		}
		for _, p := range iv.Pages {
			if int(p) >= n.layout.pages {
				return n.refuse(m, "has a write notice of a page outside the shared memory")
			}
		}
	}
	return nil
}

// settle drops frames that have been replaced: as the program synchronizes, its slices of them end.
func (n *Node) settle() {
	for i, f := range n.ended {
		n.pool.drop(f)
		n.ended[i] = nil
	}
	n.ended = n.ended[:0]
}

// own makes an entry's frame private to this node. Slices of the old frame keep their content until
// the program synchronizes.
func (n *Node) own(e *entry) {
	if n.pool.exclusive(e.frame) {
		return
	}
	n.ended = append(n.ended, e.frame)
	e.frame = n.pool.copyOf(e.frame)
}

// put enters a page into a map that is made when it is first needed.
func put(m map[Page]int32, p Page, node int32) map[Page]int32 {
	if m == nil {
		m = make(map[Page]int32)
	}
	m[p] = node
	return m
}
