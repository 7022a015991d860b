package rundir

import (
	"bytes"
	"io"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace"
)

// TestRecycledMemoryIsLikeNew: all zero, and nobody else's.
func TestRecycledMemoryIsLikeNew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := newRecycler()
		var held [][]byte // each filled with its own number
		number := byte(0)
		t.Repeat(map[string]func(*rapid.T){
			"allocate": func(t *rapid.T) {
				b := r.Allocate(rapid.IntRange(1, 200).Draw(t, "size"))
				require.Equal(t, make([]byte, cap(b)), b[:cap(b)])
				number++
				copy(b, bytes.Repeat([]byte{number}, len(b)))
				held = append(held, b)
			},
			"grow": func(t *rapid.T) {
				if len(held) == 0 {
					t.Skip()
				}
				i := rapid.IntRange(0, len(held)-1).Draw(t, "which")
				old := bytes.Clone(held[i])
				b := r.Reallocate(len(old)+rapid.IntRange(0, 100).Draw(t, "more"), held[i])
				require.Equal(t, old, b[:len(old)])
				require.Equal(t, make([]byte, len(b)-len(old)), b[len(old):])
				held[i] = b[:len(old)]
			},
			"free": func(t *rapid.T) {
				if len(held) == 0 {
					t.Skip()
				}
				r.Free(held[0])
				held = held[1:]
			},
			"": func(t *rapid.T) {
				for _, b := range held {
					require.Equal(t, bytes.Repeat(b[:1], len(b)), b)
				}
			},
		})
	})
}

// TestLongTableTakesLittleMemory: what a table's batches need in memory does
// not grow with it.
func TestLongTableTakesLittleMemory(t *testing.T) {
	piece := manyPackets(1 << 10)
	allocated := func(rows int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n, err := encodeSeq(io.Discard, func(yield func(trace.PacketRow) bool) {
			for range rows / len(piece) {
				for r := range slices.Values(piece) {
					if !yield(r) {
						return
					}
				}
			}
		}, nil, func() {})
		require.NoError(t, err)
		require.EqualValues(t, rows, n)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	one, four := allocated(BatchRows), allocated(4*BatchRows)
	require.Less(t, four, one+one/4)
}
