package svm

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/trace"
)

// Message is a protocol message between two nodes. Kind determines which fields
// are used; Append and Decode convert it to and from its wire format.
type Message struct {
	Kind trace.Kind
	Span trace.Span // operation that it belongs to
	From int        // sender
	To   int

	// PageRequest, PageReply, Diff.
	Page Page
	// LockRequest, LockForward, LockGrant, BarrierArrive, BarrierRelease.
	ID uint32
	// Node that requests the page or the lock; forwarding does not change it.
	Node int

	Required []Version // PageRequest: versions that the reply must contain
	Frame    *Frame    // PageReply: the page, which is sent by itself; nil makes the receiver its home
	Interval uint32    // Diff: the sender's interval
	Diff     []byte

	Epoch   uint32      // locks, barriers, and page requests if homes may move: barriers passed so far
	Time    []Version   // LockRequest, LockForward, BarrierArrive: vector time since that barrier
	Notices []*Interval // LockGrant, BarrierArrive, BarrierRelease
	Moves   []Move      // BarrierArrive: offered; BarrierRelease: made
}

// String returns the message as scenario files write it.
func (m Message) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d->%d %v", m.From, m.To, m.Kind)
	switch m.Kind {
	case trace.PageRequest:
		fmt.Fprintf(&b, " page=%d for=%d required=%s", m.Page, m.Node, versions(m.Required))
	case trace.PageReply:
		fmt.Fprintf(&b, " page=%d", m.Page)
		if m.Frame == nil {
			b.WriteString(" home")
		}
	case trace.Diff:
		words, _, err := checkDiff(m.Diff)
		fmt.Fprintf(&b, " page=%d interval=%d words=%d", m.Page, m.Interval, words)
		if err != nil {
			fmt.Fprintf(&b, " (%v)", err)
		}
	case trace.LockRequest, trace.LockForward:
		fmt.Fprintf(&b, " lock=%d for=%d time=%s", m.ID, m.Node, versions(m.Time))
	case trace.LockGrant:
		fmt.Fprintf(&b, " lock=%d notices=%s", m.ID, notices(m.Notices))
	case trace.BarrierArrive:
		fmt.Fprintf(&b, " barrier=%d time=%s notices=%s", m.ID, versions(m.Time), notices(m.Notices))
		b.WriteString(moves(m.Moves))
	case trace.BarrierRelease:
		fmt.Fprintf(&b, " barrier=%d notices=%s", m.ID, notices(m.Notices))
		b.WriteString(moves(m.Moves))
	}
	return b.String()
}

func versions(list []Version) string {
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = fmt.Sprintf("%d:%d", v.Node, v.Interval)
	}
	return "{" + strings.Join(parts, " ") + "}"
}

func notices(list []*Interval) string {
	parts := make([]string, len(list))
	for i, iv := range list {
		pages := make([]string, len(iv.Pages))
		for j, p := range iv.Pages {
			pages[j] = fmt.Sprint(p)
		}
		parts[i] = fmt.Sprintf("%d:%d(%s)", iv.Node, iv.ID, strings.Join(pages, ","))
	}
	return "[" + strings.Join(parts, " ") + "]"
}

func moves(list []Move) string {
	if len(list) == 0 {
		return ""
	}
	parts := make([]string, len(list))
	for i, m := range list {
		parts[i] = fmt.Sprintf("%d:%d", m.Page, m.Home)
	}
	return " moves={" + strings.Join(parts, " ") + "}"
}

// Out collects the output of a protocol step. Reset makes it reusable; the
// messages share its buffers and are valid until then.
type Out struct {
	Messages []Message
	Wake     bool // the node's program may continue: repeat the call
	Effort   Effort

	Misplaced []Misplaced // pages that the node has given up at a barrier

	bytes    []byte
	versions []Version
}

// Effort counts the work of protocol steps, which the host charges.
type Effort struct {
	Twins        int // pages copied before a write
	AppliedDiffs int // diffs applied at the home
	AppliedRuns  int
	AppliedWords int
	Notices      int // pages in write notices processed
	Protects     int // pages whose protection changed
	Weighed      int // pages whose homes were weighed or moved
}

// Reset empties the collector and keeps its buffers.
func (o *Out) Reset() {
	clear(o.Messages)
	*o = Out{Messages: o.Messages[:0], bytes: o.bytes[:0], versions: o.versions[:0]}
}

func (o *Out) send(m Message) { o.Messages = append(o.Messages, m) }

// keep copies a list into the collector's buffer, because the node's list may
// change before the message is sent.
func (o *Out) keep(list []Version) []Version {
	from := len(o.versions)
	o.versions = append(o.versions, list...)
	return o.versions[from:len(o.versions):len(o.versions)]
}

// Kinds returns the packet kinds that the protocol and its transport send.
func Kinds() []trace.Kind {
	return []trace.Kind{
		trace.PageRequest, trace.PageReply, trace.Diff, trace.LockRequest, trace.LockForward, trace.LockGrant,
		trace.BarrierArrive, trace.BarrierRelease, trace.Credit,
	}
}
