package rpc_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/testbed"
)

// TestMessages: what every layer has to pass.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 2000), 1, 40).Draw(t, "sizes")
		r := testbed.New(t, "sun-rpc", "rpc", 2, 1400)
		r.Deliver(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 50).Draw(t, "turn"), sizes...)
	})
}

// TestShortBehindLong: a frame without data does not overtake one whose data are
// still being fetched.
func TestShortBehindLong(t *testing.T) {
	r := testbed.New(t, "sun-rpc", "rpc", 2, 1400)
	r.Deliver(0, 5, 855, 1, 1364, 0)
	require.Zero(t, r.Count(1, "out of order"))
}
