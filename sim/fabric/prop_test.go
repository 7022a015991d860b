package fabric

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/sim"
)

func drawTopology(t *rapid.T) Topology {
	return rapid.SampledFrom([]Topology{
		{Shape: Cable, Nodes: 2}, {Nodes: 5}, {Nodes: 8}, {Nodes: 16}, {Nodes: 40}, {Nodes: 16, Radix: 4},
		{Shape: Mesh, Nodes: 9}, {Shape: Mesh, Nodes: 16, Width: 8}, {Shape: Mesh, Nodes: 24, Dimensions: 3, SwitchNodes: 2},
	}).Draw(t, "topology")
}

// TestConservation: random traffic with random slack, arbitration, rates,
// receivers that refuse and stalls beyond the block limit. Nothing
// is lost uncounted, nothing hangs, pairs stay in order, channels are exclusive.
func TestConservation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := base(drawTopology(t))
		spec.GoBytes = rapid.IntRange(24, 60).Draw(t, "go")
		spec.StopBytes = spec.GoBytes + rapid.IntRange(1, 60).Draw(t, "stop")
		spec.SlackBytes = spec.StopBytes + 24
		spec.Uncontended = rapid.IntRange(0, 9).Draw(t, "uncontended") == 0
		if ports := spec.Ports(); len(ports) > 0 && rapid.IntRange(0, 2).Draw(t, "free") == 0 {
			spec.Free = rapid.SliceOfNDistinct(rapid.SampledFrom(ports), 0, min(3, len(ports)), rapid.ID).Draw(t, "ports")
		}
		spec.Arbitration = Arbitration(rapid.IntRange(0, 1).Draw(t, "arbitration"))
		spec.BlockLimit = rapid.SampledFrom([]sim.Duration{sim.Microsecond, 5 * sim.Microsecond, 50 * sim.Millisecond}).Draw(t, "limit")
		nodes := spec.Topology.Nodes
		if rapid.Bool().Draw(t, "stall") {
			spec.Faults.Stalls = []Stall{{Node: nodes - 1, At: 1000, For: rapid.SampledFrom([]sim.Duration{sim.Microsecond, 60 * sim.Millisecond}).Draw(t, "for")}}
		}
		if rapid.Bool().Draw(t, "uneven") {
			spec.Inward = []Link{{Node: nodes - 1, LinkRate: spec.LinkRate / 3, WireDelay: 7 * spec.WireDelay}}
		}
		spec.Faults.ErrorPerByte = rapid.SampledFrom([]float64{0, 1e-4}).Draw(t, "errors")
		runRandom(t, spec, rapid.Uint64().Draw(t, "seed"))
	})
}

func runRandom(t *rapid.T, spec Spec, seed uint64) {
	const perNode = 12
	r := rand.New(rand.NewPCG(seed, 1))
	e := sim.New(seed)
	n, err := New(e, spec)
	require.NoError(t, err)
	rg := &rig{engine: e, net: n}
	left := make([]int, n.Nodes())
	seq := uint32(0)
	next := func(src int) {
		if left[src] == 0 {
			return
		}
		left[src]--
		seq++
		dst := (src + 1 + r.IntN(n.Nodes()-1)) % n.Nodes()
		if r.IntN(3) == 0 && src != n.Nodes()-1 {
			dst = n.Nodes() - 1
		}
		p := n.NewPacket()
		p.Src, p.Dst, p.WireBytes, p.Header.Seq, p.WantSent = int32(src), int32(dst), 1+r.IntN(400), seq, true
		n.Inject(p, e.Now().Add(sim.Duration(r.IntN(3)*r.IntN(100_000))), sim.Rate(40_000_000*(1+r.IntN(5))))
	}
	for i := range n.Nodes() {
		s := &sink{net: n, sent: func(*Packet) { next(i) }}
		s.take = func(*Packet) bool {
			if r.IntN(4) > 0 {
				return true
			}
			e.After(sim.Duration(1+r.IntN(2_000_000)), resumer{n, i}, 0, 0)
			return false
		}
		rg.ports = append(rg.ports, s)
		n.Attach(i, s)
		left[i] = perNode
	}
	for i := range n.Nodes() {
		next(i)
	}
	for step := 0; e.Step(); step++ {
		if step%8 == 0 {
			audit(t, n)
		}
	}
	s := n.Stats()
	require.EqualValues(t, perNode*n.Nodes(), s.Injected)
	require.Equal(t, s.Injected, s.Delivered+s.ResetLost)
	require.Zero(t, s.InFlight)
	require.Zero(t, n.InUse())
	require.Equal(t, s.Hit, s.Detected+s.Undetected)
	aborted, resets := 0, 0
	last := map[[2]int32]record{}
	for _, p := range rg.ports {
		aborted += p.aborted
		resets += p.resets
		for _, g := range p.got {
			if !g.hit { // a hit that the CRC does not show may have changed the number
				require.Greater(t, g.seq, last[[2]int32{g.src, g.dst}].seq, "order from %d to %d", g.src, g.dst)
				last[[2]int32{g.src, g.dst}] = g
			}
			require.Less(t, g.t3, g.t4)
			require.Less(t, g.t4, g.t5)
		}
	}
	require.EqualValues(t, s.Resets, resets)
	require.LessOrEqual(t, aborted, int(s.ResetLost))
}

type resumer struct {
	net  *Net
	node int
}

func (r resumer) Act(uint32, uint64) { r.net.Resume(r.node) }

// audit checks that every held channel belongs to a packet that is under way,
// that a packet's channels are an unbroken stretch that ends at its head, that
// input ports and arbiters agree, and that no buffer holds more than its
// slack.
func audit(t require.TestingT, n *Net) {
	now := n.engine.Now()
	for i := range n.ch {
		c := &n.ch[i]
		if c.holder != nil && c.end > now && !n.spec.Uncontended {
			r := &c.holder.route
			if !r.used {
				require.Fail(t, "held by a free packet", n.layout.name(i))
			}
			on := false
			for h, id := range r.path[:r.head+1] {
				if n.ch[id].signal == open {
					break // it lets go at once
				}
				held := n.ch[id].holder == c.holder && n.ch[id].end > now
				last := h == int(r.head) && (r.where == waiting || r.where == behind)
				// After a reset a packet may overtake its own GO by a round trip.
				early := n.stats.Resets > 0 && n.ch[r.path[max(0, h-1)]].end <= now.Add(2*n.hop)
				if on && !held && !last && !early {
					require.Fail(t, "let go before its tail", hole(n, c.holder))
				}
				on = on || held
			}
			require.True(t, slices.Contains(r.path[:r.head+1], c.id))
		}
		if c.first != nil {
			want := &n.ch[c.first.route.path[c.first.route.head]]
			require.Contains(t, want.crowd.queue, c.id)
			require.True(t, want.holder != nil, "channel %d is free and wanted", want.id)
		}
		if out := n.fed(c); out != nil {
			require.Equal(t, out.end, c.until)
		}
		if !n.spec.Uncontended && int(c.id) >= n.Nodes() && int(c.id) < 2*n.Nodes() {
			continue // ends at a node, not in a buffer
		}
		for _, id := range c.crowd.queue {
			require.NotNil(t, n.ch[id].first)
		}
	}
}

// hole describes a packet that let go of a channel before its tail was through.
func hole(n *Net, p *Packet) string {
	s := fmt.Sprintf("packet %d of %d bytes at %d bytes/s, head %d %v, at %d:", p.route.id, p.WireBytes, p.route.rate, p.route.head, p.route.where, n.engine.Now())
	for _, id := range p.route.path {
		c := &n.ch[id]
		s += fmt.Sprintf("\nchannel %d: its %t flowing %t sent %d mark %d end %d signal %d due %d blocked %t", id, c.holder == p, c.flowing, c.sent, c.mark, c.end, c.signal, c.crowd.due, c.blocked)
	}
	return s
}

// TestDeterminism: equal runs have equal digests and instants.
func TestDeterminism(t *testing.T) {
	run := func(seed uint64) (uint64, []record) {
		spec := base(Topology{Nodes: 16})
		spec.Faults.ErrorPerByte = 1e-4
		tr := randomTraffic(rand.New(rand.NewPCG(seed, 3)), spec, 20, 300, 20e6)
		rg := newRig(t, spec)
		for _, p := range tr.packets {
			if !rg.net.Busy(int(p.src)) {
				rg.send(int(p.src), int(p.dst), p.bytes, p.seq, rg.engine.Now())
			}
			require.NoError(t, rg.engine.Run(rg.engine.Now().Add(20*sim.Nanosecond)))
		}
		rg.run(t)
		var all []record
		for _, p := range rg.ports {
			all = append(all, p.got...)
		}
		return rg.engine.Digest(), all
	}
	d1, a1 := run(1)
	d2, a2 := run(1)
	d3, _ := run(2)
	require.Equal(t, d1, d2)
	require.Equal(t, a1, a2)
	require.NotEqual(t, d1, d3)
}

// TestLargeAllToAll: one round of 1,024 nodes (every eighth destination) stays
// within a few packets per node.
func TestLargeAllToAll(t *testing.T) {
	const nodes, step = 1024, 8
	r := newRig(t, base(Topology{Nodes: nodes}))
	received := 0
	for i := range nodes {
		to := i
		s := r.ports[i]
		s.arrived = func(*Packet) { received++; s.got = s.got[:0] }
		next := func() {
			if to += step; to < i+nodes {
				r.send(i, to%nodes, 80, 0, r.engine.Now())
			}
			s.sentSeqs = s.sentSeqs[:0]
		}
		s.sent = func(*Packet) { next() }
		next()
	}
	r.run(t)
	require.Equal(t, nodes*(nodes/step-1), received)
	require.Less(t, len(r.net.packets), 16*nodes)
}

// TestSteadyStateDoesNotAllocate: a loaded crossbar, pools warm.
func TestSteadyStateDoesNotAllocate(t *testing.T) {
	r := newRig(t, base(Topology{Nodes: 8}))
	left := 0
	for i, s := range r.ports {
		s.arrived = func(*Packet) { s.got = s.got[:0] }
		s.sent = func(*Packet) {
			s.sentSeqs = s.sentSeqs[:0]
			if left--; left > 0 {
				r.send(i, 7-i, 80, 0, r.engine.Now())
			}
		}
	}
	round := func() {
		left = 2000
		for i := range 8 {
			r.send(i, (i+1)%8, 80, 0, r.engine.Now())
		}
		r.run(t)
	}
	for range 8 { // rounds differ, so queues reach their largest size only after some
		round()
	}
	require.Zero(t, testing.AllocsPerRun(3, round))
}
