// Package bitset holds sets of small numbers, a bit each.
package bitset

import "math/bits"

// Set is a set of numbers from 0 to below 64 times its length.
type Set []uint64

// New returns an empty set for numbers below n.
func New(n int) Set { return make(Set, (n+63)/64) }

// Has reports whether n is in the set.
func (s Set) Has(n uint32) bool { return s[n>>6]>>(n&63)&1 != 0 }

// Add adds n.
func (s Set) Add(n uint32) { s[n>>6] |= 1 << (n & 63) }

// Remove removes n.
func (s Set) Remove(n uint32) { s[n>>6] &^= 1 << (n & 63) }

// Each calls do with the numbers in their order. What is added or removed meanwhile may be among them or not.
func (s Set) Each(do func(n int)) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			do(i<<6 | bits.TrailingZeros64(word))
		}
	}
}
