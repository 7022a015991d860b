package experiment

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/experiment/perftest"
)

// TestSizesHaveOneLimit: a listing, the sizes of a specification and a test take messages up to the same size.
func TestSizesHaveOneLimit(t *testing.T) {
	const most = 64 << 20
	for _, size := range []int64{most, most + 1} {
		file := filepath.Join(t.TempDir(), "listing.txt")
		require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, "#bytes #iterations t_avg[usec]\n%d 1000 2.5\n", size), 0o644))
		_, listed := bench.ReadListing(file)
		spec := DefaultVerbs()
		spec.Sizes = []int64{size}
		test := perftest.Test{Operation: perftest.Write, Measure: perftest.Bandwidth, Bytes: size, Pairs: 1, Outstanding: 1, Threads: 1, Count: 1}
		for what, err := range map[string]error{"listing": listed, "specification": spec.Validate(Known()), "test": test.Validate()} {
			require.Equal(t, size > most, err != nil, "%s of %d B: %v", what, size, err)
		}
	}
}
