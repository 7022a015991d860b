package kv_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/jobs"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/kv"
)

var job = jobs.Test[kv.Spec, *kv.KV]{
	New:   kv.New,
	Nodes: func(s kv.Spec) int { return s.Nodes },
	Specs: specs(),
	Check: func(t *testing.T, s kv.Spec, k *kv.KV, how string) {
		require.Contains(t, how, "are linearizable")
		require.Len(t, k.Events(), s.Ops)
	},
	Seeded: func(seed uint64, _ *cluster.Spec) kv.Spec { return kv.Spec{Nodes: 4, Ops: 200, Seed: seed} },
	Refused: map[string]kv.Spec{
		"nodes":          {Nodes: 1},
		"size":           {Nodes: 2, Ops: -1},
		"job.servers":    {Nodes: 3, Options: kv.Options{Servers: 3}},
		"job.items":      {Nodes: 2, Options: kv.Options{Keys: -1}},
		"job.zipf":       {Nodes: 2, Options: kv.Options{Zipf: 4}},
		"job.item_bytes": {Nodes: 2, Options: kv.Options{Bytes: 12}},
		"job.reads":      {Nodes: 2, Options: kv.Options{Gets: 101}},
	},
}

func TestJob(t *testing.T) { job.All(t) }

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
		planted := 0
		w := job.Run(t, s, nil, func(on *cluster.Cluster, _ []deposit.Node) {
			on.Net.DropWhen(func(p *fabric.Packet) bool {
				if p.Header.Meta.Kind == c.kind && p.Bytes() == c.bytes {
					if planted++; planted >= 20 {
						p.Data()[c.at] ^= 16
					}
				}
				return false
			})
		})
		require.GreaterOrEqual(t, planted, 20)
		_, wrong := w.Job.Verify()
		require.ErrorContains(t, wrong, c.want)
	}
}

// TestKeysAndMix: the share of operations and of keys is as the options say.
func TestKeysAndMix(t *testing.T) {
	s := kv.Spec{Nodes: 4, Ops: 3000, Options: kv.Options{Keys: 10, Zipf: 1, Gets: 60, Puts: 30, Adds: 10}}
	w := job.Run(t, s, nil, nil)
	var kinds [kv.NumKinds]float64
	keys := make([]float64, 10)
	for _, e := range w.Job.Events() {
		kinds[e.Kind] += 1. / 3000
		keys[e.Key] += 1. / 3000
	}
	require.InDelta(t, 0.6, kinds[kv.Get], 0.03)
	require.InDelta(t, 0.3, kinds[kv.Put], 0.03)
	require.InDelta(t, keys[0], 2*keys[1], 0.06)
	require.InDelta(t, keys[0], 5*keys[4], 0.15)
}

func TestOneSidedNeedsRemoteAccess(t *testing.T) {
	s := kv.Spec{Nodes: 2, Options: kv.Options{Access: "one-sided"}}
	p, err := kv.New(s)
	require.NoError(t, err)
	c := job.Cluster(t, s, nil)
	require.ErrorContains(t, p.Start(c.Deposits(), c.Instrument(0), 0, nil), "job.access is one-sided, want requests: interfaces of this layer do not read")
}
