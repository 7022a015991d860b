package blocks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/jobs"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/blocks"
)

var job = jobs.Test[blocks.Spec, *blocks.Blocks]{
	New:   blocks.New,
	Nodes: func(s blocks.Spec) int { return s.Nodes },
	Specs: specs(),
	Check: func(t *testing.T, _ blocks.Spec, _ *blocks.Blocks, how string) {
		require.Contains(t, how, "byte for byte")
	},
	Seeded: func(seed uint64, _ *cluster.Spec) blocks.Spec {
		return blocks.Spec{Nodes: 4, Commands: 200, Seed: seed}
	},
	Refused: map[string]blocks.Spec{
		"nodes":           {Nodes: 1},
		"size":            {Nodes: 2, Commands: -1},
		"job.servers":     {Nodes: 3, Options: blocks.Options{Servers: 3}},
		"job.items":       {Nodes: 2, Options: blocks.Options{Blocks: 4, Depth: 5}},
		"job.item_bytes":  {Nodes: 2, Options: blocks.Options{Bytes: 1000}},
		"job.writes":      {Nodes: 2, Options: blocks.Options{Writes: -1}},
		"job.device_us":   {Nodes: 2, Options: blocks.Options{DeviceUs: -1}},
		"job.device_mbps": {Nodes: 2, Options: blocks.Options{DeviceMBps: 1e7}},
		"job.depth":       {Nodes: 1024, Options: blocks.Options{Depth: 256, Bytes: 1 << 20}},
	},
}

func TestJob(t *testing.T) { job.All(t) }

// specs are devices used in different ways.
func specs() (out []blocks.Spec) {
	for i, o := range []blocks.Options{
		{},
		{Servers: 2, Blocks: 5, Depth: 5, Reads: 1, Writes: 1, DeviceUs: 1},
		{Servers: 3, Bytes: 512, Depth: 1, Writes: 1},
		{Bytes: 20 << 10, Depth: 3, Reads: 1, Writes: 3, DeviceMBps: 50},
	} {
		out = append(out, blocks.Spec{Nodes: 3 + o.Servers + i, Commands: 200, Seed: uint64(i), Options: o})
	}
	return out
}

// TestChangedBytesAreNoticed plants a change that no checksum of the network shows, in blocks that are read and in those that are written.
func TestChangedBytesAreNoticed(t *testing.T) {
	for _, o := range []blocks.Options{{Reads: 1}, {Writes: 1, Blocks: 1000}} {
		s := blocks.Spec{Nodes: 3, Commands: 100, Options: o}
		w := job.Run(t, s, nil, func(c *cluster.Cluster, _ []deposit.Node) {
			jobs.Flip(c.Net, 30, 999, 8, func(p *fabric.Packet) bool { return p.Header.Meta.Kind == trace.Data && p.Bytes() > 1000 })
		})
		_, wrong := w.Job.Verify()
		require.ErrorContains(t, wrong, "is not what")
		require.NotContains(t, wrong.Error(), "more)")
	}
}

// rate returns how many MB/s a program moves.
func rate(t *testing.T, s blocks.Spec) float64 {
	b := job.Verified(t, s, nil).Job
	took, ended := b.Elapsed()
	require.True(t, ended)
	return float64(b.Spec().Commands*b.Spec().Options.Bytes) / took.Seconds() / 1e6
}

// TestDevice: one command at a time takes the device's latency and more, several side by side share it, and all of
// them together cannot pass its rate.
func TestDevice(t *testing.T) {
	s := blocks.Spec{Nodes: 2, Commands: 100, Options: blocks.Options{Reads: 1, Depth: 1, DeviceUs: 1000}}
	one := rate(t, s)
	require.InDelta(t, 4096/1.1e-3/1e6, one, 0.35)
	s.Options.Depth = 4
	require.InEpsilon(t, 4*one, rate(t, s), 0.1)
	s.Options = blocks.Options{Reads: 1, Depth: 16, DeviceUs: 1, DeviceMBps: 5}
	require.InEpsilon(t, 5, rate(t, s), 0.05)
}

// reaching is a layer whose interfaces read the memory of other nodes, in a time and no more.
type reaching struct {
	comm.Layer
	spaces map[int]*host.Space
	node   int
}

// OpenPort implements deposit.Native.
func (l *reaching) OpenPort(space *host.Space, tag trace.Tag) deposit.Port {
	l.spaces[l.node] = space
	return &port{Port: l.Layer.(deposit.Native).OpenPort(space, tag), spaces: l.spaces}
}

type port struct {
	deposit.Port
	comm.Remote // not used but for Read
	spaces      map[int]*host.Space
}

func (p *port) Read(c *host.Context, to int, at, into host.Addr, n int) error {
	c.Spend(10 * sim.Microsecond)
	b := make([]byte, n)
	p.spaces[to].ReadAt(at, b)
	p.Space().WriteAt(into, b)
	return nil
}

// TestTargetsFetch: a target whose interface reads the memory of initiators tells none that it is ready.
func TestTargetsFetch(t *testing.T) {
	for _, fetch := range []bool{true, false} {
		for _, s := range specs() {
			kinds := map[trace.Kind]bool{}
			w := job.Run(t, s, nil, func(c *cluster.Cluster, nodes []deposit.Node) {
				c.Net.DropWhen(func(p *fabric.Packet) bool {
					kinds[p.Header.Meta.Kind] = true
					return false
				})
				spaces := map[int]*host.Space{}
				for i := range nodes {
					if fetch {
						nodes[i].Layer = &reaching{nodes[i].Layer, spaces, i}
					}
				}
			})
			_, wrong := w.Job.Verify()
			require.NoError(t, wrong)
			require.Equal(t, !fetch, kinds[trace.Flag])
		}
	}
}
