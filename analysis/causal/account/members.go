package account

import (
	"math/bits"

	"github.com/sigview/sigview/trace/waits"
)

// Members are some of the actors of a log, which have other numbers among themselves: from 1, in the same order.
type Members struct {
	words  []uint64
	before []waits.ID // by word: how many members are in those before it
	of     []waits.ID // by number among members: that in the log
}

// newMembers returns no members of a log with actors up to n.
func newMembers(n int) *Members { return &Members{words: make([]uint64, n/64+1)} }

// Add adds an actor; 0 is none.
func (m *Members) Add(number waits.ID) {
	if number != 0 {
		m.words[number/64] |= 1 << (number % 64)
	}
}

// Has reports whether an actor is a member.
func (m *Members) Has(number waits.ID) bool { return m.words[number/64]>>(number%64)&1 == 1 }

// count numbers the members. None can be added afterwards.
func (m *Members) count() {
	m.before, m.of = make([]waits.ID, len(m.words)), []waits.ID{0}
	m.each(func(number waits.ID) { m.of = append(m.of, number) })
	sum := waits.ID(0)
	for i, w := range m.words {
		m.before[i] = sum
		sum += waits.ID(bits.OnesCount64(w))
	}
}

// ID returns the number of a member among all; 0: it is none.
func (m *Members) ID(number waits.ID) waits.ID {
	if !m.Has(number) {
		return 0
	}
	i := number / 64
	return m.before[i] + waits.ID(bits.OnesCount64(m.words[i]&(1<<(number%64+1)-1)))
}

// each calls f with the members in ascending order of their numbers in the log.
func (m *Members) each(f func(number waits.ID)) {
	for i, w := range m.words {
		for ; w != 0; w &= w - 1 {
			f(waits.ID(64*i + bits.TrailingZeros64(w)))
		}
	}
}
