package watch

// datagramHalves are halves of datagrams that wait for their other ones. A datagram is known by its flow and by the identification in its
// header, of 16 bits, which the sender counts up.
type datagramHalves struct {
	young, old map[numbered]Half // old ones are forgotten when there are mostWaitingDatagrams young ones
	rounds     map[uint64]*round // by flow
}

type numbered struct {
	flow uint64
	id   uint32
	kind HalfKind
}

// round is how fast the identifications of a flow come round.
type round struct {
	last     uint16
	advance  int   // identifications since at
	at       int64 // ns
	shortest int64 // ns in which all of them were given; 0: they were not yet
}

// mostWaitingDatagrams is how many halves of datagrams wait at most, and as many older ones. They take 50 MB.
const mostWaitingDatagrams = 1 << 17

// mostTransit is how long a datagram is on its way at most, in ns. One that took longer may be another one with its identification.
const mostTransit = 1e9

// match returns the other half of a datagram, or keeps this one until that comes.
func (d *datagramHalves) match(h Half) (other Half, found bool) {
	if d.young == nil || len(d.young) >= mostWaitingDatagrams {
		d.young, d.old = map[numbered]Half{}, d.young
	}
	own := numbered{h.Flow, h.End, h.Kind}
	if h.Kind == HalfSent {
		d.meet(&h)
	}
	key := own
	key.kind = HalfSent + HalfRead - h.Kind
	for _, all := range []map[numbered]Half{d.young, d.old} {
		if other, found = all[key]; found {
			delete(all, key)
			return other, true
		}
	}
	delete(d.old, own)
	d.young[own] = h
	return other, false
}

// mostRounds is of how many flows it is known how fast their identifications come round.
const mostRounds = 1 << 14

// meet follows the identifications of a flow. Of packets that overtake each other the number goes back a little.
func (d *datagramHalves) meet(h *Half) {
	r := d.rounds[h.Flow]
	if r == nil {
		if len(d.rounds) >= mostRounds || d.rounds == nil {
			d.rounds = map[uint64]*round{}
		}
		d.rounds[h.Flow] = &round{last: uint16(h.End), at: h.At[2]}
		return
	}
	by := uint16(h.End) - r.last
	if by >= 1<<15 {
		return
	}
	r.last = uint16(h.End)
	if r.advance += int(by); r.advance < 1<<16 {
		return
	}
	if took := h.At[2] - r.at; r.shortest == 0 || took < r.shortest {
		r.shortest = took
	}
	r.advance, r.at = 0, h.At[2]
}

// sure reports whether no other datagram of a flow can have arrived after so long with the identification of the one that was sent.
func (d *datagramHalves) sure(sent *Half, net, bound int64) bool {
	most := int64(mostTransit)
	if r := d.rounds[sent.Flow]; r != nil && r.shortest > 0 {
		most = min(most, r.shortest/2) // a part of the time they may have been faster
	}
	return net >= -bound && net < most
}
