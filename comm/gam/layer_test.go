package gam_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/testbed"
)

// TestMessages: what every layer has to pass.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 4096), 1, 24).Draw(t, "sizes")
		turn := rapid.IntRange(1, 30).Draw(t, "turn")
		r := testbed.New(t, "ppro", "gam", 2, 4096)
		r.Deliver(rapid.Uint64().Draw(t, "seed"), turn, sizes...)
	})
}

// platforms differ in where messages lie and who moves data.
var platforms = []string{"ppro", "myrinet", "paragon", "meiko"}
