package sim

import "math/bits"

// buckets is how many the wheel of a queue has.
const buckets = 1 << 12

// bitmap has a bit for each bucket that holds any event.
type bitmap struct {
	any   uint64 // a bit for each word that is not zero
	words [buckets / 64]uint64
}

// add marks bucket b as holding an event.
func (m *bitmap) add(b int) {
	m.words[b>>6] |= 1 << (b & 63)
	m.any |= 1 << (b >> 6)
}

// remove marks bucket b as empty.
func (m *bitmap) remove(b int) {
	if m.words[b>>6] &^= 1 << (b & 63); m.words[b>>6] == 0 {
		m.any &^= 1 << (b >> 6)
	}
}

// first returns the first filled bucket from p on, around the wheel, and its place counted from p, beginning
// with 1, or zero. It looks at one word of the map, then at any, never at all words.
func (m *bitmap) first(p int) (b int, ahead int64) {
	if m.any == 0 {
		return 0, 0
	}
	i := p >> 6
	word := m.words[i] >> (p & 63) << (p & 63)
	if word == 0 {
		rest := m.any &^ (1<<(i+1) - 1) // words behind; none when i is the last
		if rest == 0 {
			rest = m.any
		}
		i = bits.TrailingZeros64(rest)
		word = m.words[i]
	}
	b = i<<6 | bits.TrailingZeros64(word)
	return b, int64((b-p)&(buckets-1)) + 1
}
