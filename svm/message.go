package svm

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/trace"
)

// Message is what one node's protocol says to another's. Which fields count
// depends on Kind; Append and Decode give it a form for the wire.
type Message struct {
	Kind trace.Kind
	Span trace.Span // operation of the program that it belongs to
	From int        // node that sent it
	To   int

	// PageRequest, PageReply, Diff.
	Page Page
	// LockRequest, LockForward, LockGrant, BarrierArrive, BarrierRelease.
	ID uint32
	// Node that wants the page or the lock, however often it was forwarded.
	Node int

	Required []Version // PageRequest: what the reply has to contain
	Frame    *Frame    // PageReply: nil makes the receiver the page's home
	Interval uint32    // Diff: interval of the sender that it ends
	Diff     []byte

	Epoch   uint32      // locks and barriers: barriers passed so far
	Time    []Version   // LockRequest, LockForward, BarrierArrive: since that barrier
	Notices []*Interval // LockGrant, BarrierArrive, BarrierRelease
}

// String shows the message as scenario files do.
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
		words, _, err := CheckDiff(m.Diff)
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
	case trace.BarrierRelease:
		fmt.Fprintf(&b, " barrier=%d notices=%s", m.ID, notices(m.Notices))
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
		runs := make([]string, len(iv.Pages))
		for j, r := range iv.Pages {
			runs[j] = fmt.Sprint(r.First)
			if r.Count > 1 {
				runs[j] += fmt.Sprintf("-%d", r.First+Page(r.Count)-1)
			}
		}
		parts[i] = fmt.Sprintf("%d:%d(%s)", iv.Node, iv.ID, strings.Join(runs, ","))
	}
	return "[" + strings.Join(parts, " ") + "]"
}

// Out collects what a step of the protocol wants done. It may be used again
// after Reset; the messages share its buffers and live no longer than that.
type Out struct {
	Messages []Message
	Wake     bool // what the node's program waits for has come: call again
	Effort   Effort

	bytes    []byte
	versions []Version
}

// Effort counts the work of protocol steps, for a host to charge.
type Effort struct {
	Twins        int // pages copied before a write
	AppliedDiffs int // differences applied at the home
	AppliedRuns  int
	AppliedWords int
	Notices      int // runs of pages in write notices processed
	Protects     int // pages whose protection changed
}

// Reset empties the collector and keeps its buffers.
func (o *Out) Reset() {
	clear(o.Messages)
	*o = Out{Messages: o.Messages[:0], bytes: o.bytes[:0], versions: o.versions[:0]}
}

func (o *Out) send(m Message) { o.Messages = append(o.Messages, m) }

// keep copies a list into the collector's buffer, because the node's own may
// change before the message has left.
func (o *Out) keep(list []Version) []Version {
	from := len(o.versions)
	o.versions = append(o.versions, list...)
	return o.versions[from:len(o.versions):len(o.versions)]
}

// Kinds are the packets that the protocol sends.
func Kinds() []trace.Kind {
	return []trace.Kind{
		trace.PageRequest, trace.PageReply, trace.Diff, trace.LockRequest, trace.LockForward, trace.LockGrant,
		trace.BarrierArrive, trace.BarrierRelease, trace.Flag,
	}
}
