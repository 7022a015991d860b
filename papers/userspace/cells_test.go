package userspace

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/papers/judge"
)

// TestCells prints and checks what the experiments find of every layer
// against what the layer declares.
func TestCells(t *testing.T) {
	table, err := judge.Published()
	require.NoError(t, err)
	for _, x := range tabulated {
		for _, c := range cells {
			f, err := c.find(lab{1, x.layer})
			require.NoError(t, err, "%s %s", x.layer, c.column)
			row, ok := table.Row("us-" + c.column + "-" + x.row)
			require.True(t, ok)
			t.Logf("%-5s %-9s %-14s want %-14s %s", x.layer, c.column, f.word, row.Text, f.seen)
			if c.column+x.layer != "t2-relgam" { // the study contradicts itself there
				require.Equal(t, row.Text, f.word, "%s %s", x.layer, c.column)
			}
		}
	}
}
