package vmmc_test

import (
	"math/rand/v2"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

const (
	ms = sim.Millisecond
)

// fatal is what the rig needs of *testing.T, *testing.B and *rapid.T.
type fatal interface {
	require.TestingT
	Helper()
}

// setup says what cluster to build.
type setup struct {
	nodes   int
	seed    uint64
	build   monitor.Build
	profile func(*platform.Profile)
	faults  fabric.Faults
	free    ni.Uncontended
	skew    int  // of the regions from a page border
	paced   bool // with Throttle
}

// regionBytes is the size of one of the regions below.
const regionBytes = 64 << 10

// rig is a cluster whose nodes have exported a region to every other one.
type rig struct {
	*cluster.Cluster
	t     fatal
	procs []*proc
}

// proc is a process that sends from one region of random bytes into regions of
// others.
type proc struct {
	node    *cluster.Node
	space   *host.Space
	ep      *vmmc.Endpoint
	source  host.Addr
	bytes   []byte // of the source
	regions []host.Addr
	exports []deposit.Export
	imports []deposit.Import
	want    [][]byte // what the region for a sender should hold
	arrived [][]vmmc.Deposit
	notices [][]vmmc.Deposit
	live    []sim.Time // when each deposit came
}

func newRig(t fatal, s setup) *rig {
	t.Helper()
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	if s.profile != nil {
		s.profile(p)
	}
	c, err := cluster.New(cluster.Spec{
		Profile: p, Nodes: s.nodes, Seed: s.seed, Options: monitor.Options{Build: s.build}, Tags: 1, Kinds: []trace.Kind{trace.Data},
		Faults: s.faults, Cards: s.free, Throttle: s.paced,
	})
	require.NoError(t, err)
	r := &rig{Cluster: c, t: t}
	random := rand.New(rand.NewPCG(s.seed, 1))
	for _, n := range c.Nodes {
		p := &proc{node: n, space: host.NewSpace("p", n.Frames), bytes: make([]byte, regionBytes)}
		p.ep = n.VMMC.Process(p.space, 0)
		p.source = p.space.Alloc(regionBytes)
		for i := range p.bytes {
			p.bytes[i] = byte(random.Uint32())
		}
		p.space.WriteAt(p.source, p.bytes)
		r.procs = append(r.procs, p)
	}
	for i, p := range r.procs {
		p.exports = make([]deposit.Export, s.nodes)
		p.regions = make([]host.Addr, s.nodes)
		p.imports = make([]deposit.Import, s.nodes)
		p.want = make([][]byte, s.nodes)
		p.arrived = make([][]vmmc.Deposit, s.nodes)
		p.notices = make([][]vmmc.Deposit, s.nodes)
		for j := range r.procs {
			if i == j {
				continue
			}
			p.regions[j] = p.space.Alloc(regionBytes+host.PageBytes) + host.Addr(s.skew)
			p.want[j] = make([]byte, regionBytes)
			p.exports[j], err = p.ep.Export(p.regions[j], regionBytes, func(d vmmc.Deposit) { p.notices[j] = append(p.notices[j], d) })
			require.NoError(t, err)
			p.exports[j].OnWrite(func(d vmmc.Deposit) {
				p.arrived[j] = append(p.arrived[j], d)
				p.live = append(p.live, c.Engine.Now())
			})
		}
	}
	for i, p := range r.procs {
		for j, q := range r.procs {
			if i != j {
				p.imports[j], err = p.ep.Import(q.exports[i])
				require.NoError(t, err)
			}
		}
	}
	return r
}

// packet is the size of the largest one.
const packet = 4096

// send sends n bytes of the source from an offset and notes what the receiver
// should have afterwards.
func (r *rig) send(c *host.Context, from, to, at, offset, n int, notify bool) {
	p := r.procs[from]
	require.NoError(r.t, p.ep.Send(c, p.source+host.Addr(at), p.imports[to], offset, n, trace.Meta{Kind: trace.Data}, notify))
	copy(r.procs[to].want[from][offset:], p.bytes[at:at+n])
}

// program runs a process on a node.
func (r *rig) program(node int, f func(*host.Context)) {
	r.Nodes[node].Host.Go("program", host.Application, f)
}

// at runs f on the engine at a time.
func (r *rig) at(t sim.Time, f func()) { r.Engine.At(t, call(f), 0, 0) }

type call func()

func (f call) Act(uint32, uint64) { f() }

// finish runs everything to its end and compares memory.
func (r *rig) finish() {
	r.t.Helper()
	require.NoError(r.t, r.Engine.Run(sim.Never))
	r.check()
}

func (r *rig) check() {
	r.t.Helper()
	for i, p := range r.procs {
		for j := range r.procs {
			if i == j {
				continue
			}
			got := make([]byte, regionBytes)
			p.space.ReadAt(p.regions[j], got)
			require.True(r.t, string(got) == string(p.want[j]), "memory of node %d for node %d", i, j)
		}
		require.Zero(r.t, p.node.VMMC.Unacknowledged(), "node %d", i)
	}
	require.Zero(r.t, r.Net.InUse())
}

// sum adds up a counter over all nodes.
func (r *rig) sum(f func(vmmc.Stats) uint64) (n uint64) {
	for _, x := range r.Nodes {
		n += f(x.VMMC.Stats())
	}
	return n
}

func (r *rig) retransmitted() uint64 {
	return r.sum(func(s vmmc.Stats) uint64 { return s.Retransmitted })
}
