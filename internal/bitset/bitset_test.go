package bitset_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/internal/bitset"
)

// TestSet: a set holds what has been added and not removed, in order.
func TestSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		s, want := bitset.New(n), map[int]bool{}
		for range rapid.IntRange(0, 100).Draw(t, "steps") {
			k := rapid.IntRange(0, n-1).Draw(t, "k")
			if want[k] = rapid.Bool().Draw(t, "add"); want[k] {
				s.Add(uint32(k))
			} else {
				s.Remove(uint32(k))
			}
			require.Equal(t, want[k], s.Has(uint32(k)))
		}
		var got, all []int
		s.Each(func(k int) { got = append(got, k) })
		for k, in := range want {
			if in {
				all = append(all, k)
			}
		}
		slices.Sort(all)
		require.Equal(t, all, got)
	})
}
