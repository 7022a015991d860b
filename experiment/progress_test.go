package experiment

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/experiment/measure"
)

func TestCountingReportsEveryStepOnce(t *testing.T) {
	var seen []int64
	done := Watch(func(p Progress) {
		require.EqualValues(t, 20, p.Total)
		seen = append(seen, p.Done)
	}).Counting(20, "measurements")
	require.NoError(t, measure.Parallel(context.Background(), 20, func(i int) error { done(fmt.Sprint(i)); return nil }))
	require.Len(t, seen, 20)
	for i, n := range seen {
		require.EqualValues(t, i+1, n)
	}
	Watch(nil).Counting(1, "")("nobody watches")
}
