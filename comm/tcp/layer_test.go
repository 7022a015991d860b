package tcp_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/testbed"
)

// TestMessages: what every layer has to pass.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 40000), 1, 12).Draw(t, "sizes")
		r := testbed.New(t, "das-wan", "tcp", 2, 40000)
		r.Deliver(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 6).Draw(t, "turn"), sizes...)
		require.Zero(t, r.Lost())
		for i, n := range r.Nodes {
			require.True(t, n.Layer.Quiet())
			require.Zero(t, r.Count(i, "repeated"))
		}
	})
}
