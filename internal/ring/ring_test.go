package ring

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/sigview/sigview/check/testlong" // more cases in make test-long
)

// TestRing compares the ring with a slice.
func TestRing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r Ring[int]
		var want []int
		for i, step := range rapid.SliceOf(rapid.IntRange(0, 20)).Draw(t, "steps") {
			switch {
			case step > 10:
				r.Push(i)
				want = append(want, i)
			case step == 0:
				r.Clear()
				want = nil
			case step > 7 && len(want) > 0:
				k := i % len(want)
				require.Equal(t, want[k], r.Take(k))
				want = append(want[:k:k], want[k+1:]...)
			case len(want) > 0:
				require.Equal(t, want[0], r.Pop())
				want = want[1:]
			}
			require.Equal(t, len(want), r.Len())
			for k, v := range want {
				require.Equal(t, v, *r.At(k))
			}
		}
	})
}
