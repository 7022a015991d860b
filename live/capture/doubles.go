package capture

import (
	"cmp"
	"slices"
)

// doubleNs is the time within which a packet comes twice: from two devices of a host, as captures of all
// devices have it.
const doubleNs = 1_000_000

// doubles tells packets that a capture has had already by their numbers, which versions 4 of the internet protocol
// and fragments have.
type doubles struct {
	recent, before map[uint64]int64 // stamps by what packets look like, of two times of doubleNs
	since          int64            // of recent
	count          int64
}

// has reports whether a packet is a double, and counts it.
func (d *doubles) has(p datagram, stamp int64) bool {
	if p.id == 0 {
		return false
	}
	if age := stamp - d.since; d.recent == nil || age < 0 || age > doubleNs {
		d.recent, d.before, d.since = d.before, d.recent, stamp
		clear(d.recent)
		if d.recent == nil {
			d.recent = map[uint64]int64{}
		}
	}
	key := p.digest()
	for _, stamps := range []map[uint64]int64{d.recent, d.before} {
		if first, ok := stamps[key]; ok && stamp-first <= doubleNs {
			d.count++
			return true
		}
	}
	d.recent[key] = stamp
	return false
}

// sides returns packets that look the same by end, in the order of time, and how many doubles are left out. Packets
// without a number are doubles if one capture has all of the other's so many times, close together.
func sides(group []observation) (by [2][]observation, doubles [2]int64) {
	slices.SortStableFunc(group, func(a, b observation) int { return cmp.Compare(a.end, b.end) })
	n := 0
	for n < len(group) && group[n].end == 0 {
		n++
	}
	by = [2][]observation{group[:n], group[n:]}
	for e := range by {
		few, many := len(by[1-e]), len(by[e])
		if few == 0 || many <= few || many%few != 0 {
			continue
		}
		times, close := many/few, true
		for i := 0; i < many; i += times {
			close = close && by[e][i+times-1].first-by[e][i].first <= doubleNs
		}
		if !close {
			continue
		}
		for i := range few {
			by[e][i] = by[e][i*times]
		}
		by[e], doubles[e] = by[e][:few], int64(many-few)
	}
	return by, doubles
}
