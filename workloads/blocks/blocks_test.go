package blocks_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/blocks"
)

// world is a program on a cluster without a monitor.
type world struct {
	*cluster.Cluster
	program *blocks.Blocks
}

// run runs a program to its end. Change, which may be nil, may change where, and begin the cluster and its layers.
func run(tb testing.TB, s blocks.Spec, change func(*cluster.Spec), begin func(*world, []deposit.Node)) *world {
	tb.Helper()
	p, err := platform.Load("shrimp")
	require.NoError(tb, err)
	spec := cluster.Spec{Profile: p, Nodes: s.Nodes, Seed: 1, Options: monitor.Options{Build: monitor.Off}}
	if change != nil {
		change(&spec)
	}
	w := &world{}
	w.Cluster, err = cluster.New(spec)
	require.NoError(tb, err)
	tb.Cleanup(w.Engine.Close)
	w.program, err = blocks.New(s)
	require.NoError(tb, err)
	nodes := w.Deposits()
	if begin != nil {
		begin(w, nodes)
	}
	ended := false
	require.NoError(tb, w.program.Start(nodes, w.Instrument(0), 0, func() { ended = true }))
	require.NoError(tb, w.Engine.RunUntil(func() bool { return ended }))
	require.NoError(tb, w.program.Err())
	return w
}

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

// TestBlocks: all commands are done, on layers that carry programs in different ways, and in the ablation in which
// packets overtake one another.
func TestBlocks(t *testing.T) {
	for _, at := range [][2]string{{"shrimp", "vmmc"}, {"ppro", "gam"}, {"ppro", "fm"}, {"gm-p3", "gm"}, {"das-wan", "tcp"}, {"linux-udp", "datagram"}, {"grim-p3-lanai9", "grim"}} {
		p, err := platform.Load(at[0])
		require.NoError(t, err)
		for i, s := range specs() {
			t.Run(fmt.Sprint(at, i), func(t *testing.T) {
				w := run(t, s, func(c *cluster.Spec) { c.Profile, c.Layer = p, at[1] }, nil)
				how, wrong := w.program.Verify()
				require.NoError(t, wrong)
				require.Contains(t, how, "byte for byte")
			})
		}
	}
	for _, s := range specs() {
		_, wrong := run(t, s, func(c *cluster.Spec) {
			c.Ports, c.Cards.NetDMA = true, true
			c.Cards.HostDMA, c.Cards.Slots, c.Hosts.IOBus, c.Cards.Processor = true, true, true, true
		}, nil).program.Verify()
		require.NoError(t, wrong)
	}
}

// TestChangedBytesAreNoticed plants a change that no checksum of the network shows, in blocks that are read and in those that are written.
func TestChangedBytesAreNoticed(t *testing.T) {
	for _, o := range []blocks.Options{{Reads: 1}, {Writes: 1, Blocks: 1000}} {
		s := blocks.Spec{Nodes: 3, Commands: 100, Options: o}
		w := run(t, s, nil, func(w *world, _ []deposit.Node) {
			planted := 0
			w.Net.DropWhen(func(p *fabric.Packet) bool {
				if p.Header.Meta.Kind == trace.Data && len(p.Data) > 1000 {
					if planted++; planted == 30 {
						p.Data[999] ^= 8
					}
				}
				return false
			})
		})
		_, wrong := w.program.Verify()
		require.ErrorContains(t, wrong, "is not what")
		require.NotContains(t, wrong.Error(), "more)")
	}
}

// rate returns how many MB/s a program moves.
func rate(t *testing.T, s blocks.Spec) float64 {
	w := run(t, s, nil, nil)
	_, wrong := w.program.Verify()
	require.NoError(t, wrong)
	took, ended := w.program.Elapsed()
	require.True(t, ended)
	return float64(w.program.Spec().Commands*w.program.Spec().Options.Bytes) / took.Seconds() / 1e6
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
			w := run(t, s, nil, func(w *world, nodes []deposit.Node) {
				w.Net.DropWhen(func(p *fabric.Packet) bool {
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
			_, wrong := w.program.Verify()
			require.NoError(t, wrong)
			require.Equal(t, !fetch, kinds[trace.Flag])
		}
	}
}

func TestSameSeedSameRun(t *testing.T) {
	digest := func(seed uint64) uint64 {
		return run(t, blocks.Spec{Nodes: 4, Commands: 200, Seed: seed}, nil, nil).Engine.Digest()
	}
	require.Equal(t, digest(1), digest(1))
	require.NotEqual(t, digest(1), digest(2))
}

func TestSpecsThatCannotBe(t *testing.T) {
	for field, s := range map[string]blocks.Spec{
		"nodes":           {Nodes: 1},
		"size":            {Nodes: 2, Commands: -1},
		"job.servers":     {Nodes: 3, Options: blocks.Options{Servers: 3}},
		"job.items":       {Nodes: 2, Options: blocks.Options{Blocks: 4, Depth: 5}},
		"job.item_bytes":  {Nodes: 2, Options: blocks.Options{Bytes: 1000}},
		"job.writes":      {Nodes: 2, Options: blocks.Options{Writes: -1}},
		"job.device_us":   {Nodes: 2, Options: blocks.Options{DeviceUs: -1}},
		"job.device_mbps": {Nodes: 2, Options: blocks.Options{DeviceMBps: 1e7}},
		"job.depth":       {Nodes: 1024, Options: blocks.Options{Depth: 256, Bytes: 1 << 20}},
	} {
		_, err := blocks.New(s)
		var wrong *bounds.Error
		require.ErrorAs(t, err, &wrong, field)
		require.Equal(t, field, wrong.Field)
	}
}
