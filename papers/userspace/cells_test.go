package userspace

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/papers/judge"
)

// TestCells prints and checks what the experiments find of every layer
// against the published tables.
func TestCells(t *testing.T) {
	x := study{seed: 1, shared: map[any]any{}}
	_, err := judge.Run(func(s *judge.Session) bool {
		x.Session = s
		for _, l := range tabulated {
			for _, k := range columns {
				want := publishedText("us-" + k.table + "-" + k.name + "-" + l.row)
				require.NotEmpty(t, want)
				f := x.find(k.name, l.layer)
				t.Logf("%-5s %-9s %-14s want %-14s %s", l.layer, k.name, f.word, want, f.seen)
				if k.name+l.layer != "relgam" { // the study contradicts itself there
					require.Equal(t, want, f.word, "%s %s", l.layer, k.name)
				}
			}
		}
		return true
	})(t.Context())
	require.NoError(t, err)
}
