package docs

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGlossaryNamesWhatViewsShow: the words on the screen have an entry.
func TestGlossaryNamesWhatViewsShow(t *testing.T) {
	words := Words()
	for _, w := range words {
		require.NotEmpty(t, w.Meaning, w.Word)
	}
	for _, shown := range []string{"Source", "LANai", "Net", "Dest", "Net−LANai", "NI", "Net−NI", "tag", "kind", "size class", "baseline", "deviation", "top bin", "few packets", "grade"} {
		require.True(t, slices.ContainsFunc(words, func(w Word) bool { return w.Word == shown }), shown)
	}
}
