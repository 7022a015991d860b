package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The default routes, which come from sums per node, are those that climb step by step with way 0.
func TestDefaultRoutesOfATree(t *testing.T) {
	for _, shape := range []struct{ nodes, radix int }{{8, 8}, {9, 8}, {40, 8}, {130, 8}, {50, 4}, {100, 6}, {70, 16}, {20, 4}} {
		tr := newTree(shape.nodes, shape.radix)
		for src := range shape.nodes {
			for dst := range shape.nodes {
				got := tr.route(nil, src, dst, 0)
				want := tr.detour([]int32{int32(src)}, src, dst, 0, top(tr.digitsOf(src), tr.digitsOf(dst)))
				require.Equal(t, append(want, int32(tr.nodes+dst)), got, "%v from %d to %d", shape, src, dst)
			}
		}
	}
}
