package histo

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestValues(t *testing.T) {
	h, negative := Values(maps.All(map[int64]int64{-30: 1, 5: 1, 1_000: 1, 2_000_000: 1, 40_000_000_000: 1}))
	require.EqualValues(t, 1, negative)
	require.EqualValues(t, 4, h.TotalCount())
	require.EqualValues(t, 5, h.Min())
	require.InEpsilon(t, 1000, h.ValueAtQuantile(50), 0.001)
	require.InEpsilon(t, 40e9, h.Max(), 0.001)
	h, negative = Values(maps.All(map[int64]int64{-1: 3}))
	require.Zero(t, h.TotalCount())
	require.EqualValues(t, 3, negative)
}
