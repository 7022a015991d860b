package amii_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/testbed"
)

// TestMessages: what every layer has to pass.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 6000), 1, 40).Draw(t, "sizes")
		r := testbed.New(t, "ppro", "amii", 2, 4096)
		r.Deliver(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 50).Draw(t, "turn"), sizes...)
	})
}
