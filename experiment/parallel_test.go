package experiment

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParallel(t *testing.T) {
	ctx := context.Background()
	out := make([]int, 100)
	require.NoError(t, parallel(ctx, len(out), func(i int) error { out[i] = i + 1; return nil }))
	for i, v := range out {
		require.Equal(t, i+1, v)
	}
	require.NoError(t, parallel(ctx, 0, nil))

	// The error of the lowest index is returned, whichever comes first, and
	// nothing begins after one.
	for range 50 {
		var calls atomic.Int32
		err := parallel(ctx, 1000, func(i int) error {
			calls.Add(1)
			if i%7 == 3 {
				return fmt.Errorf("number %d", i)
			}
			return nil
		})
		require.EqualError(t, err, "number 3")
		require.Less(t, calls.Load(), int32(1000))
	}

	stopped, cancel := context.WithCancel(ctx)
	err := parallel(stopped, 1000, func(i int) error {
		if i == 5 {
			cancel()
		}
		return nil
	})
	require.True(t, errors.Is(err, context.Canceled))
}

func TestCountingReportsEveryStepOnce(t *testing.T) {
	var seen []int64
	done := Watch(func(p Progress) {
		require.EqualValues(t, 20, p.Total)
		seen = append(seen, p.Done)
	}).counting(20, "measurements")
	require.NoError(t, parallel(context.Background(), 20, func(i int) error { done(fmt.Sprint(i)); return nil }))
	require.Len(t, seen, 20)
	for i, n := range seen {
		require.EqualValues(t, i+1, n)
	}
	Watch(nil).counting(1, "")("nobody watches")
}
