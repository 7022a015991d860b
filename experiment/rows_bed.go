package experiment

import (
	"errors"
	"fmt"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// bedSpec describes a test bed. The zero value is two nodes of the default
// platform under the full monitor, which records.
type bedSpec struct {
	platform string
	nodes    int   // 0: two
	build    Build // "": full
	tags     int   // programs; 0: one
	kinds    []trace.Kind
	bytes    int // largest message; 0: a page
	clock    ClockSpec

	profile func(*platform.Profile) // changes the platform
	cluster func(*cluster.Spec)     // changes the cluster
	layout  func(*histo.Spec)       // changes the histograms
	silent  bool                    // monitors are not started
	cold    bool                    // no clock rounds before
}

// bed is a small live cluster on which rows of the published table are tried
// out: a process per program and node, each with a region on every other node
// to deposit into.
type bed struct {
	*cluster.Cluster
	profile *platform.Profile
	bytes   int
	procs   [][]*process // by tag and node
}

// process is one program on one node of a bed.
type process struct {
	node    int
	space   *host.Space
	ep      *vmmc.Endpoint
	out     host.Addr // what is sent
	in      []host.Addr
	exports []*vmmc.Export // by sender
	to      []*vmmc.Import // by receiver
	posted  []sim.Time     // when each request was in the queue
}

// newBed builds and warms a bed.
func newBed(seed uint64, s bedSpec) (*bed, error) {
	if s.platform == "" {
		s.platform = DefaultPlatform
	}
	s.nodes, s.tags, s.bytes = max(2, s.nodes), max(1, s.tags), max(s.bytes, host.PageBytes)
	if s.build == "" {
		s.build = BuildFull
	}
	if s.kinds == nil {
		s.kinds = []trace.Kind{trace.Data}
	}
	p, err := platform.Load(s.platform)
	if err != nil {
		return nil, err
	}
	if s.profile != nil {
		s.profile(p)
	}
	run := DefaultRun("validate")
	run.Seed, run.Monitor = seed, s.build
	if s.clock.Estimator != "" {
		run.Clock = s.clock
	}
	spec, err := clusterSpec(run, p, s.nodes, s.kinds)
	if err != nil {
		return nil, err
	}
	spec.Tags = s.tags
	if s.cluster != nil {
		s.cluster(&spec)
	}
	b := &bed{profile: p, bytes: s.bytes}
	if b.Cluster, err = newCluster(spec, s.layout); err != nil {
		return nil, err
	}
	for tag := range s.tags {
		if err := b.open(trace.Tag(tag)); err != nil {
			return nil, err
		}
	}
	if !s.cold {
		if err := b.Warm(); err != nil {
			return nil, err
		}
	}
	if !s.silent {
		b.Record()
	}
	return b, nil
}

// newCluster builds a cluster whose histograms may differ from the
// platform's.
func newCluster(spec cluster.Spec, change func(*histo.Spec)) (*cluster.Cluster, error) {
	if change == nil || spec.Build == monitor.Off {
		return cluster.New(spec)
	}
	build := spec.Build
	spec.Build = monitor.Off
	c, err := cluster.New(spec)
	if err != nil {
		return nil, err
	}
	h := histo.Published()
	h.BudgetBytes = spec.Profile.Monitor.HistogramBytes
	h.TickHz, h.MaxBytes = int64(spec.Profile.Clock.Hz), spec.Profile.VMMC.PacketBytes
	h.Tags, h.Nodes, h.Kinds, h.Variance = spec.Tags, spec.Nodes, spec.Kinds, spec.Variance
	change(&h)
	if c.Layout, err = histo.Plan(h); err != nil {
		return nil, err
	}
	for _, n := range c.Nodes {
		n.Monitor, err = monitor.New(n.NIC, spec.Profile.Monitor, monitor.Config{
			Build: build, Layout: c.Layout, Protocol: c.Protocol(),
		})
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

// open makes the processes of one program.
func (b *bed) open(tag trace.Tag) error {
	procs := make([]*process, len(b.Nodes))
	for i, n := range b.Nodes {
		p := &process{node: i, space: host.NewSpace(fmt.Sprintf("bed%d", i), n.Frames)}
		p.ep = n.VMMC.Open(p.space, tag)
		p.out = p.space.Alloc(int64(b.bytes))
		for j := range b.Nodes {
			p.in = append(p.in, p.space.Alloc(int64(b.bytes)))
			x, err := p.ep.Export(p.in[j], b.bytes, nil)
			if err != nil {
				return err
			}
			p.exports = append(p.exports, x)
		}
		procs[i] = p
	}
	for i, p := range procs {
		p.to = make([]*vmmc.Import, len(procs))
		for j, peer := range procs {
			if i == j {
				continue
			}
			var err error
			if p.to[j], err = p.ep.Import(peer.exports[i]); err != nil {
				return err
			}
		}
	}
	b.procs = append(b.procs, procs)
	return nil
}

// send deposits n bytes at node to. It panics on a message that the bed has no
// room for: the caller is a row's program.
func (p *process) send(c *host.Context, to, n int) { p.sendAs(c, to, n, trace.Data) }

func (p *process) sendAs(c *host.Context, to, n int, kind trace.Kind) {
	if err := p.ep.Send(c, p.out, p.to[to], 0, n, trace.Meta{Kind: kind}, false); err != nil {
		panic("experiment: " + err.Error())
	}
	p.posted = append(p.posted, c.Now())
}

// deposit sends n bytes to the start of an import, which interrupts the
// receiver if it is to be notified. It panics as send does.
func (p *process) deposit(c *host.Context, to *vmmc.Import, n int, notify bool) {
	if err := p.ep.Send(c, p.out, to, 0, n, trace.Meta{Kind: trace.Data}, notify); err != nil {
		panic("experiment: " + err.Error())
	}
}

// proc returns node's process of the first program.
func (b *bed) proc(node int) *process { return b.procs[0][node] }

// interrupted returns an import by which node from deposits into a page of
// node to. Messages with notification interrupt a handler there, which does
// serve for each.
func (b *bed) interrupted(from, to int, serve func(*host.Context)) (*vmmc.Import, error) {
	handler := b.Nodes[to].Host.Go("row handler", host.Handler, func(c *host.Context) {
		for {
			c.WaitInterrupt("a message")
			serve(c)
		}
	})
	q := b.proc(to)
	x, err := q.ep.Export(q.space.Alloc(host.PageBytes), host.PageBytes, func(vmmc.Deposit) { handler.Interrupt() })
	if err != nil {
		return nil, err
	}
	return b.proc(from).ep.Import(x)
}

// nodeProgram is what a node of a bed does.
type nodeProgram struct {
	node int
	run  func(*host.Context)
}

// run executes programs side by side, waits for their ends and for what is
// then on its way.
func (b *bed) run(programs ...nodeProgram) error {
	left := len(programs)
	for _, p := range programs {
		b.Nodes[p.node].Host.Go(fmt.Sprintf("row %d", p.node), host.Application, func(c *host.Context) {
			p.run(c)
			left--
		})
	}
	if err := b.Engine.RunUntil(func() bool { return left == 0 && b.done() }); err != nil {
		return err
	}
	return b.rest(settle)
}

// done reports whether all that was sent has arrived.
func (b *bed) done() bool {
	for _, n := range b.Nodes {
		if n.NIC.Requests() > 0 || n.VMMC.Unacknowledged() > 0 {
			return false
		}
	}
	return true
}

// rest lets the cluster run on for d. Service processes that wait with
// nothing left to come are no deadlock: the programs have ended.
func (b *bed) rest(d sim.Duration) error {
	var stuck *sim.DeadlockError
	err := b.Engine.Run(b.Engine.Now().Add(d))
	if errors.As(err, &stuck) {
		return nil
	}
	return err
}

// each sends one message of every size from node to node, with idle time
// between them that no periodic part of the firmware can lock to.
func (b *bed) each(from, to int, sizes []int, gap sim.Duration) nodeProgram {
	idle := b.Engine.Stream(fmt.Sprintf("bed/%d-%d", from, to))
	return nodeProgram{from, func(c *host.Context) {
		for _, n := range sizes {
			b.proc(from).send(c, to, n)
			c.Sleep(gap + idle.Upto(gap))
		}
	}}
}

// quiet is a gap in which even a page comes to rest.
const quiet = 300 * sim.Microsecond

// same returns count messages of n bytes.
func same(n, count int) []int {
	sizes := make([]int, count)
	for i := range sizes {
		sizes[i] = n
	}
	return sizes
}

// tap calls see for every packet as its injection begins.
func (b *bed) tap(see func(*fabric.Packet)) {
	b.Net.DropWhen(func(p *fabric.Packet) bool {
		see(p)
		return false
	})
}

// snapshot ends recording and returns the histograms of all nodes together.
func (b *bed) snapshot() (*histo.Snapshot, error) { return histo.Merge(b.Snapshots()...) }

// moments reads one latency out of all histograms and lets recording go on.
func (b *bed) moments(q histo.Query) (histo.Moments, error) {
	s, err := b.snapshot()
	if err != nil {
		return histo.Moments{}, err
	}
	b.Record()
	return s.Moments(q)
}
