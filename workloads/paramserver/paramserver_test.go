package paramserver_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/paramserver"
)

// world is a program on a cluster without a monitor.
type world struct {
	*cluster.Cluster
	program *paramserver.ParamServer
}

// run runs a program to its end. Change, which may be nil, may change where, and begin the network.
func run(tb testing.TB, s paramserver.Spec, change func(*cluster.Spec), begin func(*world)) *world {
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
	w.program, err = paramserver.New(s)
	require.NoError(tb, err)
	ended := false
	require.NoError(tb, w.program.Start(w.Deposits(), w.Instrument(0), 0, func() { ended = true }))
	if begin != nil {
		begin(w)
	}
	require.NoError(tb, w.Engine.RunUntil(func() bool { return ended }))
	require.NoError(tb, w.program.Err())
	return w
}

// on places a program.
func on(t testing.TB, name, layer string) func(*cluster.Spec) {
	p, err := platform.Load(name)
	require.NoError(t, err)
	return func(s *cluster.Spec) { s.Profile, s.Layer = p, layer }
}

// specs are programs of different forms.
func specs() (out []paramserver.Spec) {
	for i, o := range []paramserver.Options{
		{},
		{Servers: 2, Steps: 3, ChunkBytes: 4096},
		{Servers: 3, Steps: 1, ChunkBytes: 1000, ComputeUs: 50},
		{Servers: 1, Steps: 2, ChunkBytes: 40_000},
	} {
		out = append(out, paramserver.Spec{Nodes: 3 + o.Servers + i, Parameters: []int{5000, 2, 7001, 30_000}[i], Seed: uint64(i), Options: o})
	}
	return out
}

// TestParameters: every worker has the parameters after every step, on layers that carry programs in different ways.
func TestParameters(t *testing.T) {
	for _, at := range [][2]string{{"shrimp", "vmmc"}, {"ppro", "gam"}, {"ppro", "fm"}, {"gm-p3", "gm"}, {"das-wan", "tcp"}, {"linux-udp", "datagram"}, {"grim-p3-lanai9", "grim"}} {
		for i, s := range specs() {
			t.Run(fmt.Sprint(at, i), func(t *testing.T) {
				w := run(t, s, on(t, at[0], at[1]), nil)
				how, wrong := w.program.Verify()
				require.NoError(t, wrong)
				require.Contains(t, how, fmt.Sprintf("all %d parameters after each of", s.Parameters))
			})
		}
	}
}

// TestChangedBytesAreNoticed plants a change that no checksum shows, in a gradient and in parameters.
func TestChangedBytesAreNoticed(t *testing.T) {
	for _, kind := range []trace.Kind{trace.Request, trace.Reply} {
		seen := 0
		w := run(t, paramserver.Spec{Nodes: 4, Parameters: 5000, Options: paramserver.Options{Steps: 2}}, nil, func(w *world) {
			w.Net.DropWhen(func(p *fabric.Packet) bool {
				if p.Header.Meta.Kind == kind {
					if seen++; seen == 7 {
						p.Data[201] ^= 4
					}
				}
				return false
			})
		})
		_, wrong := w.program.Verify()
		require.ErrorContains(t, wrong, "element")
		if kind == trace.Request { // the server keeps it
			require.ErrorContains(t, wrong, "more)")
		}
	}
}

// TestPacketsThatOvertake: in the ablation in which packets overtake one another, and over errors of the network,
// parameters are right.
func TestPacketsThatOvertake(t *testing.T) {
	for _, s := range specs() {
		_, wrong := run(t, s, func(c *cluster.Spec) {
			c.Ports, c.Cards.NetDMA = true, true
			c.Cards.HostDMA, c.Cards.Slots, c.Hosts.IOBus, c.Cards.Processor = true, true, true, true
		}, nil).program.Verify()
		require.NoError(t, wrong)
	}
	w := run(t, paramserver.Spec{Nodes: 5, Parameters: 50_000}, func(c *cluster.Spec) { c.Faults.ErrorPerByte = 1e-6 }, nil)
	_, wrong := w.program.Verify()
	require.NoError(t, wrong)
	require.NotZero(t, w.Net.Stats().Detected)
}

// TestServersShareTheLoad: with one server a step takes as long as its link and its processor need; four of them need much less.
func TestServersShareTheLoad(t *testing.T) {
	took := func(servers int) sim.Duration {
		w := run(t, paramserver.Spec{Nodes: 8 + servers, Options: paramserver.Options{Servers: servers, Steps: 2}}, nil, nil)
		_, wrong := w.program.Verify()
		require.NoError(t, wrong)
		d, ended := w.program.Elapsed()
		require.True(t, ended)
		return d
	}
	one, four := took(1), took(4)
	t.Logf("one server %v, four %v", one, four)
	require.Greater(t, one, 2*four)
	require.Less(t, one, 5*four)
}

func TestSameSeedSameRun(t *testing.T) {
	digest := func(seed uint64) uint64 {
		return run(t, paramserver.Spec{Nodes: 5, Parameters: 9000}, func(c *cluster.Spec) { c.Seed = seed }, nil).Engine.Digest()
	}
	require.Equal(t, digest(1), digest(1))
	require.NotEqual(t, digest(1), digest(2))
}

func TestSpecsThatCannotBe(t *testing.T) {
	for field, s := range map[string]paramserver.Spec{
		"nodes":           {Nodes: 1},
		"size":            {Nodes: 2, Parameters: -1},
		"job.servers":     {Nodes: 2, Options: paramserver.Options{Servers: 2}},
		"job.steps":       {Nodes: 2, Options: paramserver.Options{Steps: -1}},
		"job.compute_us":  {Nodes: 2, Options: paramserver.Options{ComputeUs: -1}},
		"job.chunk_bytes": {Nodes: 600, Options: paramserver.Options{Servers: 500}},
	} {
		_, err := paramserver.New(s)
		var wrong *bounds.Error
		require.ErrorAs(t, err, &wrong, field)
		require.Equal(t, field, wrong.Field)
	}
}
