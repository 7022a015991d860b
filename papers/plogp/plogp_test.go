package plogp

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
)

// gaps are a measurement whose gap is 100 µs everywhere by the fast method.
func gaps(saturated map[int]float64) (f measure.Fast) {
	f.Parameterized, f.Saturated = &logp.Parameterized{}, map[int]logp.Estimate{}
	for n, us := range saturated {
		f.Sizes = append(f.Sizes, logp.Sized{Bytes: n, G: logp.Estimate{Value: 100}})
		f.Saturated[n] = logp.Estimate{Value: us}
	}
	return f
}

func TestWhereSaturationDeparts(t *testing.T) {
	f := gaps(map[int]float64{64: 95, 512: 50, 4096: 70, 8192: 101})
	pct, n := deepest(f)
	require.InDelta(t, 50, pct, 1e-9)
	require.Equal(t, 512, n)
	require.InDelta(t, 512, where(f).Value, 0)
	require.Zero(t, where(gaps(map[int]float64{64: 95, 512: 92})).Value, "5 and 8 %")
}

func TestClose(t *testing.T) {
	for _, c := range []struct {
		name  string
		wide  map[int]float64
		close bool
	}{
		{"within 5 %", map[int]float64{1: 97, 256: 60, 8192: 96}, true},
		{"off beside the region", map[int]float64{1: 90, 256: 60, 8192: 96}, false},
		{"the fast method lower", map[int]float64{1: 102, 256: 102, 8192: 96}, false},
	} {
		fine := gaps(map[int]float64{1: 99, 1024: 60, 8192: 98})
		require.Equal(t, c.close, agree(fine, gaps(c.wide)).Holds, c.name)
	}
}

// TestRowsOfSmallMeasurements: rows that need no measurement of all sizes are met, and their
// counter-experiments are not.
func TestRowsOfSmallMeasurements(t *testing.T) {
	table, err := judge.Published()
	require.NoError(t, err)
	rows := Rows(7)
	for _, id := range []string{"pl-dbl", "pl-or", "pl-itsmall", "pl-pairs", "pl-lim-app", "pl-lim-sync", "pl-or-gt-g", "pl-irecv"} {
		row, ok := table.Row(id)
		require.True(t, ok, id)
		result, err := rows.One(context.Background(), row)
		require.NoError(t, err)
		require.NotEqual(t, judge.Miss, result.Verdict, "%s: %s", id, result.Note)
	}
}
