package trace

import (
	"cmp"
	"iter"
	"slices"

	"github.com/sigview/sigview/internal/spill"
)

// Half is one interface's record of a packet. Times are in ns of global time.
type Half struct {
	Sender, Receiver int32
	Number           uint32 // by the sender, never twice
	Bytes            int32
	Span             Span
	Tag              Tag
	Kind             Kind
	First            bool
	Sent             bool     // recorded by the sender
	Inline           bool     // by the sender: the data came with the request
	Wire             bool     // stamped on the wire only: of At, T3 and T5 count
	TakenNs          uint32   // by the sender: from T1 until the request was taken up
	At               [4]int64 // sender: T1 to T4; receiver: T3 (out of the packet's header), T5, T6, bound of T5 - T3
}

// t3 is the half's own T3.
func (h *Half) t3() int64 {
	if h.Sent {
		return h.At[2]
	}
	return h.At[0]
}

// last is the half's last instant: T4 or T6.
func (h *Half) last() int64 {
	if h.Sent {
		return h.At[3]
	}
	return h.At[2]
}

// key is what halves are sorted by: sender, number, the sender's own first.
func (h *Half) key() uint64 {
	key := uint64(h.Sender)<<33 | uint64(h.Number)<<1
	if !h.Sent {
		key |= 1
	}
	return key
}

// completes reports whether h is the receiver's half of the packet of which
// the half before it is the sender's.
func (h *Half) completes(before *Half) bool { return !h.Sent && h.key() == before.key()+1 }

// Records that a Joiner holds in memory: halves that wait for their other one, halves that
// have waited long, and packets.
const (
	roomWaiting = 1 << 16
	roomApart   = 1 << 15
	roomPackets = 1 << 16
)

// Joiner combines the two halves of each packet into one row. It takes the halves of all
// nodes in any order while a run goes on, in memory that does not grow with their number:
// what is joined, and what finds no other half for long, goes to temporary files.
type Joiner struct {
	room    int
	waiting []Half // without their other half so far
	keys    []waiter
	rest    []Half // memory for match
	apart   *spill.Sorter[Half]
	packets *spill.Sorter[joined]
	single  int
}

// waiter is the key of a waiting half, and where the half is.
type waiter struct {
	key uint64
	at  int
}

// NewJoiner returns a joiner without records.
func NewJoiner() *Joiner { return newJoiner(roomWaiting, roomApart, roomPackets) }

func newJoiner(waiting, apart, packets int) *Joiner {
	return &Joiner{
		room:    waiting,
		apart:   spill.New(apart, func(a, b *Half) int { return cmp.Compare(a.key(), b.key()) }),
		packets: spill.New(packets, byT3),
	}
}

// Add takes records, which the caller may overwrite afterwards.
func (j *Joiner) Add(halves []Half) {
	for len(halves) > 0 {
		n := min(len(halves), j.room-len(j.waiting))
		j.waiting, halves = append(j.waiting, halves[:n]...), halves[n:]
		if len(j.waiting) == j.room {
			j.match()
		}
	}
}

// Err returns the error of the temporary files, if one has occurred.
func (j *Joiner) Err() error { return cmp.Or(j.apart.Err(), j.packets.Err()) }

// match joins the waiting halves that have found each other. If most have not, they are
// put apart until the end.
func (j *Joiner) match() {
	j.keys = j.keys[:0]
	for i := range j.waiting {
		j.keys = append(j.keys, waiter{j.waiting[i].key(), i})
	}
	slices.SortFunc(j.keys, func(a, b waiter) int { return cmp.Compare(a.key, b.key) })
	rest := j.rest[:0]
	for i := 0; i < len(j.keys); i++ {
		h := &j.waiting[j.keys[i].at]
		if i+1 < len(j.keys) {
			if next := &j.waiting[j.keys[i+1].at]; next.completes(h) {
				j.packets.Add(join(h, next))
				i++
				continue
			}
		}
		rest = append(rest, *h)
	}
	j.waiting, j.rest = rest, j.waiting
	if len(rest) > j.room/2 {
		j.putApart()
	}
}

func (j *Joiner) putApart() {
	for _, h := range j.waiting {
		j.apart.Add(h)
	}
	j.waiting = j.waiting[:0]
}

// Rows returns a row for each packet, in the order of T3, and how many rows have only one
// half. It ends the joining: call it once, after the last Add. Err tells whether the
// sequence has ended early.
func (j *Joiner) Rows() (rows iter.Seq[PacketRow], single int) {
	j.match()
	j.putApart()
	var last *Half // waits for its other half
	alone := func() {
		if last != nil {
			j.packets.Add(join(last, nil))
			j.single++
		}
	}
	for h := range j.apart.All() {
		if last != nil && h.completes(last) {
			j.packets.Add(join(last, &h))
			last = nil
			continue
		}
		alone()
		last = &h
	}
	alone()
	packets := j.packets.All()
	return func(yield func(PacketRow) bool) {
		for p := range packets {
			if !yield(p.row()) {
				return
			}
		}
	}, j.single
}

// joined is a packet of which both halves, or one, are known.
type joined struct {
	Half          // what both know; At is the sender's, if there is one
	received      bool
	t3            int64
	t5, t6, bound int64 // of the receiver
}

// join makes a packet of its two halves, or of one. Net is the receiver's, which converted
// both clocks with one table. If the sender's table differed, the sender's instants are
// shifted to match T3.
func join(h, other *Half) joined {
	p := joined{Half: *h, t3: h.t3()}
	received := other
	if !h.Sent {
		received = h
	}
	if received != nil {
		p.received = true
		p.t3, p.t5, p.t6, p.bound = received.At[0], received.At[1], received.At[2], received.At[3]
	}
	return p
}

func byT3(a, b *joined) int {
	if a.t3 != b.t3 {
		return cmp.Compare(a.t3, b.t3)
	}
	return cmp.Or(cmp.Compare(a.Sender, b.Sender), cmp.Compare(a.Number, b.Number))
}

// row makes the packet's row.
func (p *joined) row() PacketRow {
	r := PacketRow{
		Tag: p.Tag, Kind: p.Kind.String(), Span: int64(p.Span), Sender: int64(p.Sender), Receiver: int64(p.Receiver),
		Number: int64(p.Number), SizeBytes: int64(p.Bytes), First: p.First, T3Ns: Some(p.t3),
	}
	if p.Sent && !p.Wire {
		shift := p.t3 - p.At[2]
		r.T1Ns, r.T2Ns, r.T4Ns = Some(p.At[0]+shift), Some(p.At[1]+shift), Some(p.At[3]+shift)
		r.Inline = Some(p.Inline)
		r.TakenNs = Some(p.At[0] + shift + int64(p.TakenNs))
	}
	if p.received {
		r.T5Ns, r.BoundNs = Some(p.t5), Some(p.bound)
		if !p.Wire {
			r.T6Ns = Some(p.t6)
		}
	}
	r.settle()
	return r
}
