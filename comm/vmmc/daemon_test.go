package vmmc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Two programs of one node and one of another import from each other at the same time:
// each gets the export that it asked for, in time, and can deposit into it. An export that
// does not exist, and the node itself, are refused.
func TestImportsWhileProgramsRun(t *testing.T) {
	b, err := testbed.Build(t.Context(), testbed.Spec{Platform: "ppro", Seed: 3, Monitor: "off", Cold: true})
	require.NoError(t, err)
	defer b.Engine.Close()
	var nodes []*vmmc.Node
	var spaces, own []*host.Space
	for _, n := range b.Nodes {
		nodes, spaces = append(nodes, n.VMMC), append(spaces, host.NewSpace("daemon", n.Frames))
		own = append(own, host.NewSpace("program", n.Frames))
	}
	daemons, err := vmmc.StartDaemons(nodes, spaces)
	require.NoError(t, err)
	type process struct {
		ep     *vmmc.Endpoint
		at     host.Addr
		export *vmmc.Export
	}
	open := func(node int) process {
		p := process{ep: nodes[node].Process(own[node], 0), at: own[node].Alloc(host.PageBytes)}
		x, err := p.ep.Export(p.at, host.PageBytes, nil)
		require.NoError(t, err)
		p.export = x.(*vmmc.Export)
		return p
	}
	x, y, z := open(0), open(0), open(1)
	connect := func(node int, p, to process, word uint32) testbed.Program {
		return testbed.On(node, func(c *host.Context) {
			for range 3 {
				began := c.Now()
				var m deposit.Import
				m, err := daemons[node].Import(c, p.ep, 1-node, to.export.Number())
				require.NoError(t, err)
				require.Greater(t, c.Now(), began)
				from := own[node].Alloc(4)
				own[node].Store32(from, word)
				require.NoError(t, p.ep.Send(c, from, m, int(word), 4, trace.Meta{Kind: trace.Data}, false))
			}
			_, err := daemons[node].Import(c, p.ep, 1-node, 1000)
			require.ErrorContains(t, err, "has no export 1000")
			_, err = daemons[node].Import(c, p.ep, node, 0)
			require.ErrorContains(t, err, "want another one of 2")
		})
	}
	b.Run(connect(0, x, z, 4), connect(0, y, z, 8), connect(1, z, y, 12))
	require.NoError(t, b.Err())
	require.EqualValues(t, 4, own[1].Load32(z.at+4))
	require.EqualValues(t, 8, own[1].Load32(z.at+8))
	require.EqualValues(t, 12, own[0].Load32(y.at+12))
}
