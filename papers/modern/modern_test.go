package modern

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/papers/judge"
)

// Every overlay changes every card.
func TestOverlaysApply(t *testing.T) {
	for name := range overlays {
		for _, on := range []string{"mlx4", "cx3", "cib", "cx5-ex", "cx6", "cx6-hdr", "cx7"} {
			p, err := platform.Load(on)
			require.NoError(t, err)
			q, err := p.With(overlays.Of(name))
			require.NoError(t, err, "%s of %s", name, on)
			require.NotEqual(t, p.Digest(), q.Digest(), "%s of %s", name, on)
		}
	}
}

// TestOneRowOfACardIsFitted: at most one output of a card set a number, and the others follow or are gaps with a cause.
func TestOneRowOfACardIsFitted(t *testing.T) {
	table, err := judge.Published()
	require.NoError(t, err)
	fitted := map[string]int{}
	for _, row := range table.Only("rd-") {
		if row.Kind == judge.Output && row.Status == judge.SetsParameter {
			fitted[row.Platform]++
		}
	}
	require.Len(t, fitted, 8)
	for card, n := range fitted {
		require.Equal(t, 1, n, card)
	}
}
