package bounds

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBelow(t *testing.T) {
	for x, want := range map[float64]string{9e-13: "below 1e-12", 1e-12: "below 1e-11", -0.5: "below 1e0", 12: "below 1e2", 3e-16: "below 1e-12", 0: "below 1e-12", math.Inf(1): "+Inf"} {
		require.Equal(t, want, Below(x, 1e-12))
	}
	require.Equal(t, "NaN", Below(math.NaN(), 1e-12))
}
