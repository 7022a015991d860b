package dfs

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLocksInOrder: locks are granted in the order of asking, neighbours that
// share together, and nobody overtakes one who wants it alone.
func TestLocksInOrder(t *testing.T) {
	l := newLocks()
	who := func(tag uint32, alone bool) waiter { return waiter{request: request{tag: tag}, alone: alone} }
	tags := func(ws []waiter, err error) (out []uint32) {
		require.NoError(t, err)
		for _, w := range ws {
			out = append(out, w.request.tag)
		}
		return out
	}
	require.True(t, l.ask(7, who(1, false)))
	require.True(t, l.ask(7, who(2, false)))
	require.False(t, l.ask(7, who(3, true)))
	require.False(t, l.ask(7, who(4, false)), "behind 3")
	require.False(t, l.ask(7, who(5, false)))
	require.False(t, l.ask(7, who(6, true)))
	require.True(t, l.ask(8, who(9, true)), "another lock")
	require.Empty(t, tags(l.release(7)))
	require.Equal(t, []uint32{3}, tags(l.release(7)))
	require.Equal(t, []uint32{4, 5}, tags(l.release(7)))
	require.Empty(t, tags(l.release(7)))
	require.Equal(t, []uint32{6}, tags(l.release(7)))
	require.Empty(t, tags(l.release(7)))
	_, err := l.release(7)
	require.ErrorContains(t, err, "released but not held")
	require.Empty(t, tags(l.release(8)))
	require.Empty(t, l.table, "what nobody has is forgotten")
}

// TestNamesFitTheirDirectories for any number of files.
func TestNamesFitTheirDirectories(t *testing.T) {
	for _, files := range []int{1, 31, 32, 33, 500, 5000, 100000} {
		dirs, of := spread(files)
		used := make([]int, dirs)
		for _, d := range of {
			used[d]++
			require.LessOrEqual(t, used[d], dirEntries)
		}
		require.LessOrEqual(t, len(name(1<<20-1)), nameBytes)
	}
}
