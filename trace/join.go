package trace

import (
	"cmp"
	"slices"
)

// Half is what one interface recorded of a packet: the sender T1 to T4, the
// receiver T3 (out of the packet's header), T5 and T6. Times are in ns of global time.
type Half struct {
	Sender, Receiver int
	Number           uint32 // by the sender, consecutive
	Meta             Meta
	Bytes            int
	First            bool
	T1, T2, T3, T4   int64
	T5, T6           int64
	BoundNs          int64 // receiver: of T5 - T3
}

// Join puts the two halves of each packet together, one row per packet in the
// order of T3. It returns how many rows have one half only. Net is the receiver's, who
// knew both clocks at the time; the sender's instants move with T3, if the two
// nodes' clock tables differed.
func Join(sent, received []Half) (rows []PacketRow, single int) {
	sent, received = sorted(sent), sorted(received)
	for len(sent) > 0 || len(received) > 0 {
		order := 0
		switch {
		case len(received) == 0:
			order = -1
		case len(sent) == 0:
			order = 1
		default:
			order = byPacket(sent[0], received[0])
		}
		h := Half{}
		if order <= 0 {
			h = sent[0]
		} else {
			h = received[0]
		}
		r := PacketRow{
			Tag: h.Meta.Tag, Kind: h.Meta.Kind.String(), Span: int64(h.Meta.Span), Sender: int64(h.Sender), Receiver: int64(h.Receiver),
			Number: int64(h.Number), SizeBytes: int64(h.Bytes), First: h.First, T3Ns: Some(h.T3),
		}
		shift := int64(0)
		if order >= 0 {
			x := received[0]
			if order == 0 {
				shift = x.T3 - h.T3
			}
			r.T3Ns, r.T5Ns, r.T6Ns, r.BoundNs = Some(x.T3), Some(x.T5), Some(x.T6), Some(x.BoundNs)
			received = received[1:]
		}
		if order <= 0 {
			r.T1Ns, r.T2Ns, r.T4Ns = Some(h.T1+shift), Some(h.T2+shift), Some(h.T4+shift)
			sent = sent[1:]
		}
		if order != 0 {
			single++
		}
		r.settle()
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b PacketRow) int {
		return cmp.Or(cmp.Compare(a.T3Ns.Value, b.T3Ns.Value), cmp.Compare(a.Sender, b.Sender), cmp.Compare(a.Number, b.Number))
	})
	return rows, single
}

func sorted(halves []Half) []Half {
	halves = slices.Clone(halves)
	slices.SortStableFunc(halves, byPacket)
	return halves
}

func byPacket(a, b Half) int {
	return cmp.Or(cmp.Compare(a.Sender, b.Sender), cmp.Compare(a.Receiver, b.Receiver), cmp.Compare(a.Number, b.Number))
}
