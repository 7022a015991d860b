package grim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
)

// Every overlay changes a platform of the study.
func TestOverlaysApply(t *testing.T) {
	for name := range overlays {
		changes := 0
		for _, on := range []string{pproL9, p3L4, p3L9, p4L4, p4L9} {
			p, err := platform.Load(on)
			require.NoError(t, err)
			if q, err := p.With(overlays.Of(name)); err == nil && q.Digest() != p.Digest() {
				changes++
			}
		}
		require.Positive(t, changes, name)
	}
}

// The 32-bit slot for the one card is that of the platform with the other.
func TestSlotsAgree(t *testing.T) {
	r := &rows{known: map[string]any{}}
	slot, other := r.profile(p4L9, slot32).Host, r.profile(p4L4, "").Host
	require.Equal(t, other, slot)
}
