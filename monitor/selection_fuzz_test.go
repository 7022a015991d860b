package monitor

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/internal/bounds"
)

// FuzzSelection: words that are accepted are a valid specification, and are read again as
// they are shown.
func FuzzSelection(f *testing.F) {
	for _, text := range []string{"kind=page-reply", "node=0..3", "size=128..4096", "window=10ms..20ms", "every=16", "tag=3", "span=7..", "window=1h", "every=1e3", "kind=ack"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s Selection
		if s.Add(text) != nil {
			return
		}
		require.NoError(t, bounds.Check("", &s), text)
		var again Selection
		require.NoError(t, again.Add(s.String()), text)
		require.Equal(t, s, again)
	})
}
