package rebuild

import "math"

const (
	// mostRoom is the number of packets up to which the room of a place is told: with more, packets come when others leave by chance.
	mostRoom = 8
	// roomShare is the part in tenths of the waiting that has to end when a packet leaves, so that it is for room.
	roomShare = 9
)

// crowd finds which of some packets waited for room at a place, and for whom: until the one had left that came a certain number
// before, which is the room. The packets have come in this order. wait returns how long one waits that is not otherwise explained, in
// ps, and follows whether it goes on as soon as another one has left.
func crowd(all []*packet, wait func(*packet) int64, follows func(p, before *packet) bool) map[*packet]*packet {
	for room := 1; room <= mostRoom; room++ {
		waited, kept, out := int64(0), int64(0), map[*packet]*packet{}
		for i, p := range all {
			t := wait(p)
			waited += t
			if t > 0 && i >= room && follows(p, all[i-room]) {
				kept += t
				out[p] = all[i-room]
			}
		}
		if len(out) >= enoughQuiet && 10*kept >= roomShare*waited {
			return out
		}
	}
	return nil
}

// crowded finds the packets that waited before a free link until their receiver had room.
func crowded(received []*packet) {
	halted := func(p *packet) int64 {
		if p.lost {
			return 0
		}
		return p.flow - p.grant
	}
	for p, before := range crowd(received, halted, func(p, before *packet) bool { return p.flow <= before.t6 && before.t6 <= p.t5 }) {
		p.room = before
	}
}

// queued finds the packets that a card took up when it had sent others to the same node, and not as soon as it could. They are in the
// order in which they leave.
func queued(sent []*packet) {
	to, usual := map[int][]*packet{}, int64(math.MaxInt64)
	for _, p := range sent {
		to[p.receiver] = append(to[p.receiver], p)
		usual = min(usual, p.take-p.t1)
	}
	wait := func(p *packet) int64 { return p.take - p.t1 - usual }
	follows := func(p, before *packet) bool { return before.t4 <= p.take && p.take <= before.t4+usual }
	for _, all := range to {
		for p, before := range crowd(all, wait, follows) {
			p.slot = before
		}
	}
}
