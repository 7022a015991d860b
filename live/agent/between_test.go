package agent

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/live"
	"github.com/sigview/sigview/live/stamps"
)

func small(p live.Pattern, protocol stamps.Protocol) live.Spec {
	s := live.Default()
	s.Pattern, s.Protocol, s.Sizes, s.Count, s.Warm = p, protocol, []int64{64, 1024}, 500, 20
	return s
}

// TestPingPong: two processes measure round trips.
func TestPingPong(t *testing.T) {
	key, file := newKeyFile(t)
	h := startHosts(t, 1, file)[0]
	for _, protocol := range stamps.Protocol("").All() {
		for _, at := range []string{h.at4(), h.at6()} {
			run, err := Between(t.Context(), small(live.PingPong, protocol), key, []string{at}, nil)
			require.NoError(t, err, h.said())
			t.Log(protocol, at, run.Manifest.Verification, run.Manifest.Warnings, run.Manifest.Lost, run.Manifest.Platform)
		}
	}
	t.Log(h.said())
}
