package capture

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
