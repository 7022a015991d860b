package bounds

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheck(t *testing.T) {
	fields := func(n int, x float64) []Field { return []Field{Number("n", n, 1, 64), Number("cost.x", x, 0, 1.5)} }
	require.NoError(t, Check("s", fields(1, 0)...))
	require.NoError(t, Check("s", fields(64, 1.5)...))
	require.EqualError(t, Check("s", fields(0, 9)...), "s.n is 0, want 1 to 64")
	require.EqualError(t, Check("s", fields(9, -0.5)...), "s.cost.x is -0.5, want 0 to 1.5")
	require.EqualError(t, Check("s", fields(9, math.NaN())...), "s.cost.x is NaN, want 0 to 1.5")
}
