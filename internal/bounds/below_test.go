package bounds

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBelow(t *testing.T) {
	for x, want := range map[float64]string{8.7e-16: "below 1e-15", 9e-16: "below 1e-15", 1e-15: "below 1e-14", -0.5: "below 1e0", 12: "below 1e2", 0: "0", math.Inf(1): "+Inf"} {
		require.Equal(t, want, Below(x))
	}
	require.Equal(t, "NaN", Below(math.NaN()))
}
