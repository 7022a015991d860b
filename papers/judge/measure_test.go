package judge

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMemoRunsOnceForEach(t *testing.T) {
	ran := map[int]int{}
	m := Memo(func(_ context.Context, k int) (int, error) {
		ran[k]++
		if k == 3 {
			return 0, errors.New("three")
		}
		return k * k, nil
	})
	for range 3 {
		for k := range 4 {
			v, err := m(k)(context.Background())
			if k == 3 {
				require.Error(t, err)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, k*k, v)
		}
	}
	require.Equal(t, map[int]int{0: 1, 1: 1, 2: 1, 3: 1}, ran)
}
