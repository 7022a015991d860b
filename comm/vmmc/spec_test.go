package vmmc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/boundstest"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/monitor"
)

// TestSpecRefuses: every number has limits, and the error names field, value
// and what is wanted.
func TestSpecRefuses(t *testing.T) {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	spec := *p.VMMC
	require.Equal(t, 30, boundstest.Refuses(t, "vmmc", &spec, spec.Validate))
	spec.InlineBytes = 65
	require.ErrorContains(t, spec.Validate(), "vmmc.inline_bytes is 65, want 0 to 64")
	spec = *p.VMMC
	spec.Window = spec.SendBuffers + 1
	require.ErrorContains(t, spec.Validate(), "vmmc.window is 65, want 1 to send_buffers = 64")
}

// TestDoesNotFit: what a card cannot hold is an error at construction.
func TestDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		change func(*platform.Profile)
		want   string
	}{
		{func(p *platform.Profile) { p.VMMC.SendBuffers = 200 }, "vmmc on node 0: the interface's SRAM has"},
		{func(p *platform.Profile) { p.VMMC.SendBuffers = 200 }, "receive ring"}, // the table
		{func(p *platform.Profile) { p.NI.BufferBytes = 4100 }, "want them to fit into ni.buffer_bytes, 4100 B"},
		{func(p *platform.Profile) { p.NI.RequestBytes = 80 }, "want them to fit into ni.request_bytes, 80 B"},
		{func(p *platform.Profile) { p.VMMC.Window = 0 }, "vmmc.window is 0"},
	} {
		p, err := platform.Load("shrimp")
		require.NoError(t, err)
		c.change(p)
		_, err = cluster.New(cluster.Spec{Profile: p, Nodes: 2, Options: monitor.Options{Build: monitor.Off}})
		require.ErrorContains(t, err, c.want)
	}
}
