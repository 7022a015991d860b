package ni

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestRing compares the ring with a slice.
func TestRing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r ring[int]
		var want []int
		for i, push := range rapid.SliceOf(rapid.Bool()).Draw(t, "push") {
			if push {
				r.push(i)
				want = append(want, i)
			} else if len(want) > 0 {
				require.Equal(t, want[0], r.pop())
				want = want[1:]
			}
			require.Equal(t, len(want), r.len())
			for k, v := range want {
				require.Equal(t, v, *r.at(k))
			}
		}
	})
}
