package firmware

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A window of numbers has those that were added and not acknowledged, also when
// numbers wrap and packets are added while others are removed.
func TestWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		begin := rapid.Uint32().Draw(t, "begin")
		w := Window[uint32]{base: begin}
		next, first := begin, begin
		add := func() {
			require.Equal(t, next, w.Add(next))
			next++
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "add") {
				add()
				continue
			}
			below := first + uint32(rapid.IntRange(-3, int(next-first)+2).Draw(t, "below"))
			want, among := int(int32(below-first)), int32(below-next) <= 0
			more := rapid.Bool().Draw(t, "more")
			n, ok := w.Acknowledge(below, func(p uint32) {
				require.Equal(t, first, p)
				first++
				if more {
					add()
				}
			})
			require.Equal(t, among, ok)
			if ok {
				require.Equal(t, want, n)
			}
			require.Len(t, w.Kept, int(next-first))
		}
	})
}
