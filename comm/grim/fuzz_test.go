package grim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Words that are a call are those that it is sent as.
func FuzzCall(f *testing.F) {
	f.Add((&call{op: callPlain, handler: 3, number: 7, args: [4]uint32{1, 2, 3, 4}}).encode(nil))
	f.Add((&call{op: callGet, handler: 3, number: 7, bytes: 100, at: 8192, into: 1 << 40}).encode(nil))
	f.Fuzz(func(t *testing.T, words []byte) {
		q, ok := decode(words)
		if !ok {
			return
		}
		back, ok := decode(q.encode(nil))
		require.True(t, ok)
		require.Equal(t, q, back)
	})
}
