package mpi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzDecode: what decodes is what was encoded, and nothing else decodes.
func FuzzDecode(f *testing.F) {
	b := envelope{kind: data, tag: 7, bytes: 9, sender: 1, taker: 2}.encode()
	f.Add(b[:])
	f.Fuzz(func(t *testing.T, text []byte) {
		var b [headBytes]byte
		copy(b[:], text)
		v, err := decode(b)
		require.Equal(t, v.kind >= kinds || v.bytes > longest, err != nil)
		require.Equal(t, b, v.encode())
	})
}
