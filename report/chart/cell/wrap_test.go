package cell

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWrapKeepsUnits(t *testing.T) {
	for _, c := range []struct {
		text string
		w    int
		want []string
	}{
		{"waits 100.0 % of it", 12, []string{"waits", "100.0 % of", "it"}},
		{"page packets (99.0 %).", 20, []string{"page packets", "(99.0 %)."}},
		{"a 12.5 µs wait", 7, []string{"a", "12.5 µs", "wait"}},
		{"as s", 3, []string{"as", "s"}},
		{"abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"", 3, nil},
	} {
		require.Equal(t, c.want, Wrap(c.text, c.w), c.text)
	}
}
