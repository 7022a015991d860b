package gam_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/gam"
	"github.com/sigview/sigview/sim"
)

func spec(t *testing.T, name string) *gam.Spec {
	p, err := platform.Load(name)
	require.NoError(t, err)
	return p.GAM
}

func TestFlawsAreNamed(t *testing.T) {
	for _, c := range []struct {
		platform string
		spoil    func(*gam.Spec)
		want     string
	}{
		{"ppro", func(s *gam.Spec) { s.Tokens = 0 }, "gam.tokens is 0, want 1 to 4096"},
		{"ppro", func(s *gam.Spec) { s.InlineBytes = 5000 }, "gam.inline_bytes is 5000"},
		{"ppro", func(s *gam.Spec) { s.InlineBytes = 4090 }, "gam.inline_bytes is 4090, want at most firmware.packet_bytes - 16 = 4080"},
		{"ppro", func(s *gam.Spec) { s.Firmware.RequestBytes = 100 }, "gam.firmware.request_bytes is 100, want at least 4·request_words + inline_bytes = 160"},
		{"ppro", func(s *gam.Spec) { s.CopyIn = false }, "gam.inline_bytes is 128, want 0 without copy_in"},
		{"ppro", func(s *gam.Spec) { s.InlineBytes, s.CopyIn = 0, false }, "gam.take_in is true, want false without copy_in"},
		{"ppro", func(s *gam.Spec) { s.Host.Reply = -sim.Microsecond }, "gam.host.reply_us is -1"},
		{"meiko", func(s *gam.Spec) { s.Cycles.RetireWords = -1 }, "gam.cycles.retire_words is -1"},
		{"meiko", func(s *gam.Spec) { s.Firmware.Cycles.Accept = -1 }, "gam.firmware.cycles.accept is -1"},
	} {
		s := spec(t, c.platform)
		require.NoError(t, s.Validate())
		c.spoil(s)
		require.ErrorContains(t, s.Validate(), c.want)
	}
}

// The trait words are those of the comparison, but for machines whose interface reaches user memory.
func TestTraits(t *testing.T) {
	a := spec(t, "ppro").Traits()
	require.True(t, a.Synchronous)
	require.False(t, a.Multiprogramming)
	require.Equal(t, "DMA+Copy", a.SendPath)
	b := spec(t, "paragon").Traits()
	require.False(t, b.Synchronous)
	require.Equal(t, "DMA", b.SendPath)
}

// Many nodes share the receive ring: fewer tokens for each, and an error when there would be none.
func TestTokensShareTheRing(t *testing.T) {
	s := spec(t, "myrinet")
	for nodes, want := range map[int]int{2: 32, 16: 16, 100: 2, 241: 1} {
		n, err := s.Window(nodes)
		require.NoError(t, err)
		require.Equal(t, want, n, "%d nodes", nodes)
	}
	_, err := s.Window(242)
	require.EqualError(t, err, "gam.firmware.receive_buffers is 480, want at least 2·(nodes - 1) = 482: a request and a reply of every peer have to fit")
}
