package trace

import (
	"cmp"
	"iter"
	"slices"
)

// Half is one interface's record of a packet. Times are in ns of global time. It
// is small, because a run has two for each of millions of packets.
type Half struct {
	Sender, Receiver int32
	Number           uint32 // by the sender, never twice
	Bytes            int32
	Span             Span
	Tag              Tag
	Kind             Kind
	First            bool
	Sent             bool     // recorded by the sender
	At               [4]int64 // sender: T1 to T4; receiver: T3 (out of the packet's header), T5, T6, bound of T5 - T3
}

// t3 is the half's own T3.
func (h *Half) t3() int64 {
	if h.Sent {
		return h.At[2]
	}
	return h.At[0]
}

// joined is a packet with its halves, one of which may be missing.
type joined struct {
	t3             int64
	sent, received *Half
}

// Join combines the two halves of each packet into one row, in the order of T3. It returns
// how many rows have only one half. Rows are made from the halves during iteration, so the
// halves must not change.
func Join(pieces [][]Half) (rows iter.Seq[PacketRow], single int) {
	halves := byPacket(pieces)
	n := 0
	for i := range halves {
		if i == 0 || !halves[i].completes(halves[i-1]) {
			n++
		}
	}
	packets := make([]joined, 0, n)
	for i, h := range halves {
		switch {
		case i > 0 && h.completes(halves[i-1]):
			p := &packets[len(packets)-1]
			p.t3, p.received = h.t3(), h.Half
		case h.Sent:
			packets = append(packets, joined{t3: h.t3(), sent: h.Half})
		default:
			packets = append(packets, joined{t3: h.t3(), received: h.Half})
		}
	}
	slices.SortFunc(packets, func(a, b joined) int {
		if a.t3 != b.t3 {
			return cmp.Compare(a.t3, b.t3)
		}
		x, y := a.any(), b.any()
		return cmp.Or(cmp.Compare(x.Sender, y.Sender), cmp.Compare(x.Number, y.Number))
	})
	return func(yield func(PacketRow) bool) {
		for _, p := range packets {
			if !yield(p.row()) {
				return
			}
		}
	}, 2*n - len(halves)
}

// keyed is a half with what it is sorted by: sender, number, the sender's own first.
type keyed struct {
	*Half
	key uint64
}

// completes reports whether h is the receiver's half of the packet of which
// the half before it is the sender's.
func (h keyed) completes(before keyed) bool { return !h.Sent && h.key == before.key+1 }

func byPacket(pieces [][]Half) []keyed {
	n := 0
	for _, p := range pieces {
		n += len(p)
	}
	out := make([]keyed, 0, n)
	for _, p := range pieces {
		for i := range p {
			h := &p[i]
			key := uint64(h.Sender)<<33 | uint64(h.Number)<<1
			if !h.Sent {
				key |= 1
			}
			out = append(out, keyed{h, key})
		}
	}
	slices.SortFunc(out, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
	return out
}

// any returns a half that is not missing.
func (p *joined) any() *Half {
	if p.sent != nil {
		return p.sent
	}
	return p.received
}

// row makes the packet's row. Net is the receiver's, which converted both clocks with
// one table. If the sender's table differed, the sender's instants are shifted to match
// T3.
func (p *joined) row() PacketRow {
	h := p.any()
	r := PacketRow{
		Tag: h.Tag, Kind: h.Kind.String(), Span: int64(h.Span), Sender: int64(h.Sender), Receiver: int64(h.Receiver),
		Number: int64(h.Number), SizeBytes: int64(h.Bytes), First: h.First, T3Ns: Some(p.t3),
	}
	if s := p.sent; s != nil {
		shift := p.t3 - s.t3()
		r.T1Ns, r.T2Ns, r.T4Ns = Some(s.At[0]+shift), Some(s.At[1]+shift), Some(s.At[3]+shift)
	}
	if x := p.received; x != nil {
		r.T5Ns, r.T6Ns, r.BoundNs = Some(x.At[1]), Some(x.At[2]), Some(x.At[3])
	}
	r.settle()
	return r
}
