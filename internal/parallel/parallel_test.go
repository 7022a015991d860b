package parallel

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
	require.NoError(t, Each(ctx, len(out), func(i int) error { out[i] = i + 1; return nil }))
	for i, v := range out {
		require.Equal(t, i+1, v)
	}
	require.NoError(t, Each(ctx, 0, nil))

	// The error of the lowest index is returned, whichever comes first, and
	// nothing begins after one.
	for range 50 {
		var calls atomic.Int32
		err := Each(ctx, 1000, func(i int) error {
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
	err := Each(stopped, 1000, func(i int) error {
		if i == 5 {
			cancel()
		}
		return nil
	})
	require.True(t, errors.Is(err, context.Canceled))
}
