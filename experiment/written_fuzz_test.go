package experiment

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzWritten: seeds and counts that are read are within their limits, and seeds are read
// again as they are shown.
func FuzzWritten(f *testing.F) {
	for _, text := range []string{"3", "1..10", "18446744073709551615..18446744073709551615", "0", "..", "64K", "8388608T", "9223372036854775807k", "-1", "8G", "+1", "1..1001"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := ParseSeeds(text); err == nil {
			require.True(t, s.N > 0 && s.N <= maxSeeds, "%q: %d seeds", text, s.N)
			again, err := ParseSeeds(s.String())
			require.NoError(t, err)
			require.Equal(t, s, again)
		}
		if n, err := ParseCount(text); err == nil {
			require.Positive(t, n, text)
		}
	})
}
