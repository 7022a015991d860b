package bench

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/logp"
)

func TestDigits(t *testing.T) {
	for want, v := range map[string]float64{
		"0.000": 0, "0.123": 0.1234, "9.999": 9.999, "10.00": 10, "99.99": 99.99, "100.0": 100, "999.9": 999.94, "1000": 1000, "65536": 65536,
	} {
		require.Equal(t, want, Digits(v))
	}
	require.Equal(t, "12.35", Figure(logp.Estimate{Value: 12.346}))
	require.Equal(t, "-", Figure(logp.Estimate{Value: 12.346, Reason: "too few samples"}))
}
