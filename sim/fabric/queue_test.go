package fabric

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/sim"
)

// TestBuffersAgainstTwin holds every instant of random traffic, and every loss, against a machine
// that gives room back in time and knows nothing in advance.
func TestBuffersAgainstTwin(t *testing.T) {
	for _, c := range []struct {
		name            string
		top             Topology
		perNode, packet int
		spread          int64
		xoff            int
		stall           sim.Duration
	}{
		{"one switch, light", Topology{Nodes: 8}, 10, 300, 200e6, 0, 0},
		{"one switch, small packets", Topology{Nodes: 8}, 40, 40, 5e6, 0, 0},
		{"one switch, loaded", Topology{Nodes: 8}, 40, 600, 20e6, 0, 0},
		{"one switch, fixed limit", Topology{Nodes: 8}, 40, 600, 20e6, 900, 0},
		{"two levels", Topology{Nodes: 16}, 20, 500, 30e6, 0, 0},
		{"two levels, small packets", Topology{Nodes: 20}, 24, 60, 5e6, 0, 0},
		{"three levels of 4 ports", Topology{Nodes: 16, Radix: 4}, 20, 400, 30e6, 0, 0},
		{"one switch, a stalled receiver", Topology{Nodes: 8}, 30, 500, 20e6, 0, 13 * sim.Microsecond},
		{"two levels, a stalled receiver", Topology{Nodes: 16}, 20, 500, 20e6, 600, 13 * sim.Microsecond},
	} {
		for _, control := range []FlowControl{Lossy, PFC, Credits} {
			if control == Lossy && c.stall > 0 || control != PFC && c.xoff > 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s, %v", c.name, control), func(t *testing.T) {
				spec := buffered(c.top, control)
				spec.Buffer.Xoff = c.xoff
				if c.stall > 0 {
					spec.Faults.Stalls = []Stall{{Node: 0, At: 3_000_003, For: c.stall}}
				}
				compared, halted, lost := 0, uint64(0), uint64(0)
				seeds := testlong.Pick[uint64](12, 100)
				for seed := range seeds {
					tr := randomTraffic(rand.New(rand.NewPCG(seed, 7)), spec, c.perNode, c.packet, c.spread)
					w := newBufferTwin(spec, tr.packets)
					w.run()
					require.Len(t, w.out, len(tr.packets), "%v", w)
					if w.tie {
						continue // either order is right
					}
					fast, s := tr.fast(t)
					require.EqualValues(t, len(w.lost), s.Overflowed)
					require.Len(t, fast, len(w.out)-len(w.lost))
					if differ := w.differs(fast); differ != "" {
						require.True(t, w.met, "seed %d: %s", seed, differ) // else either order is right
						continue
					}
					compared++
					halted += s.Pauses + s.Refused
					lost += s.Dropped
				}
				t.Logf("%d of %d runs compared, %d pauses and refusals, %d packets lost", compared, seeds, halted, lost)
				require.Greater(t, 3*compared, int(seeds), "most runs have no ties")
			})
		}
	}
}

// TestBuffersConserve: random traffic with random buffers, rates, flows, receivers that refuse and stalls. No
// packet is lost uncounted, none at all with pfc and credits; nothing hangs; flows stay in order.
func TestBuffersConserve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := rapid.SampledFrom([]Topology{
			{Shape: Cable, Nodes: 2}, {Nodes: 5}, {Nodes: 8}, {Nodes: 16}, {Nodes: 40}, {Nodes: 16, Radix: 4}, {Nodes: 24, Trees: 2},
			{Shape: Mesh, Nodes: 16, Width: 8}, {Shape: Mesh, Nodes: 24, Dimensions: 3, SwitchNodes: 2},
		}).Draw(t, "topology")
		spec := buffered(top, rapid.SampledFrom([]FlowControl{Lossy, PFC, Credits}).Draw(t, "control"))
		b, nodes := spec.Buffer, top.Nodes
		if rapid.Bool().Draw(t, "uneven") {
			spec.Inward = []Link{{Node: nodes - 1, LinkRate: spec.LinkRate / 3, WireDelay: 7 * spec.WireDelay}}
		}
		if rapid.Bool().Draw(t, "stall") {
			spec.Faults.Stalls = []Stall{{Node: nodes - 1, At: 1000, For: rapid.SampledFrom([]sim.Duration{sim.Microsecond, sim.Millisecond}).Draw(t, "for")}}
		}
		if rapid.Bool().Draw(t, "outage") {
			spec.Faults.Outages = []Stall{{Node: nodes - 1, At: 20_000_000, For: 30 * sim.Microsecond}}
		}
		if spec.Pauses() {
			for range rapid.IntRange(0, 3).Draw(t, "storms") {
				at := rapid.Int64Range(0, 50_000_000).Draw(t, "at")
				spec.Faults.Storms = append(spec.Faults.Storms, Stall{Node: nodes - 2, At: sim.Time(at), For: rapid.SampledFrom([]sim.Duration{sim.Microsecond, 40 * sim.Microsecond}).Draw(t, "long")})
			}
		}
		spec.Faults.ErrorPerByte = rapid.SampledFrom([]float64{0, 1e-4}).Draw(t, "errors")
		if b.Control == Credits {
			b.InputBytes = rapid.IntRange(600, 3000).Draw(t, "input")
		} else {
			b.Alpha = rapid.SampledFrom([]float64{0.01, 0.1, 1, 8}).Draw(t, "alpha")
			if b.Control == PFC {
				b.Headroom = spec.headroomNeed()
				b.Xoff = rapid.SampledFrom([]int{0, 1, 700, 5000}).Draw(t, "xoff")
				b.XonGap = rapid.IntRange(0, 2000).Draw(t, "gap")
			}
			if b.Control == Lossy {
				b.DropBand = rapid.SampledFrom([]int{0, 1000}).Draw(t, "band")
			}
			b.SwitchBytes = spec.layout().ports()*b.Headroom + rapid.IntRange(600, 20_000).Draw(t, "shared")
		}
		if rapid.Bool().Draw(t, "ecn") {
			b.ECN = &ECN{Min: 400, Max: 2000, Share: 0.5}
		}
		runBuffers(t, spec, rapid.Uint64().Draw(t, "seed"))
	})
}

func runBuffers(t *rapid.T, spec Spec, seed uint64) {
	const perNode = 20
	r := rand.New(rand.NewPCG(seed, 1))
	e := sim.New(seed)
	n, err := New(e, spec)
	require.NoError(t, err)
	rg := &rig{engine: e, net: n}
	left, seq, sent := make([]int, n.Nodes()), uint32(0), map[uint32]bool{}
	next := func(src int) {
		if left[src] == 0 {
			return
		}
		left[src]--
		seq++
		dst := (src + 1 + r.IntN(n.Nodes()-1)) % n.Nodes()
		if r.IntN(3) > 0 && src != n.Nodes()-1 {
			dst = n.Nodes() - 1
		}
		p := n.NewPacket()
		p.Src, p.Dst, p.WireBytes, p.WantSent, p.Header.Seq = int32(src), int32(dst), 1+r.IntN(600), true, seq
		p.Flow = uint32(r.IntN(3))
		p.Header.Words[0] = uint64(p.Flow)
		n.Inject(p, e.Now().Add(sim.Duration(r.IntN(3)*r.IntN(100_000))), sim.Rate(40_000_000*(1+r.IntN(5))))
	}
	last := map[[3]uint32]uint32{}
	for i := range n.Nodes() {
		s := &sink{net: n, sent: func(p *Packet) {
			require.False(t, sent[p.Header.Seq])
			require.Equal(t, e.Now(), p.T4)
			sent[p.Header.Seq] = true
			next(i)
		}}
		s.take = func(p *Packet) bool {
			require.False(t, s.coming[p], "asked twice")
			if r.IntN(4) > 0 {
				return true
			}
			e.After(sim.Duration(1+r.IntN(2_000_000)), resumer{n, i}, 0, 0)
			return false
		}
		s.arrived = func(p *Packet) {
			require.Less(t, p.T3, p.T4)
			_, delay := spec.into(p.Dst)
			require.GreaterOrEqual(t, p.T5, p.T4.Add(n.hop*sim.Duration(len(p.route.path)-1)+delay), "the tail takes its time too")
			if p.Hit {
				return // its number may have changed
			}
			flow := [3]uint32{uint32(p.Src), uint32(p.Dst), uint32(p.Header.Words[0])}
			require.Greater(t, p.Header.Seq, last[flow], "order of flow %v", flow)
			last[flow] = p.Header.Seq
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
			auditBuffers(t, n)
		}
	}
	s, lacking := n.Stats(), uint64(0)
	require.Len(t, sent, perNode*n.Nodes())
	require.EqualValues(t, len(sent), s.Injected)
	require.Equal(t, s.Injected, s.Delivered+s.Dropped)
	require.Equal(t, s.Dropped, s.Overflowed+s.Unreceived+s.Severed)
	var sum ChannelStats
	for i := range n.Channels() {
		c := n.ChannelStats(i)
		sum.Overflowed += c.Overflowed
		sum.Unreceived += c.Unreceived
		sum.Marked += c.Marked
		sum.Pauses += c.Pauses
		sum.Stops += c.Stops
	}
	for i := range n.Nodes() {
		lacking += n.Lacking(i)
	}
	require.Equal(t, s.Dropped, lacking+s.Severed)
	require.Equal(t, [5]uint64{s.Overflowed, s.Unreceived, s.Marked, s.Pauses, s.Pauses}, [5]uint64{sum.Overflowed, sum.Unreceived, sum.Marked, sum.Pauses, sum.Stops})
	if spec.Buffer.Control != Lossy {
		require.Equal(t, s.Severed, s.Dropped)
	}
	require.Zero(t, s.InFlight)
	require.Zero(t, n.InUse())
	for i := range n.buffers.switches {
		n.buffers.sweep(&n.buffers.switches[i])
	}
	auditBuffers(t, n)
	for i := range n.buffers.switches {
		require.Zero(t, n.buffers.switches[i].used)
		require.Zero(t, n.buffers.switches[i].off)
	}
}

// auditBuffers checks that what switches count is what they hold, and that no part of a buffer holds more
// than its size.
func auditBuffers(t require.TestingT, n *Net) {
	b := n.buffers
	hold := func(ok bool, what string, c int32) {
		if !ok { // require itself is slow
			require.Fail(t, what, "%s at %v", n.ChannelName(int(c)), n.engine.Now())
		}
	}
	through := make([]int64, len(n.ch)) // by input: bytes in the switch
	for i := range b.ports {
		out, c := &b.ports[i], &n.ch[i]
		if out.from == noSwitch {
			continue
		}
		held := int64(0)
		for k := range out.queue.Len() {
			p := *out.queue.At(k)
			held += int64(p.WireBytes)
			through[p.route.path[p.route.head-1]] += int64(p.WireBytes)
		}
		if c.holder != nil {
			held += int64(c.bytes)
			if b.spec.Control != Credits || c.end > n.engine.Now() {
				through[c.from] += int64(c.bytes)
			}
		}
		hold(held == out.bytes, "bytes of a queue", c.id)
	}
	for i := range b.switches {
		s := &b.switches[i]
		shared, all := int64(0), int64(0)
		for _, in := range s.inputs {
			p := &b.ports[in]
			switch b.spec.Control {
			case PFC:
				hold(through[in] == p.shared+p.headroom, "bytes of an input", in)
				hold(p.headroom <= int64(b.spec.Headroom), "headroom", in)
				shared += p.shared
			case Lossy:
				shared += through[in]
			case Credits:
				hold(through[in] <= int64(b.spec.InputBytes), "buffer of an input", in)
			}
			all += through[in]
		}
		if b.spec.Control != Credits && len(s.inputs) > 0 {
			hold(shared == s.used, "bytes of a switch", s.inputs[0])
			hold(shared <= s.room && all <= int64(b.spec.SwitchBytes), "buffer of a switch", s.inputs[0])
		}
	}
}
