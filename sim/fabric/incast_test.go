package fabric

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace/waits"
)

// load makes a node of a rig send packets to another without pause until a time.
func (r *rig) load(src, dst, bytes int, until sim.Time) {
	next := func() {
		if r.engine.Now() < until {
			r.send(src, dst, bytes, 0, r.engine.Now())
		}
	}
	r.ports[src].sent = func(*Packet) { next() }
	next()
}

// from counts what a node has received from others until a time.
func (r *rig) from(node int, until sim.Time) map[int32]int {
	n := map[int32]int{}
	for _, g := range r.ports[node].got {
		if g.t5 <= until {
			n[g.src]++
		}
	}
	return n
}

const (
	incastNodes = 9
	incastTime  = sim.Time(2 * sim.Millisecond)
)

func incast(t testing.TB, control FlowControl) *rig {
	r := newRig(t, buffered(Topology{Nodes: incastNodes, Radix: 16}, control))
	for i := range incastNodes - 1 {
		r.load(i+1, 0, 600, incastTime)
	}
	r.run(t)
	return r
}

// TestIncast: eight senders at full rate to one receiver. Its link is full whatever the flow control. Without any the
// rest is dropped and counted at that port; with pause frames or credits the senders wait, and share the link equally.
func TestIncast(t *testing.T) {
	for _, control := range []FlowControl{Lossy, PFC, Credits} {
		t.Run(control.String(), func(t *testing.T) {
			r := incast(t, control)
			s, port := r.net.Stats(), r.net.ChannelStats(incastNodes)
			require.Equal(t, "switch>node0", r.net.ChannelName(incastNodes))
			of := r.from(0, incastTime)
			sum := 0
			for _, n := range of {
				sum += n
			}
			full := float64(incastTime) / float64(r.net.spec.LinkRate.Time(600))
			require.InEpsilon(t, full, sum, 0.01, "packets that fill the link")
			require.Equal(t, s.Injected, s.Delivered+s.Dropped)
			if control == Lossy {
				require.InEpsilon(t, 7./8, float64(s.Dropped)/float64(s.Injected), 0.02)
				require.Equal(t, s.Dropped, port.Overflowed)
				require.Equal(t, s.Dropped, r.net.Lacking(0))
				require.Zero(t, s.Pauses)
				require.Zero(t, r.net.ChannelStats(1).Paused)
				return
			}
			require.Zero(t, s.Dropped)
			for src := range int32(incastNodes - 1) {
				require.InEpsilon(t, sum/8, of[src+1], 0.05)
				own := r.net.ChannelStats(int(src + 1))
				require.InEpsilon(t, 7./8, float64(own.Halted)/float64(incastTime), 0.03, "the time for the others")
				require.GreaterOrEqual(t, own.Paused, own.Halted) // a pause also begins while a packet leaves
				require.Equal(t, control == PFC, own.Pauses > 0)
			}
		})
	}
}

// TestSendersInStep: of two senders of equal packets at full rate the one whose packets come first at a full buffer gets the
// whole link, unless the switch drops in a band below the limit.
func TestSendersInStep(t *testing.T) {
	share := func(band int) float64 {
		spec := buffered(Topology{Nodes: 3}, Lossy)
		spec.Buffer.SwitchBytes, spec.Buffer.DropBand = 60_000, band
		r := newRig(t, spec)
		r.load(1, 0, 600, 20*incastTime)
		r.load(2, 0, 600, 20*incastTime)
		r.run(t)
		of := r.from(0, 20*incastTime)
		require.InEpsilon(t, float64(20*incastTime)/float64(spec.LinkRate.Time(600)), of[1]+of[2], 0.01)
		require.LessOrEqual(t, r.net.ChannelStats(3).QueueBytes, int64(20_000), "alpha of what is free")
		return float64(of[1]) / float64(of[1]+of[2])
	}
	require.Greater(t, share(0), 0.95)
	require.InDelta(t, 0.5, share(12_000), 0.02)
}

// TestBelowTheRateNothingHappens is the counter-experiment: one sender at full rate needs no flow control.
func TestBelowTheRateNothingHappens(t *testing.T) {
	for _, control := range []FlowControl{Lossy, PFC, Credits} {
		r := newRig(t, buffered(Topology{Nodes: 9, Radix: 16}, control))
		r.load(1, 0, 600, incastTime)
		r.run(t)
		s := r.net.Stats()
		require.Zero(t, s.Dropped+s.Pauses)
		require.Zero(t, r.net.ChannelStats(1).Paused)
		require.EqualValues(t, 600, r.net.ChannelStats(9).QueueBytes)
	}
}

// victim is a tree with four nodes at a leaf switch. The first nodes of seven switches send to node 0 at half of the
// rate, and node 5 sends to node 12 at a quarter, through the switches and the channel that it shares with node 4.
// It returns the rate of that.
func victim(t testing.TB, control FlowControl, others bool, log *waits.Log) (*rig, float64) {
	r := newRig(t, buffered(Topology{Nodes: 32}, control))
	r.net.Log(log)
	require.Equal(t, r.net.Route(4, 0)[1], r.net.Route(5, 12)[1])
	load := func(src, dst int, part sim.Rate) {
		next := func() {
			if r.engine.Now() >= incastTime {
				return
			}
			p := r.net.NewPacket()
			p.Src, p.Dst, p.WireBytes, p.WantSent = int32(src), int32(dst), 600, true
			p.Actor = log.Begin(waits.Actor{Node: p.Src, Peer: p.Dst}, waits.Interval{Resource: waits.Processor, Begin: int64(r.engine.Now())})
			r.net.Inject(p, r.engine.Now(), r.net.spec.LinkRate/part)
		}
		r.ports[src].sent = func(*Packet) { next() }
		next()
	}
	for src := 4; src < 32 && others; src += 4 {
		load(src, 0, 2)
	}
	load(5, 12, 4)
	r.run(t)
	return r, float64(r.from(12, incastTime)[5]) * 600 / (incastTime.Seconds() * float64(r.net.spec.LinkRate))
}

// TestPausesSpread: a flow that shares a channel with an incast, but not its destination, gets its quarter of the
// rate where packets are dropped. Pauses and credits halt the channel, and the flow with it.
func TestPausesSpread(t *testing.T) {
	for control, want := range map[FlowControl][2]float64{Lossy: {0.24, 0.26}, PFC: {0.02, 0.18}, Credits: {0.02, 0.18}} {
		_, alone := victim(t, control, false, nil)
		require.InDelta(t, 0.25, alone, 0.005)
		r, rate := victim(t, control, true, nil)
		t.Logf("%v: %.3f, without the others %.3f", control, rate, alone)
		require.GreaterOrEqual(t, rate, want[0], control)
		require.LessOrEqual(t, rate, want[1], control)
		require.Equal(t, control == Lossy, r.net.ChannelStats(int(r.net.Route(5, 12)[1])).Paused == 0)
	}
}

// TestLogOfAVictim: the log leads from what a packet of the victim waits for to packets of the incast.
func TestLogOfAVictim(t *testing.T) {
	for _, control := range []FlowControl{PFC, Credits} {
		log := waits.NewLog()
		r, _ := victim(t, control, true, log)
		r.net.Close()
		log.Finish(int64(r.engine.Now()))
		others, all := int64(0), int64(0)
		for _, x := range log.Intervals {
			if a := log.Actors[x.Actor]; a.Node == 5 && x.What == waits.Waiting {
				all += x.End - x.Begin
				if x.By != 0 && log.Actors[x.By].Peer == 0 {
					others += x.End - x.Begin
				}
				for _, h := range log.Holds {
					if x.Line && h.Resource == x.Resource && h.Instance == x.Instance && log.Actors[h.Actor].Peer == 0 {
						others += max(0, min(h.End, x.End)-max(h.Begin, x.Begin))
					}
				}
			}
		}
		t.Logf("%v: %.2f of %v", control, float64(others)/float64(all), sim.Duration(all))
		require.Greater(t, float64(others), 0.5*float64(all), control)
	}
}

// TestHeadroom: traffic both ways, where pause frames wait for packets of full size. What Validate asks for is
// never overrun and little more than what is used; with three quarters of it a buffer overflows.
func TestHeadroom(t *testing.T) {
	run := func(share float64) (most int64, need int) {
		spec := buffered(Topology{Nodes: 9, Radix: 16}, PFC)
		need = spec.headroomNeed()
		r := newRig(t, spec)
		r.net.buffers.spec.Headroom = int(share * float64(need))
		rnd := rand.New(rand.NewPCG(1, 1))
		for i := range 9 {
			next := func() {
				if r.engine.Now() >= incastTime {
					return
				}
				dst, bytes := 0, 500+rnd.IntN(101)
				if i == 0 || rnd.IntN(3) > 0 {
					dst = (i + 1 + rnd.IntN(8)) % 9
				}
				r.send(i, dst, bytes, 0, r.engine.Now())
			}
			r.ports[i].sent = func(*Packet) { next() }
			next()
		}
		for r.engine.Step() {
			for i := range r.net.buffers.ports {
				most = max(most, r.net.buffers.ports[i].headroom)
			}
		}
		return most, need
	}
	most, need := run(1)
	t.Logf("%d of %d bytes used", most, need)
	require.Greater(t, float64(most), 0.8*float64(need))
	require.Panics(t, func() { run(0.75) })
}

// TestPausedSender: the sender of a packet that a pause keeps back is told when it leaves, as of a
// packet that STOP halts; the sender of another one is not.
func TestPausedSender(t *testing.T) {
	for _, control := range []FlowControl{PFC, Credits} {
		spec := buffered(Topology{Nodes: 3}, control)
		spec.Faults.Stalls = []Stall{{Node: 0, At: 0, For: 100 * sim.Microsecond}}
		r := newRig(t, spec)
		var told []*Packet
		var at []sim.Time
		kept := 0
		var next func()
		next = func() {
			if r.engine.Now() > sim.Time(50*sim.Microsecond) {
				return
			}
			p := r.net.NewPacket()
			p.Src, p.Dst, p.WireBytes, p.WantHalted = 1, 0, 600, true
			start := r.engine.Now().Add(500 * sim.Nanosecond)
			r.net.Inject(p, start, 1e12)
			require.True(t, r.net.Busy(1))
			if p.T4 == never {
				kept++
				require.Equal(t, never, r.net.Leaves(1))
				return
			}
			require.Equal(t, start.Add(spec.LinkRate.Time(600)), p.T4)
			require.Equal(t, p.T4, r.net.Leaves(1))
			r.engine.At(p.T4, action(func() {
				if r.net.Leaves(1) != r.engine.Now() { // kept meanwhile
					kept++
					return
				}
				require.False(t, r.net.Busy(1))
				next()
			}), 0, 0)
		}
		r.ports[1].sent = func(p *Packet) {
			told, at = append(told, p), append(at, p.T4)
			require.Equal(t, r.engine.Now(), p.T4)
			require.False(t, r.net.Busy(1))
		}
		next()
		r.run(t)
		require.Equal(t, 1, kept, control)
		require.Len(t, told, 1)
		require.Greater(t, at[0], sim.Time(100*sim.Microsecond))
		require.Equal(t, r.net.Stats().Injected, r.net.Stats().Delivered)
	}
}

// TestPauseBeforeThePacket: a pause that comes before a packet that was injected for later keeps it.
func TestPauseBeforeThePacket(t *testing.T) {
	spec := buffered(Topology{Nodes: 3}, PFC)
	b := spec.Buffer
	b.Xoff, b.Reaction = 1, 5*sim.Microsecond
	b.Headroom = spec.headroomNeed()
	b.SwitchBytes += spec.layout().ports() * b.Headroom
	spec.Faults.Stalls = []Stall{{Node: 0, At: 0, For: 100 * sim.Microsecond}}
	r := newRig(t, spec)
	var second *Packet
	r.ports[1].sent = func(p *Packet) {
		if second == nil {
			second = r.send(1, 0, 600, 0, r.engine.Now().Add(3*sim.Microsecond))
			require.NotEqual(t, never, second.T4)
		}
	}
	r.send(1, 0, 600, 0, 0)
	require.NoError(t, r.engine.Run(sim.Time(50*sim.Microsecond)))
	require.Equal(t, never, second.T4)
	require.Equal(t, never, r.net.Leaves(1))
	paused := r.net.ChannelStats(1).Paused
	require.InDelta(t, 44.3, paused.Us(), 0.1)
	require.InDelta(t, 49.8, r.net.ChannelStats(3).Paused.Us(), 0.1, "the receiver")
	r.run(t)
	require.Len(t, r.ports[0].got, 2)
	require.Greater(t, r.ports[0].got[1].t4, sim.Time(100*sim.Microsecond))
	require.Greater(t, r.net.ChannelStats(1).Paused, paused+50*sim.Microsecond)
}

// TestStorm: a switch that keeps pausing a node keeps its packets back, also between two storms that overlap and while
// the switch has no room; other nodes go on.
func TestStorm(t *testing.T) {
	spec := buffered(Topology{Nodes: 4}, PFC)
	us := sim.Time(sim.Microsecond)
	spec.Faults.Storms = []Stall{{Node: 1, At: 10 * us, For: 50 * sim.Microsecond}, {Node: 1, At: 40 * us, For: 60 * sim.Microsecond}}
	r := newRig(t, spec)
	for _, pair := range [][2]int{{1, 3}, {2, 0}} {
		src, dst, left := pair[0], pair[1], 40
		next := func(*Packet) {
			if left--; left >= 0 {
				r.send(src, dst, 300, uint32(left), r.engine.Now())
			}
		}
		r.ports[src].sent = next
		next(nil)
	}
	require.NoError(t, r.engine.Run(99*us))
	require.Less(t, len(r.ports[3].got), 10, "what has left before")
	require.Len(t, r.ports[0].got, 40)
	s := r.net.ChannelStats(1)
	require.EqualValues(t, 2, s.Pauses)
	require.InDelta(t, 89, s.Paused.Us(), 0.1)
	r.run(t)
	require.Len(t, r.ports[3].got, 40)
	require.InDelta(t, 90, r.net.ChannelStats(1).Paused.Us(), 0.1)
}

// TestStormBeyondAPause: a pause for want of room that begins in a storm lasts until there is room.
func TestStormBeyondAPause(t *testing.T) {
	spec := buffered(Topology{Nodes: 3}, PFC)
	us := sim.Time(sim.Microsecond)
	spec.Buffer.Xoff = 1
	spec.Faults.Stalls = []Stall{{Node: 0, For: 100 * sim.Microsecond}}
	spec.Faults.Storms = []Stall{{Node: 1, At: 5 * us, For: 30 * sim.Microsecond}}
	r := newRig(t, spec)
	r.ports[1].sent = func(*Packet) { r.ports[1].sent = nil; r.send(1, 0, 600, 0, r.engine.Now()) }
	r.send(1, 0, 600, 0, 0)
	require.NoError(t, r.engine.Run(90*us))
	require.Empty(t, r.ports[0].got)
	require.Greater(t, r.net.ChannelStats(1).Paused, 80*sim.Microsecond)
	r.run(t)
	require.Len(t, r.ports[0].got, 2)
}

// TestReceiverWithoutRoom: without flow control what the receiver refuses is lost, and counted there.
func TestReceiverWithoutRoom(t *testing.T) {
	spec := buffered(Topology{Nodes: 3}, Lossy)
	spec.Faults.Stalls = []Stall{{Node: 0, At: 0, For: 500 * sim.Microsecond}}
	r := newRig(t, spec)
	r.load(1, 0, 600, sim.Time(sim.Millisecond))
	r.run(t)
	s := r.net.Stats()
	require.InEpsilon(t, 0.5, float64(s.Unreceived)/float64(s.Injected), 0.01)
	require.Equal(t, s.Unreceived, s.Dropped)
	require.Equal(t, s.Unreceived, r.net.ChannelStats(3).Unreceived)
	require.Equal(t, s.Unreceived, r.net.Lacking(0))
	require.Equal(t, s.Injected, s.Delivered+s.Dropped)
}

// TestMarks: no marks up to the lower level, all above the upper one, and in between the share rises in proportion.
func TestMarks(t *testing.T) {
	spec := buffered(Topology{Nodes: 3}, Lossy)
	spec.Buffer.ECN = &ECN{Min: 1000, Max: 3000, Share: 0.4}
	n := newRig(t, spec).net
	out := &n.buffers.ports[3]
	for bytes, want := range map[int64]float64{0: 0, 1000: 0, 1500: 0.1, 2000: 0.2, 3000: 0.4, 3001: 1} {
		const draws = 20_000
		s := ChannelStats{}
		for range draws {
			out.bytes = bytes
			n.buffers.mark(out, &Packet{}, &s)
		}
		require.InDelta(t, want, float64(s.Marked)/draws, 0.01, "%d bytes", bytes)
	}
	out.bytes = 0
}

// TestMarksArrive: receivers see the marks of an incast, and that of a single flow has none.
func TestMarksArrive(t *testing.T) {
	for _, senders := range []int{1, 8} {
		spec := buffered(Topology{Nodes: 9, Radix: 16}, PFC)
		spec.Buffer.ECN = &ECN{Min: 700, Max: 3000, Share: 0.4}
		r := newRig(t, spec)
		marked := uint64(0)
		r.ports[0].arrived = func(p *Packet) {
			if p.Marked {
				marked++
			}
		}
		for i := range senders {
			r.load(i+1, 0, 600, incastTime)
		}
		r.run(t)
		require.Equal(t, senders > 1, marked > 0)
		require.Equal(t, r.net.Stats().Marked, marked)
		require.Equal(t, marked, r.net.ChannelStats(9).Marked)
	}
}

// TestFlowsSpread: flows use all ways between two nodes alike, each flow its own, and flow 0 the default one.
func TestFlowsSpread(t *testing.T) {
	for _, top := range []Topology{{Nodes: 64}, {Nodes: 24, Trees: 2}, {Nodes: 128, Radix: 32}} {
		r := newRig(t, buffered(top, PFC))
		n, ways := r.net, r.net.Ways(0, top.Nodes-1)
		used := map[int32]int{}
		path := func(flow uint32) []int32 {
			p := n.NewPacket()
			p.Src, p.Dst, p.WireBytes, p.Flow = 0, int32(top.Nodes-1), 100, flow
			n.Inject(p, r.engine.Now(), 1e12)
			path := slices.Clone(p.route.path)
			r.run(t)
			return path
		}
		const flows = 2000
		for f := range uint32(flows) {
			p := path(f + 1)
			require.Equal(t, p, path(f+1))
			used[p[len(p)/2]]++ // a channel of a top switch
		}
		require.Len(t, used, ways)
		for _, k := range used {
			require.InDelta(t, flows/ways, k, 5*math.Sqrt(flows/float64(ways)))
		}
		require.Equal(t, n.Route(0, top.Nodes-1), path(0))
	}
}

// TestFlowsAvoidDeadLinks: packets of flows take other ways; those of the default way are lost until its
// sender looks for another.
func TestFlowsAvoidDeadLinks(t *testing.T) {
	spec := buffered(Topology{Nodes: 64}, PFC)
	spec.Faults.Breaks = []Break{{From: 0, To: 63}}
	r := newRig(t, spec)
	send := func(flow uint32) Stats {
		for range 50 {
			p := r.net.NewPacket()
			p.Src, p.Dst, p.WireBytes, p.Flow = 0, 63, 100, flow
			r.net.Inject(p, r.engine.Now(), 1e12)
			r.run(t)
			if flow > 0 {
				flow++
			}
		}
		return r.net.Stats()
	}
	require.Zero(t, send(1).Severed)
	require.EqualValues(t, 50, send(0).Severed)
	r.net.Reroute(0, 63)
	require.EqualValues(t, 50, send(0).Severed)
	require.EqualValues(t, 50, send(1).Severed)
}

// TestEnds: a channel of a route begins where the one before it ends, the other direction of a link has its
// ends exchanged, and no switch has more ports than its layout says.
func TestEnds(t *testing.T) {
	for _, top := range []Topology{
		{Shape: Cable, Nodes: 2}, {Nodes: 8}, {Nodes: 9}, {Nodes: 33}, {Nodes: 100, Radix: 4}, {Nodes: 70, Radix: 16}, {Nodes: 200, Radix: 128},
		{Nodes: 16, Trees: 2}, {Nodes: 40, Trees: 3}, {Shape: Mesh, Nodes: 24, Width: 3}, {Shape: Mesh, Nodes: 128, Dimensions: 3, SwitchNodes: 2},
	} {
		spec := buffered(top, Lossy)
		n := newRig(t, spec).net
		for src := range top.Nodes {
			for dst := src + 1; dst < top.Nodes; dst += 3 {
				for route := range min(5, n.layout.ways(src, dst)) {
					at := noSwitch
					for _, c := range n.layout.route(nil, src, dst, route) {
						from, to := n.layout.ends(c)
						back, forth := n.layout.ends(n.reverse(c))
						if from != at || to != back || from != forth {
							t.Fatalf("%+v: %s", top, n.layout.name(int(c)))
						}
						at = to
					}
					require.Equal(t, noSwitch, at)
				}
			}
		}
		for _, s := range n.buffers.switches {
			require.LessOrEqual(t, len(s.inputs), n.layout.ports())
			require.Equal(t, len(s.inputs), len(s.outputs))
		}
	}
}

// TestOneNodeStandsForItsSwitch: checkWays finds the turns between switches that the routes of all nodes take.
func TestOneNodeStandsForItsSwitch(t *testing.T) {
	for _, top := range []Topology{{Nodes: 40}, {Nodes: 16, Radix: 4}, {Nodes: 24, Trees: 2}} {
		l := top.layout()
		turns := func(first bool) map[[2]int32]bool {
			at, all := map[int32]bool{}, map[[2]int32]bool{}
			var nodes []int
			for i := range top.Nodes {
				_, leaf := l.ends(int32(i))
				if !first || !at[leaf] {
					nodes = append(nodes, i)
				}
				at[leaf] = true
			}
			for _, src := range nodes {
				for _, dst := range nodes {
					for route := range min(maxWays, l.ways(src, dst)) {
						path := l.route(nil, src, dst, route)
						for i := 2; i < len(path)-1; i++ {
							all[[2]int32{path[i-1], path[i]}] = true
						}
					}
				}
			}
			return all
		}
		require.Equal(t, turns(false), turns(true))
	}
	require.ErrorContains(t, checkWays(apart{circle{5}}, 5, 15), "routes can deadlock")
}

// apart is a circle of five switches.
type apart struct{ circle }

func (a apart) ends(c int32) (from, to int32) { return noSwitch, c }

// TestBuffersAreDeterministic: equal runs have equal digests, another seed has other marks.
func TestBuffersAreDeterministic(t *testing.T) {
	run := func(seed uint64) (uint64, uint64) {
		spec := buffered(Topology{Nodes: 9, Radix: 16}, PFC)
		spec.Buffer.ECN = &ECN{Min: 700, Max: 30000, Share: 0.4}
		r := newRig(t, spec)
		r.net.buffers.marks = sim.NewStream(seed, "fabric/marks")
		for i := range 8 {
			r.load(i+1, 0, 600, incastTime)
		}
		r.run(t)
		return r.engine.Digest(), r.net.Stats().Marked
	}
	d1, m1 := run(1)
	d2, m2 := run(1)
	_, m3 := run(2)
	require.Equal(t, [2]uint64{d1, m1}, [2]uint64{d2, m2})
	require.NotEqual(t, m1, m3)
}

// TestUncontendedBuffersHoldAll: with infinite capacity nothing is dropped and nothing waits.
func TestUncontendedBuffersHoldAll(t *testing.T) {
	spec := buffered(Topology{Nodes: 9, Radix: 16}, Lossy)
	spec.Uncontended = true
	r := newRig(t, spec)
	for i := range 8 {
		r.load(i+1, 0, 600, incastTime)
	}
	r.run(t)
	s := r.net.Stats()
	require.Equal(t, s.Injected, s.Delivered)
	require.Greater(t, s.Delivered, uint64(7*len(r.from(0, incastTime))))
}

// TestHaltsNameTheCrowdedPort: in the incast to node 0, whose packets and those of the flow from node 5 to node 12 share a
// channel, all halts are because of the port at which the ways to node 0 meet, and only the other flow stands for a port that it does not pass.
func TestHaltsNameTheCrowdedPort(t *testing.T) {
	for _, control := range []FlowControl{PFC, Credits} {
		r, _ := victim(t, control, true, nil)
		crowded, shared := r.net.Route(4, 0), r.net.Route(5, 12)[1]
		last := crowded[len(crowded)-2] // where the ways meet
		sums := map[int32]sim.Duration{}
		var all, before sim.Duration
		for _, h := range r.net.Halts() {
			sums[h.Channel] += h.Time
			all += h.Time
			if h.Through == last {
				before += h.Time
			}
			require.NotZero(t, h.Count)
		}
		t.Logf("%v: %.3f of %v", control, float64(before)/float64(all), all)
		require.Greater(t, float64(before), 0.95*float64(all), control)
		for c, sum := range sums {
			require.Equal(t, r.net.ChannelStats(int(c)).Paused, sum)
		}
		require.NotZero(t, sums[shared])
		require.NotZero(t, r.net.ChannelStats(int(shared)).Blocked)

		keys, stats := r.net.Flows()
		for i, k := range keys {
			s := stats[i]
			if k.Src == 5 {
				require.Greater(t, float64(s.Blocked), 0.95*float64(s.HaltedTime), "%v %+v", control, k)
				require.NotZero(t, s.Halted)
			} else {
				require.Less(t, float64(s.Blocked), 0.05*float64(s.HaltedTime), "%v %+v", control, k)
			}
		}
	}
	r := incast(t, Lossy)
	require.Empty(t, r.net.Halts())
	keys, stats := r.net.Flows()
	sum := uint64(0)
	for i := range keys {
		require.Zero(t, keys[i].Dst)
		sum += stats[i].Overflowed
	}
	require.Equal(t, r.net.Stats().Dropped, sum)
}
