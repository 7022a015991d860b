package platform

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A profile has as many assumed numbers as lines that say so.
func TestAssumed(t *testing.T) {
	line := regexp.MustCompile(`^\w+ += +-?[0-9][^#]*# ?\[A\]`)
	for _, name := range Names() {
		p, err := Load(name)
		require.NoError(t, err)
		numbers, err := p.Assumed()
		require.NoError(t, err)
		marked := 0
		for l := range strings.Lines(p.Text()) {
			if line.MatchString(l) {
				marked++
			}
		}
		require.Len(t, numbers, marked, name)
		require.Greater(t, marked, 50, name)
		same, err := p.With(Set("the same", numbers))
		require.NoError(t, err)
		same.text = p.text
		require.Equal(t, p, same)
	}
}

func TestVary(t *testing.T) {
	defer delete(varied, "ppro")
	before, err := Load("ppro")
	require.NoError(t, err)
	Vary("ppro", Set("change", []Number{{"ni.loop.test_cycles", 7, true}, {"clock.jitter_us", 4.5, false}, {"gam.tokens", 3, true}}))
	p, err := Load("ppro")
	require.NoError(t, err)
	require.Equal(t, []any{7, 4.5, 3}, []any{p.NI.Loop.TestCycles, p.Clock.JitterUs, p.GAM.Tokens})
	require.NotEqual(t, 7, before.NI.Loop.TestCycles)

	// Overlays and borrowed layers start from the changed profile.
	q, err := p.With(overlays(t, `[x]`+"\n"+`ni.loop.test_cycles = "*2"`)["x"])
	require.NoError(t, err)
	require.Equal(t, 14, q.NI.Loop.TestCycles)
	borrowed, err := Parse("mine.toml", []byte(text(t, "shrimp")+"\n[borrow]\ngam = \"ppro\"\n"))
	require.NoError(t, err)
	require.Equal(t, 3, borrowed.GAM.Tokens)

	Vary("ppro", Set("wrong", []Number{{"ni.loop.test_cycles", -7, true}}))
	_, err = Load("ppro")
	require.ErrorContains(t, err, `overlay "wrong" of ppro: ni.loop.test_cycles is -7`)
}
