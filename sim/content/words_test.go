package content_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/sim/content"
)

// TestWords: a source's bytes from any offset on are those that it has there, and those of another key differ.
func TestWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := content.Words(rapid.Uint64().Draw(t, "key"))
		all := make([]byte, 64)
		w.Read(0, all)
		from := rapid.IntRange(0, 60).Draw(t, "from")
		n := rapid.IntRange(1, 64-from).Draw(t, "bytes")
		b := make([]byte, n)
		w.Read(from, b)
		require.Equal(t, all[from:from+n], b)

		other := make([]byte, 64)
		(w + 1).Read(0, other)
		require.False(t, bytes.Equal(all, other))
		at, want := w.Differs(other)
		require.GreaterOrEqual(t, at, 0)
		require.Equal(t, all[at], want)
	})
}
