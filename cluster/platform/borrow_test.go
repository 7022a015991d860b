package platform

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBorrow(t *testing.T) {
	base := text(t, "shrimp")
	lender, err := Load("ppro")
	require.NoError(t, err)
	p, err := Parse("mine.toml", []byte(base+"\n[borrow]\ngam = \"ppro\"\nfm = \"ppro\"\n"))
	require.NoError(t, err)
	require.Equal(t, lender.GAM, p.GAM)
	require.Equal(t, map[string]string{"gam": "ppro", "fm": "ppro"}, p.Borrowed)
	require.Equal(t, []string{"fm", "gam", "vmmc"}, p.LayerNames())
	require.Contains(t, p.Text(), "# Borrowed: the section of layer gam of platform ppro.\n[gam]\n")

	// An overlay borrows too, and may change what is borrowed.
	all := overlays(t, `
[other]
borrow.pm = "ppro"
gam.inline_bytes = 64
`)
	q, err := p.With(all["other"])
	require.NoError(t, err)
	require.Equal(t, 64, q.GAM.InlineBytes)
	require.Equal(t, map[string]string{"gam": "ppro", "fm": "ppro", "pm": "ppro"}, q.Borrowed)

	for borrow, want := range map[string]string{
		`gam = "pro"`:     `borrow.gam: unknown platform "pro"`,
		`gma = "ppro"`:    `borrow.gma: unknown layer "gma"`,
		`vmmc = "ppro"`:   "borrow.vmmc is ppro, want a layer without a section of its own in the profile",
		`bip = "paragon"`: "borrow.bip is paragon, want a platform with a section [bip]",
	} {
		_, err := Parse("mine.toml", []byte(base+"\n[borrow]\n"+borrow+"\n"))
		require.ErrorContains(t, err, want)
	}
	_, err = Parse("mine.toml", []byte("borrow = 3\n"+base))
	require.ErrorContains(t, err, "borrow")
}
