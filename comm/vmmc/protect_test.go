package vmmc_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

var dataMeta = trace.Meta{Kind: trace.Data}

// TestRefusedSends: what a process may not send is an error, and nothing goes
// to the interface.
func TestRefusedSends(t *testing.T) {
	r := newRig(t, setup{nodes: 3})
	p := r.procs[0]
	second := p.node.VMMC.Process(host.NewSpace("other", p.node.Frames), 0)
	to := p.imports[1]
	r.program(0, func(c *host.Context) {
		for _, x := range []struct {
			ep        *vmmc.Endpoint
			local     host.Addr
			to        deposit.Import
			offset, n int
			want      string
		}{
			{p.ep, p.source, to, 0, 0, "vmmc: send of 0 B at offset 0 into an import of 65536 B"},
			{p.ep, p.source, to, 0, -5, "send of -5 B"},
			{p.ep, p.source, to, -1, 5, "offset -1"},
			{p.ep, p.source, to, regionBytes, 1, "send of 1 B at offset 65536 into an import of 65536 B"},
			{p.ep, p.source, to, regionBytes - 3, 4, "offset 65533"},
			{p.ep, p.source, to, 0, regionBytes + 1, "send of 65537 B"},
			{p.ep, p.source, to, math.MaxInt, 4, "send of 4 B"},
			{p.ep, p.source, nil, 0, 4, "import that is not this endpoint's"},
			{second, p.source, to, 0, 4, "import that is not this endpoint's"},
			{p.ep, p.source, r.procs[1].imports[0], 0, 4, "import that is not this endpoint's"},
			{p.ep, 0, to, 0, 4, "send of 4 B from 0x0, which is not all allocated"},
			{p.ep, 1 << 40, to, 0, 400, "not all allocated"},
		} {
			err := x.ep.Send(c, x.local, x.to, x.offset, x.n, dataMeta, false)
			require.ErrorContains(t, err, x.want)
		}
	})
	r.finish()
	require.Zero(t, p.node.VMMC.Stats().Messages)
	require.Zero(t, r.Engine.Now(), "and it took no time")
}

func TestRefusedExports(t *testing.T) {
	r := newRig(t, setup{nodes: 2})
	p := r.procs[0]
	for _, c := range []struct {
		at   host.Addr
		n    int
		want string
	}{
		{p.source, 0, "export of 0 B"}, {p.source, -1, "export of -1 B"},
		{0, 8, "not all allocated"}, {p.source, min(1<<40, math.MaxInt), "not all allocated"},
	} {
		_, err := p.ep.Export(c.at, c.n, nil)
		require.ErrorContains(t, err, c.want)
		_, err = p.ep.ExportFrames(c.at, c.n, nil)
		require.ErrorContains(t, err, c.want)
	}
	_, err := p.ep.Import(p.exports[1])
	require.ErrorContains(t, err, "node 0 imports its own export")
}

// TestForgedPackets: a packet that asks for memory that is not exported is
// counted, acknowledged and touches nothing; those after it arrive.
func TestForgedPackets(t *testing.T) {
	r := newRig(t, setup{nodes: 2, skew: 100})
	from, q := r.procs[0].node.VMMC, r.procs[1]
	id := q.exports[0].(*vmmc.Export).ID()
	data := make([]byte, 200)
	for i := range data {
		data[i] = 0xee
	}
	bad := []struct{ handle, offset uint64 }{
		{id + 1000, 0}, {math.MaxUint64, 0}, {1 << 32, 0},
		{id, regionBytes}, {id, regionBytes - 199}, {id, math.MaxUint64}, {id, math.MaxUint64 - 100}, {id, 1 << 63},
		{id, packet - 100 - 199}, // over the border of a page
	}
	for i, b := range bad {
		vmmc.Forge(q.node.VMMC, 0, trace.Data, uint32(i), 0, b.handle, b.offset, data)
		require.NoError(t, r.Engine.Run(sim.Never))
	}
	s := q.node.VMMC.Stats()
	require.EqualValues(t, len(bad), s.Protection)
	require.EqualValues(t, len(bad), s.Acks)
	require.Zero(t, s.Delivered)
	require.Empty(t, q.arrived[0])
	r.check() // memory is untouched
	require.EqualValues(t, len(bad), from.Stats().Malformed, "acknowledgements of what the node has not sent")

	for i, at := range []uint64{0, packet - 100 - 200, packet - 100, regionBytes - 100} {
		n := min(len(data), regionBytes-int(at))
		vmmc.Forge(q.node.VMMC, 0, trace.Data, uint32(len(bad)+i), 0, id, at, data[:n])
		copy(q.want[0][at:], data[:n])
		require.NoError(t, r.Engine.Run(sim.Never))
	}
	r.check()
}

// TestForgedKinds: a packet of a kind that nobody serves is counted and
// dropped.
func TestForgedKinds(t *testing.T) {
	r := newRig(t, setup{nodes: 2})
	kinds := []trace.Kind{trace.ClockQuery, trace.ClockReply, trace.ClockTable, trace.NumKinds, 200, 255}
	for _, k := range kinds {
		vmmc.Forge(r.procs[1].node.VMMC, 0, k, 0, 0, r.procs[1].exports[0].(*vmmc.Export).ID(), 0, make([]byte, 64))
		require.NoError(t, r.Engine.Run(sim.Never))
	}
	require.EqualValues(t, len(kinds), r.procs[1].node.VMMC.Stats().Malformed)
	require.Empty(t, r.procs[1].arrived[0])
	r.check()
}
