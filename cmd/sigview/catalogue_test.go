package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestListsAreCompletedAfterCommas: words of a list keep those before them and
// are offered once; profiles may be files.
func TestListsAreCompletedAfterCommas(t *testing.T) {
	complete := func(args ...string) []string {
		var out bytes.Buffer
		cmd := newApp(&out, &out).root()
		cmd.SetArgs(append([]string{"__complete"}, args...))
		cmd.SetOut(&out)
		cmd.SetErr(&bytes.Buffer{})
		require.NoError(t, cmd.Execute())
		var words []string
		for line := range strings.Lines(out.String()) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			words = append(words, word)
		}
		return words
	}
	require.Subset(t, complete("logp", "--layer", ""), []string{"gam", "vmmc", ":4"})
	after := complete("logp", "--layer", "gam,b")
	require.Contains(t, after, "gam,bip")
	require.NotContains(t, after, "gam,gam")
	require.Equal(t, []string{"ticks,misses", ":4"}, complete("logp", "--noise", "ticks,"))
	require.Subset(t, complete("bandwidth", "--platform", "ppro,"), []string{"ppro,shrimp", ":0"})
	require.Subset(t, complete("run", "--platform", ""), []string{"ppro", ":0"})
	require.Contains(t, complete("logp", "--monitor", ""), "full")
	require.Contains(t, complete("run", "lu+fft", "--phases", "start,"), "start,rows 1")
}
