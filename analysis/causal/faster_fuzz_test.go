package causal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParseFaster: what is accepted is a change of a place where somebody waits, by a factor
// above 0.
func FuzzParseFaster(f *testing.F) {
	for _, text := range []string{"membus", "pci=2", "hdma=free", "lanai=1e400", "wire=-1", "hdma=0x1p-1074", "nothing=3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := ParseFaster(text); err == nil {
			require.Greater(t, c.Factor, 0.0, text)
			require.True(t, contended(c.Resource), text)
			require.NotEmpty(t, c.String())
		}
	})
}
