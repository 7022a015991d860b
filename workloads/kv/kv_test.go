package kv_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/kv"
)

// world is a program on a cluster without a monitor.
type world struct {
	*cluster.Cluster
	program *kv.KV
}

// begin starts a program. Change, which may be nil, may change where.
func begin(tb testing.TB, s kv.Spec, change func(*cluster.Spec)) *cluster.Cluster {
	tb.Helper()
	p, err := platform.Load("shrimp")
	require.NoError(tb, err)
	spec := cluster.Spec{Profile: p, Nodes: s.Nodes, Seed: 1, Options: monitor.Options{Build: monitor.Off}}
	if change != nil {
		change(&spec)
	}
	c, err := cluster.New(spec)
	require.NoError(tb, err)
	tb.Cleanup(c.Engine.Close)
	return c
}

// run runs a program to its end.
func run(tb testing.TB, s kv.Spec, change func(*cluster.Spec)) *world {
	tb.Helper()
	w := &world{Cluster: begin(tb, s, change)}
	w.start(tb, s)
	return w
}

func (w *world) start(tb testing.TB, s kv.Spec) {
	var err error
	w.program, err = kv.New(s)
	require.NoError(tb, err)
	ended := false
	require.NoError(tb, w.program.Start(w.Deposits(), w.Instrument(0), 0, func() { ended = true }))
	require.NoError(tb, w.Engine.RunUntil(func() bool { return ended }))
	require.NoError(tb, w.program.Err())
}

// on places a program.
func on(t testing.TB, name, layer string) func(*cluster.Spec) {
	p, err := platform.Load(name)
	require.NoError(t, err)
	return func(s *cluster.Spec) { s.Profile, s.Layer = p, layer }
}

// specs are small stores, used in different ways.
func specs() (out []kv.Spec) {
	for i, o := range []kv.Options{
		{},
		{Servers: 2, Keys: 10, Zipf: 1, Gets: 50, Puts: 50},
		{Servers: 3, Keys: 1, Bytes: 8, Gets: 1, Puts: 1, Adds: 1},
		{Keys: 3, Bytes: 10_000, Puts: 1, Gets: 3},
		{Keys: 2, Adds: 1, ComputeUs: 3},
	} {
		out = append(out, kv.Spec{Nodes: 2 + o.Servers + 2*i, Ops: 300, Seed: uint64(i), Options: o})
	}
	return out
}

// TestStore: every operation is done and explained, on layers that carry programs in different ways.
func TestStore(t *testing.T) {
	for _, at := range [][2]string{{"shrimp", "vmmc"}, {"ppro", "gam"}, {"ppro", "fm"}, {"gm-p3", "gm"}, {"das-wan", "tcp"}, {"linux-udp", "datagram"}, {"grim-p3-lanai9", "grim"}} {
		for i, s := range specs() {
			t.Run(fmt.Sprint(at, i), func(t *testing.T) {
				w := run(t, s, on(t, at[0], at[1]))
				how, wrong := w.program.Verify()
				require.NoError(t, wrong)
				require.Contains(t, how, "are linearizable")
				require.Len(t, w.program.Events(), 300)
			})
		}
	}
}

// TestChangedBytesAreNoticed plants a change that no checksum of the network shows: in a value put, in one got, and in what an
// addition returns.
func TestChangedBytesAreNoticed(t *testing.T) {
	for _, c := range []struct {
		kind  trace.Kind
		bytes int
		at    int
		want  string
	}{
		{trace.Request, 24 + 128, 24 + 77, "is not the value"},
		{trace.Reply, 8 + 128, 8 + 77, "is not the value"},
		{trace.Reply, 8, 3, "added to"},
	} {
		s := kv.Spec{Nodes: 5, Ops: 600, Options: kv.Options{Keys: 20, Gets: 2, Puts: 1, Adds: 1}}
		w := &world{Cluster: begin(t, s, nil)}
		planted := 0
		w.Net.DropWhen(func(p *fabric.Packet) bool {
			if p.Header.Meta.Kind == c.kind && len(p.Data) == c.bytes {
				if planted++; planted >= 20 {
					p.Data[c.at] ^= 16
				}
			}
			return false
		})
		w.start(t, s)
		require.GreaterOrEqual(t, planted, 20)
		_, wrong := w.program.Verify()
		require.ErrorContains(t, wrong, c.want)
	}
}

// TestKeysAndMix: the share of operations and of keys is as the options say.
func TestKeysAndMix(t *testing.T) {
	s := kv.Spec{Nodes: 4, Ops: 3000, Options: kv.Options{Keys: 10, Zipf: 1, Gets: 60, Puts: 30, Adds: 10}}
	w := run(t, s, nil)
	var kinds [kv.NumKinds]float64
	keys := make([]float64, 10)
	for _, e := range w.program.Events() {
		kinds[e.Kind] += 1. / 3000
		keys[e.Key] += 1. / 3000
	}
	require.InDelta(t, 0.6, kinds[kv.Get], 0.03)
	require.InDelta(t, 0.3, kinds[kv.Put], 0.03)
	require.InDelta(t, keys[0], 2*keys[1], 0.06)
	require.InDelta(t, keys[0], 5*keys[4], 0.15)
}

func TestSameSeedSameRun(t *testing.T) {
	digest := func(seed uint64) uint64 {
		return run(t, kv.Spec{Nodes: 4, Ops: 200, Seed: seed}, nil).Engine.Digest()
	}
	require.Equal(t, digest(1), digest(1))
	require.NotEqual(t, digest(1), digest(2))
}

func TestSpecsThatCannotBe(t *testing.T) {
	for field, s := range map[string]kv.Spec{
		"nodes":          {Nodes: 1},
		"size":           {Nodes: 2, Ops: -1},
		"job.servers":    {Nodes: 3, Options: kv.Options{Servers: 3}},
		"job.items":      {Nodes: 2, Options: kv.Options{Keys: -1}},
		"job.zipf":       {Nodes: 2, Options: kv.Options{Zipf: 4}},
		"job.item_bytes": {Nodes: 2, Options: kv.Options{Bytes: 12}},
		"job.reads":      {Nodes: 2, Options: kv.Options{Gets: 101}},
	} {
		_, err := kv.New(s)
		var wrong *bounds.Error
		require.ErrorAs(t, err, &wrong, field)
		require.Equal(t, field, wrong.Field)
	}
	s := kv.Spec{Nodes: 2, Options: kv.Options{Access: "one-sided"}}
	p, err := kv.New(s)
	require.NoError(t, err)
	c := begin(t, s, nil)
	require.ErrorContains(t, p.Start(c.Deposits(), c.Instrument(0), 0, nil), "job.access is one-sided, want requests: interfaces of this layer do not read")
}
