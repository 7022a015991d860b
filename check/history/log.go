package history

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
)

// Sort is what a stream carries.
type Sort string

// Sorts of streams. Replies and gets may come in any order: when one is lost, later ones
// come before it. The items of each other sort are in order between two processes.
const (
	Messages   Sort = "message"
	Multicasts Sort = "multicast" // messages may pass them
	Requests   Sort = "request"   // with the data of a store
	Replies    Sort = "reply"
	Gets       Sort = "get"    // from the process whose memory is read
	Words      Sort = "change" // of a word of a process
)

// Stream is everything of one sort from one process to another.
type Stream struct {
	Sort     Sort
	From, To int
}

// String returns the sort and the two processes.
func (s Stream) String() string {
	return fmt.Sprintf("%ss from node %d to node %d", s.Sort, s.From, s.To)
}

// Item is one message, request or reply: its length and a hash of its bytes.
type Item struct {
	Bytes int
	Sum   uint64
}

// Of returns the item of some bytes.
func Of(data []byte) Item {
	h := fnv.New64a()
	h.Write(data)
	return Item{len(data), h.Sum64()}
}

// Log records what the processes of a program send and receive. It knows nothing of layers.
type Log struct {
	streams map[Stream]*record
	changes map[int][]*change // by node: of its word, in the order of their calls
	words   []uint64          // by node: at the end
	Errors  []error           // of calls, in their order
}

// record is what one stream has carried.
type record struct{ sent, got []Item }

// NewLog returns an empty log.
func NewLog() *Log { return &Log{streams: map[Stream]*record{}, changes: map[int][]*change{}} }

func (l *Log) of(s Stream) *record {
	r := l.streams[s]
	if r == nil {
		r = &record{}
		l.streams[s] = r
	}
	return r
}

// Sent records an item before the call that sends it.
func (l *Log) Sent(s Stream, x Item) { l.of(s).sent = append(l.of(s).sent, x) }

// Got records an item that a process has received.
func (l *Log) Got(s Stream, x Item) { l.of(s).got = append(l.of(s).got, x) }

// Has reports whether an item was sent.
func (l *Log) Has(s Stream, x Item) bool {
	r := l.streams[s]
	return r != nil && slices.Contains(r.sent, x)
}

// Total returns how many items were sent and received.
func (l *Log) Total() (sent, got int) {
	for _, r := range l.streams {
		sent, got = sent+len(r.sent), got+len(r.got)
	}
	return
}

// Verdict is what a log shows.
type Verdict struct {
	Wrong   []Wrong
	Missing []string // streams with items that were not received
	Holes   int      // items of ordered streams that were not received, though later ones were
}

// Wrong is an item received that was not sent, or twice, or out of order.
type Wrong struct {
	Stream
	What string
}

// String says what is wrong, and in which stream.
func (w Wrong) String() string { return fmt.Sprintf("%v: %s", w.Stream, w.What) }

// Judge compares what was received with what was sent, stream by stream.
func (l *Log) Judge() (v Verdict) {
	for _, s := range slices.SortedFunc(maps.Keys(l.streams), Stream.compare) {
		r := l.streams[s]
		var wrong []string
		var missing int
		if s.Sort == Replies || s.Sort == Gets {
			wrong, missing = r.unordered()
		} else {
			var holes int
			wrong, missing, holes = r.ordered()
			v.Holes += holes
		}
		for _, w := range wrong {
			v.Wrong = append(v.Wrong, Wrong{s, w})
		}
		if missing > 0 {
			v.Missing = append(v.Missing, fmt.Sprintf("%v: %d of %d are missing", s, missing, len(r.sent)))
		}
	}
	v.Wrong = append(v.Wrong, l.judgeWords()...)
	return v
}

func (s Stream) compare(o Stream) int {
	return cmp.Or(cmp.Compare(s.Sort, o.Sort), s.From-o.From, s.To-o.To)
}

// unordered takes each item received for an equal one sent that has not been taken.
func (r *record) unordered() (wrong []string, missing int) {
	left := map[Item]int{}
	for _, x := range r.sent {
		left[x]++
	}
	taken := 0
	for k, x := range r.got {
		if left[x]--; left[x] < 0 {
			wrong = append(wrong, fmt.Sprintf("number %d of those received, of %d B, was never sent, or came before", k, x.Bytes))
			continue
		}
		taken++
	}
	return wrong, len(r.sent) - taken
}

// ordered takes each item received for the first equal one sent after those taken before.
func (r *record) ordered() (wrong []string, missing, holes int) {
	next, taken := 0, 0 // next is behind the last one taken
	for k, x := range r.got {
		if i := slices.Index(r.sent[next:], x); i >= 0 {
			next += i + 1
			taken++
			continue
		}
		what := "was never sent"
		if i := slices.Index(r.sent, x); i >= 0 {
			what = fmt.Sprintf("is number %d of those sent, again or too late", i)
		}
		wrong = append(wrong, fmt.Sprintf("number %d of those received, of %d B, %s", k, x.Bytes, what))
	}
	return wrong, len(r.sent) - taken, next - taken
}

// judgeWords compares each node's word with the changes.
func (l *Log) judgeWords() (wrong []Wrong) {
	for node, last := range l.words {
		if all := l.changes[node]; !explains(0, last, all) {
			wrong = append(wrong, Wrong{Stream{Words, node, node}, fmt.Sprintf("%d changes do not lead to %#x, each once", len(all), last)})
		}
	}
	return wrong
}

// change is an addition to a word, or a swap. One that has returned has taken effect; one that has
// not, or has failed, may have.
type change struct {
	node     int
	swap     bool
	expected uint64 // of a swap
	operand  uint64
	old      uint64 // what it says was there
	returned bool
}

// after returns the word after the change, given the value that it finds.
func (x *change) after(value uint64) uint64 {
	switch {
	case !x.swap:
		return value + x.operand
	case value == x.expected:
		return x.operand
	}
	return value
}

// explains reports whether changes lead from one value of a word to another: all that have returned
// and any of the others, those of each node in their order.
func explains(value, last uint64, all []*change) bool {
	done := true
	tried := map[int]bool{}
	for i, x := range all {
		if tried[x.node] {
			continue // behind another one of its node
		}
		tried[x.node] = true
		done = done && !x.returned
		if x.returned && x.old != value {
			continue
		}
		next, rest := x.after(value), slices.Concat(all[:i], all[i+1:])
		if found := explains(next, last, rest); found || next == value && x.returned {
			return found // one that changes nothing may as well come first
		}
	}
	return done && value == last
}
