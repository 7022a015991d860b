package vmmc_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/testbed"
)

// TestMessages: what every layer has to pass.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 20000), 1, 12).Draw(t, "sizes")
		r := testbed.New(t, "ppro", "vmmc", 2, 20000)
		r.Deliver(rapid.Uint64().Draw(t, "seed"), 1, sizes...)
	})
}
