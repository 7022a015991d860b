package watch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// TestSamplesAreBounded: of many samples those that stay are equally far apart.
func TestSamplesAreBounded(t *testing.T) {
	r := result{spec: Default(), packets: trace.NewJoiner()}
	const taken = 3*mostSamples + 1
	for i := range taken {
		r.take(&sample{At: [5]uint64{4: 1}, Served: uint64(i), Why: drawn})
	}
	require.Less(t, len(r.samples), mostSamples)
	for i, s := range r.samples {
		require.EqualValues(t, 4*i, s.Served)
	}
	left := len(r.samples)
	require.EqualValues(t, taken-left, r.join())
	require.Contains(t, r.warnings[0], "one message in 64")
}
