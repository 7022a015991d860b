package experiment

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPerturbWithATrace: the traced build stands beside the five others and costs more than
// the full one.
func TestPerturbWithATrace(t *testing.T) {
	spec := PerturbSpec{Platform: DefaultPlatform, Seed: 1, Sizes: []int64{64}, Programs: []string{"fft"}, Traced: true}
	p, err := Perturb(context.Background(), spec, nil)
	require.NoError(t, err)
	require.Len(t, p.Points, 6*len(PerturbTests()))
	for _, test := range PerturbTests() {
		full, traced := p.Find(BuildFull, test, 64), p.FindTraced(test, 64)
		require.Empty(t, full.Trace)
		require.Equal(t, TraceAll, traced.Trace)
		require.Less(t, *traced.BandwidthMBps, *full.BandwidthMBps, test)
	}
	require.Len(t, p.Applications, 6)
	require.Equal(t, TraceAll, p.Applications[5].Trace)

	spec.Traced, spec.Programs = false, []string{}
	p, err = Perturb(context.Background(), spec, nil)
	require.NoError(t, err)
	require.Len(t, p.Points, 5*len(PerturbTests()))
	require.Nil(t, p.FindTraced(PerturbTests()[0], 64))
}
