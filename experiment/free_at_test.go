package experiment

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFreeAtNodes: resources that are free at each node one by one are free at all, and those of one node change no
// other's time.
func TestFreeAtNodes(t *testing.T) {
	took := func(at ...int) (digest string) {
		spec := DefaultRun("random")
		spec.Nodes, spec.Pattern.Count, spec.Uncontended, spec.FreeAt = 3, 20, []Resource{CPU, HDMA, LANai, Slots}, at
		run, err := Run(t.Context(), spec, nil)
		require.NoError(t, err)
		return run.Manifest.EventDigest
	}
	require.Equal(t, took(), took(0, 1, 2))
	require.NotEqual(t, took(), took(1))
	require.NotEqual(t, took(0), took(1))
}

// TestFreePort: a free port shortens a run whose packets wait for it, and the port has to exist.
func TestFreePort(t *testing.T) {
	took := func(port string) int64 {
		spec := DefaultRun("fft")
		spec.Platform, spec.Size, spec.Nodes, spec.FreePort = "ppro", 4096, 4, port
		run, err := Run(t.Context(), spec, nil)
		require.NoError(t, err)
		return run.Manifest.RunTimeNs()
	}
	require.NotEqual(t, took(""), took("switch>node0"))
	spec := DefaultRun("fft")
	spec.FreePort = "node0"
	_, err := Run(t.Context(), spec, nil)
	require.ErrorContains(t, err, `unknown port "node0"`)
	spec.Uncontended = []Resource{Ports}
	require.EqualError(t, spec.Validate(Known()), "free_port is node0, want none: all ports are uncontended")
}

// TestQuickProgram: the program that computes twice as fast ends earlier, and only one of several can.
func TestQuickProgram(t *testing.T) {
	took := func(quick string) int64 {
		spec := DefaultRun("fft+radix")
		spec.Nodes, spec.Quick = 2, quick
		run, err := Run(t.Context(), spec, nil)
		require.NoError(t, err)
		return run.Manifest.Tags[1].RunTimeNs
	}
	require.Less(t, took("radix"), took(""))
	spec := DefaultRun("fft+radix")
	spec.Quick = "lu"
	require.EqualError(t, spec.Validate(Known()), `unknown program of this run "lu" (known: fft, radix)`)
	spec.Workload = "fft"
	require.EqualError(t, spec.Validate(Known()), "quick is lu, want none: fft runs alone")
}

func TestFreeAtIsRefused(t *testing.T) {
	for _, c := range []struct {
		free []Resource
		at   int
		says string
	}{
		{[]Resource{CPU}, 4, "free_at is 4, want a node, 0 to 3"},
		{[]Resource{CPU}, -1, "free_at is -1, want a node, 0 to 3"},
		{nil, 1, "free_at is [1], want resources that are uncontended there"},
		{[]Resource{CPU, Ports}, 1, "free_at is [1], want resources of nodes: ports and sdma are free in the whole network"},
	} {
		spec := DefaultRun("random")
		spec.Nodes, spec.Uncontended, spec.FreeAt = 4, c.free, []int{c.at}
		require.EqualError(t, spec.Validate(Known()), c.says)
	}
}
