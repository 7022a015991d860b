package monitor_test

import (
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

const (
	us = sim.Microsecond
	ms = sim.Millisecond
)

// fatal is what the rig needs of *testing.T and *rapid.T.
type fatal interface {
	require.TestingT
	Helper()
}

// rig is a cluster with a process on each node that can send to every other
// one, and an oracle between each card and its monitor.
type rig struct {
	*cluster.Cluster
	t       fatal
	profile *platform.Profile
	oracles []*oracle
	spaces  []*host.Space
	out     []host.Addr
	eps     []*vmmc.Endpoint
	to      [][]deposit.Import
}

const regionBytes = 16 << 10

func newRig(t fatal, build monitor.Build, nodes int, change func(*cluster.Spec)) *rig {
	t.Helper()
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	p.Clock.WarmRounds = 6
	spec := cluster.Spec{
		Profile: p, Nodes: nodes, Seed: 1, Options: monitor.Options{Build: build}, Tags: 1, Kinds: []trace.Kind{trace.Data},
		Clock: cluster.Clock{Round: 20 * ms},
	}
	if change != nil {
		change(&spec)
	}
	c, err := cluster.New(spec)
	require.NoError(t, err)
	r := &rig{Cluster: c, t: t, profile: p}
	var exports [][]deposit.Export
	for i, n := range c.Nodes {
		s := host.NewSpace("p", n.Frames)
		ep := n.VMMC.Process(s, 0)
		r.spaces, r.eps = append(r.spaces, s), append(r.eps, ep)
		r.out = append(r.out, s.Alloc(regionBytes))
		var row []deposit.Export
		for range c.Nodes {
			x, err := ep.Export(s.Alloc(regionBytes), regionBytes, nil)
			require.NoError(t, err)
			row = append(row, x)
		}
		exports = append(exports, row)
		if n.Monitor != nil {
			o := &oracle{Monitor: n.Monitor, nic: n.NIC, cycles: &p.Monitor.Cycles, build: build, sent: map[*ni.Record]*times{}, came: map[*fabric.Packet]*times{}}
			r.oracles = append(r.oracles, o)
			n.NIC.Attach(o)
		}
		_ = i
	}
	for i, ep := range r.eps {
		row := make([]deposit.Import, nodes)
		for j := range r.eps {
			if i != j {
				row[j], err = ep.Import(exports[j][i])
				require.NoError(t, err)
			}
		}
		r.to = append(r.to, row)
	}
	require.NoError(t, c.Warm())
	return r
}

func (r *rig) send(c *host.Context, from, to, n int, meta trace.Meta) {
	require.NoError(r.t, r.eps[from].Send(c, r.out[from], r.to[from][to], 0, n, meta, false))
}

// messages sends one message after the other, each after the one before has
// been delivered, and returns when the last one has.
func (r *rig) messages(from, to int, sizes ...int) {
	r.t.Helper()
	ended := false
	r.Nodes[from].Host.Go("messages", host.Application, func(c *host.Context) {
		for _, n := range sizes {
			r.send(c, from, to, n, trace.Meta{Kind: trace.Data})
			c.Sleep(2 * ms)
		}
		ended = true
	})
	require.NoError(r.t, r.Engine.RunUntil(func() bool { return ended }))
}

// burst sends n messages of changing sizes back to back.
func (r *rig) burst(from, to, n int) {
	r.Nodes[from].Host.Go("burst", host.Application, func(c *host.Context) {
		for i := range n {
			r.send(c, from, to, 1+(i*i*37)%3000, trace.Meta{Kind: trace.Data})
		}
	})
}

// run lets d pass.
func (r *rig) run(d sim.Duration) {
	r.t.Helper()
	require.NoError(r.t, r.Engine.Run(r.Engine.Now().Add(d)))
}

func moments(t fatal, s *histo.Snapshot, stage trace.Stage) histo.Moments {
	t.Helper()
	m, err := s.Moments(histo.Query{Stage: stage})
	require.NoError(t, err)
	return m
}

// counts returns how many latencies of each stage a node has filed.
func (r *rig) counts(node int) (out [4]uint64) {
	s := r.Nodes[node].Monitor.ReadOut()
	for stage := range trace.NumStages {
		out[stage] = moments(r.t, s, stage).Count
	}
	return out
}

// packets is how many packets a message of n bytes takes when both sides are
// aligned to pages.
func packets(n int) int { return (n + host.PageBytes - 1) / host.PageBytes }

// times are the true times of the instants of a packet, as the firmware reads
// its clock: t1 to t4 at the sender, t3, t5 and t6 at the receiver.
type times struct {
	at       [7]sim.Time
	noted    sim.Time // when the handler that stamped the last one ran
	bytes    int
	repeated bool
	first    sim.Time // when the handler of the request or of the arrival ran
}

// oracle stands between a card and its monitor. It computes the instants from
// the true times and the profile's cycles, and shares no code with the monitor.
type oracle struct {
	*monitor.Monitor
	nic      *ni.NIC
	cycles   *monitor.Cycles
	build    monitor.Build
	sent     map[*ni.Record]*times // in progress; only looked up
	came     map[*fabric.Packet]*times
	injected []*times
	landed   []*times
}

func (o *oracle) now() sim.Time { return o.nic.Engine().Now() }

func (o *oracle) Requested(r *ni.Record, at sim.Time) {
	x := &times{first: o.now(), bytes: int(r.Bytes)}
	x.at[1] = at
	o.sent[r] = x
	o.Monitor.Requested(r, at)
}

func (o *oracle) Fetched(r *ni.Record, at sim.Time) {
	o.sent[r].at[2] = at
	o.Monitor.Fetched(r, at)
}

func (o *oracle) Injecting(r *ni.Record, p *fabric.Packet) {
	o.sent[r].at[3] = o.nic.Now().Add(o.nic.Duration(o.cycles.WriteHeader))
	o.Monitor.Injecting(r, p)
}

func (o *oracle) Injected(r *ni.Record, at sim.Time) {
	x := o.sent[r]
	delete(o.sent, r)
	x.at[4], x.noted = at, o.now()
	o.injected = append(o.injected, x)
	o.Monitor.Injected(r, at)
}

func (o *oracle) Arriving(p *fabric.Packet) {
	x := &times{first: o.now(), bytes: p.Bytes(), repeated: p.Header.Flags&ni.FlagRepeated != 0}
	x.at[3], x.at[5] = p.T3, o.nic.Now()
	o.came[p] = x
	o.Monitor.Arriving(p)
}

func (o *oracle) Delivered(p *fabric.Packet, at sim.Time) {
	x := o.came[p]
	delete(o.came, p)
	x.at[6], x.noted = at, o.now()
	o.landed = append(o.landed, x)
	o.Monitor.Delivered(p, at)
}

// latency returns a stage of a packet.
func (x *times) latency(stage trace.Stage) sim.Duration {
	between := [...][2]int{trace.Source: {1, 2}, trace.LANai: {2, 4}, trace.Net: {3, 5}, trace.Dest: {5, 6}}[stage]
	return x.at[between[1]].Sub(x.at[between[0]])
}
