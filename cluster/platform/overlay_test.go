package platform

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func overlays(t *testing.T, text string) Overlays {
	t.Helper()
	all, err := ParseOverlays("changes.toml", []byte(text))
	require.NoError(t, err)
	return all
}

func TestOverlay(t *testing.T) {
	all := overlays(t, `
["half the clock"]
ni.clock_hz = "/2"

["slow wire"]
network.link_mbps = "*0.8"
ni = { host_dma_setup_us = "+0.5", net_dma_mbps = 60 }

[both]
with = ["half the clock", "slow wire"]
title = "another"
gam.inline_bytes = 0
`)
	base, err := Load("ppro")
	require.NoError(t, err)
	same, err := base.With(Overlay{})
	require.NoError(t, err)
	require.Same(t, base, same)
	p, err := base.With(all["both"])
	require.NoError(t, err)
	require.Equal(t, base.NI.ClockHz/2, p.NI.ClockHz)
	require.Equal(t, base.Network.LinkRate/5*4, p.Network.LinkRate)
	require.Equal(t, base.NI.HostDMASetupUs+0.5, p.NI.HostDMASetupUs)
	require.Equal(t, 60.0, p.NI.NetDMAMBps)
	require.Equal(t, "another", p.Title)
	require.Zero(t, p.GAM.InlineBytes)
	require.NotZero(t, base.GAM.InlineBytes)
	require.NotEqual(t, base.Digest(), p.Digest())
	p.NI.ClockHz, p.Network, p.NI, p.Title = base.NI.ClockHz, base.Network, base.NI, base.Title
	*p.GAM = *base.GAM
	p.text = base.text
	require.Equal(t, base, p, "nothing else changes")
}

func TestOverlayErrors(t *testing.T) {
	base, err := Load("ppro")
	require.NoError(t, err)
	for text, want := range map[string]string{
		`ni.clok_hz = 1`:             `changes.toml: overlay "x" of ppro: ni.clok_hz is not a field of a profile`,
		`ni.clock_hz = "*two"`:       `overlay "x" of ppro: ni.clock_hz is "*two", want a number or one after *, /, + or -`,
		`ni.clock_hz = "2"`:          `ni.clock_hz is "2", want a number`,
		`ni.clock_hz = ""`:           `ni.clock_hz is "", want a number`,
		`ni.clock_hz = true`:         `ni.clock_hz is a boolean, want a whole number`,
		`ni.clock_hz.low = 1`:        `ni.clock_hz is set as a table, want a value`,
		`network.link_mbps = "-1e9"`: `network.link_mbps`,
		`ni = 3`:                     `ni`,
	} {
		_, err := base.With(overlays(t, "[x]\n"+text)["x"])
		require.ErrorContains(t, err, want, text)
	}
	for text, want := range map[string]string{
		"[x]\na = 1\n[x]\n":   "changes.toml:3: ",
		"x = 1":               "changes.toml",
		"[x]\nwith = [\"y\"]": `overlay "x": with "y", want an overlay of the file`,
		"[x]\nwith = [\"y\"]\n[y]\nwith = [\"x\"]\n": "want an overlay of the file without such a key",
	} {
		_, err := ParseOverlays("changes.toml", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
}
