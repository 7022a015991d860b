package patterns

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestContent: a letter's bytes are its own, and every changed byte is found.
func TestContent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := letter{
			seed: rapid.Uint64().Draw(t, "seed"), from: rapid.IntRange(0, 1023).Draw(t, "from"),
			to: rapid.IntRange(everybody, 1023).Draw(t, "to"), number: rapid.Uint32().Draw(t, "number"),
		}
		b := make([]byte, 4*rapid.IntRange(4, 600).Draw(t, "words"))
		l.words().Read(0, b)
		at, _ := l.words().Differs(b)
		require.Equal(t, -1, at)

		i := rapid.IntRange(0, len(b)-1).Draw(t, "byte")
		old := b[i]
		b[i] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
		at, want := l.words().Differs(b)
		require.Equal(t, i, at)
		require.Equal(t, old, want)
		b[i] = old

		for _, other := range []letter{
			{l.seed + 1, l.from, l.to, l.number}, {l.seed, l.from + 1, l.to, l.number},
			{l.seed, l.from, l.to + 1, l.number}, {l.seed, l.from, l.to, l.number + 1},
			{l.seed, l.to, l.from, l.number},
		} {
			if other == l {
				continue
			}
			at, _ = other.words().Differs(b)
			require.GreaterOrEqual(t, at, 0, "%+v has the bytes of %+v", other, l)
		}
	})
}
