package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/sim"
)

const (
	byteTime = 6250 * sim.Picosecond
	wire     = 24_001 * sim.Picosecond
	hopTime  = wire + 99_991*sim.Picosecond
)

func TestUnloadedInstants(t *testing.T) {
	cases := []struct {
		name     string
		top      Topology
		src, dst int
		switches int
	}{
		{"cable", Topology{Shape: Cable, Nodes: 2}, 0, 1, 0},
		{"one crossbar", Topology{Nodes: 8}, 0, 7, 1},
		{"to itself through the crossbar", Topology{Nodes: 8}, 3, 3, 1},
		{"same leaf", Topology{Nodes: 32}, 0, 3, 1},
		{"two levels", Topology{Nodes: 32}, 0, 31, 3},
		{"three levels", Topology{Nodes: 64}, 0, 63, 5},
		{"five levels", Topology{Nodes: 1024}, 5, 1000, 9},
		{"mesh", Topology{Shape: Mesh, Nodes: 12}, 0, 11, 6},
		{"mesh of three dimensions", Topology{Shape: Mesh, Nodes: 24, Dimensions: 3, SwitchNodes: 2}, 0, 23, 5},
	}
	for _, c := range cases {
		for _, uncontended := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				spec := base(c.top)
				spec.Uncontended = uncontended
				r := newRig(t, spec)
				r.send(c.src, c.dst, 100, 7, 1000)
				r.run(t)
				require.Len(t, r.ports[c.dst].got, 1)
				got := r.ports[c.dst].got[0]
				require.Equal(t, sim.Time(1000), got.t3)
				require.Equal(t, sim.Time(1000).Add(100*byteTime), got.t4)
				require.Equal(t, got.t4.Add(sim.Duration(c.switches)*hopTime+wire), got.t5)
				require.Equal(t, []uint32{7}, r.ports[c.src].sentSeqs)
				if c.switches == 1 {
					require.EqualValues(t, 3, r.engine.Events(), "events of an unloaded packet through one switch")
				}
			})
		}
	}
}

func TestEngineSlowerThanLink(t *testing.T) {
	r := newRig(t, base(Topology{Nodes: 2}))
	p := r.net.NewPacket()
	p.Src, p.Dst, p.WireBytes = 0, 1, 1000
	r.net.Inject(p, 0, 100_000_000)
	r.run(t)
	got := r.ports[1].got[0]
	require.Equal(t, sim.Time(1000*10_000), got.t4)
	require.EqualValues(t, 2, r.engine.Events(), "nobody asked for the end of insertion")
}

// TestLinkIntoANode: a slower and longer link into a node holds for packets to it only.
func TestLinkIntoANode(t *testing.T) {
	spec := base(Topology{Nodes: 3})
	spec.Inward = []Link{{Node: 1, LinkRate: spec.LinkRate / 4, WireDelay: wire + sim.Microsecond}}
	r := newRig(t, spec)
	r.send(0, 1, 100, 1, 0)
	r.send(1, 0, 100, 2, 0)
	r.send(2, 0, 100, 3, 1000*sim.Time(sim.Nanosecond))
	r.run(t)
	slow, back := r.ports[1].got[0], r.ports[0].got[0]
	require.Equal(t, sim.Time(0).Add(400*byteTime), slow.t4)
	require.Equal(t, slow.t4.Add(hopTime+wire+sim.Microsecond), slow.t5)
	require.Equal(t, sim.Time(0).Add(100*byteTime), back.t4)
	require.Equal(t, back.t4.Add(hopTime+wire), back.t5)
}

// TestSlackTakesSmallPacket: a blocked packet below StopBytes leaves its sender
// on time, a longer one is halted there.
func TestSlackTakesSmallPacket(t *testing.T) {
	for _, c := range []struct {
		bytes  int
		halted bool
	}{{63, false}, {64, false}, {200, true}} {
		r := newRig(t, base(Topology{Nodes: 4}))
		r.send(0, 3, 2000, 1, 0)
		r.send(1, 3, c.bytes, 2, sim.Time(50*byteTime))
		r.run(t)
		require.Len(t, r.ports[3].got, 2)
		first, second := r.ports[3].got[0], r.ports[3].got[1]
		require.Equal(t, second.t5, first.t5.Add(sim.Duration(c.bytes)*byteTime), "back to back on the shared channel")
		free := second.t3.Add(sim.Duration(c.bytes) * byteTime)
		if c.halted {
			require.Greater(t, second.t4, free)
			require.NotZero(t, r.net.ChannelStats(1).Stops)
			require.NotZero(t, r.net.ChannelStats(1).Halted)
		} else {
			require.Equal(t, free, second.t4)
		}
	}
}

func TestRefusedWaitsForResume(t *testing.T) {
	for _, uncontended := range []bool{false, true} {
		spec := base(Topology{Nodes: 4})
		spec.Uncontended = uncontended
		r := newRig(t, spec)
		room := 1
		r.ports[3].take = func(*Packet) bool { room--; return room >= 0 }
		for i := range 3 {
			r.send(i, 3, 40, uint32(i), sim.Time(i))
		}
		require.NoError(t, r.engine.Run(sim.Time(10*sim.Microsecond)))
		require.Len(t, r.ports[3].got, 1)
		room = 1
		r.net.Resume(3)
		require.NoError(t, r.engine.Run(sim.Time(20*sim.Microsecond)))
		require.Len(t, r.ports[3].got, 2)
		want := sim.Time(10 * sim.Microsecond).Add(40*byteTime + wire)
		require.Equal(t, want, r.ports[3].got[1].t5)
		room = 5
		r.net.Resume(3)
		r.net.Resume(3)
		r.run(t)
		require.Len(t, r.ports[3].got, 3)
		require.Zero(t, r.net.InUse())
	}
}

// TestHaltedBeforeItsInsertion: a packet whose insertion begins later is halted and released
// meanwhile. It leaves when it would have, but its end is reported, and only that way.
func TestHaltedBeforeItsInsertion(t *testing.T) {
	r := newRig(t, base(Topology{Nodes: 4}))
	room := false
	r.ports[3].take = func(*Packet) bool { return room }
	first := r.send(0, 3, 70, 0, 0)
	require.NoError(t, r.engine.Run(first.T4))
	p := r.net.NewPacket()
	p.Src, p.Dst, p.WireBytes, p.Header.Seq, p.WantHalted = 0, 3, 40, 1, true
	r.net.Inject(p, sim.Time(20*sim.Microsecond), 1e12)
	leaves := p.T4
	require.Equal(t, leaves, r.net.Leaves(0))
	require.NoError(t, r.engine.Run(sim.Time(10*sim.Microsecond)))
	require.Equal(t, sim.Never, p.T4, "halted")
	room = true
	r.net.Resume(3)
	require.NoError(t, r.engine.Run(sim.Time(20*sim.Microsecond)))
	require.Equal(t, leaves, p.T4)
	require.Equal(t, sim.Never, r.net.Leaves(0))
	r.run(t)
	require.Equal(t, []uint32{0, 1}, r.ports[0].sentSeqs)
}

func TestRoundRobinIsFair(t *testing.T) {
	order := func(a Arbitration) (seqs []uint32) {
		spec := base(Topology{Nodes: 8})
		spec.Arbitration = a
		r := newRig(t, spec)
		r.send(2, 7, 500, 0, 0)
		for i, src := range []int{1, 5, 0, 3} {
			r.send(src, 7, 50, uint32(src), sim.Time(i+1))
		}
		r.run(t)
		for _, g := range r.ports[7].got {
			seqs = append(seqs, g.seq)
		}
		return seqs
	}
	require.Equal(t, []uint32{0, 1, 5, 0, 3}, order(FIFO))
	require.Equal(t, []uint32{0, 3, 5, 0, 1}, order(RoundRobin))
}

func TestMisusePanics(t *testing.T) {
	r := newRig(t, base(Topology{Nodes: 4}))
	p := r.send(0, 1, 100, 1, 0)
	require.True(t, r.net.Busy(0))
	require.PanicsWithValue(t, "fabric at 0ns: node 0 injects while its last packet leaves at 625ns", func() { r.send(0, 1, 100, 2, 0) })
	r.run(t)
	require.False(t, r.net.Busy(0))
	require.Panics(t, func() { r.net.Free(p) })
	require.Panics(t, func() { r.net.Inject(p, never, 1) })
	require.Panics(t, func() { r.send(0, 4, 100, 1, never) })
	require.Panics(t, func() { r.send(0, 1, 0, 1, never) })
	require.Panics(t, func() { r.send(0, 1, 1, 1, 0) }, "in the past")
}

func TestPayloadIsReused(t *testing.T) {
	r := newRig(t, base(Topology{Nodes: 2}))
	p := r.net.NewPacket()
	copy(p.Payload(4096), "x")
	p.Header.Words[3] = 9
	r.net.Free(p)
	q := r.net.NewPacket()
	require.Same(t, p, q)
	require.Empty(t, q.Data())
	require.Zero(t, q.Header)
	require.Zero(t, testing.AllocsPerRun(10, func() { q.Payload(4000) }))
}

// TestUncontended: packets to one node do not wait for each other.
func TestUncontended(t *testing.T) {
	spec := base(Topology{Nodes: 8})
	spec.Uncontended = true
	r := newRig(t, spec)
	for i := range 7 {
		r.send(i, 7, 1000, uint32(i), 0)
	}
	r.run(t)
	require.Len(t, r.ports[7].got, 7)
	for _, g := range r.ports[7].got {
		require.Equal(t, sim.Time(0).Add(1000*byteTime+hopTime+wire), g.t5)
	}
}

// TestFreePort: packets to one node do not wait for each other if its port is free, and no others are quicker.
func TestFreePort(t *testing.T) {
	spec := base(Topology{Nodes: 8})
	spec.Free = []string{"switch>node7"}
	r := newRig(t, spec)
	for i := range 3 {
		r.send(i, 7, 1000, uint32(i), 0)
		r.send(i+3, 6, 1000, uint32(i), 0)
	}
	r.run(t)
	alone := sim.Time(0).Add(1000*byteTime + hopTime + wire)
	for i := range 3 {
		require.Equal(t, alone, r.ports[7].got[i].t5)
		require.Equal(t, alone.Add(sim.Duration(i)*1000*byteTime), r.ports[6].got[i].t5)
	}
	spec.Free = []string{"switch>node8"}
	_, err := New(sim.New(1), spec)
	require.ErrorContains(t, err, `unknown port "switch>node8", did you mean "switch>node0"?`)
}

// TestLend: a packet carries its sender's bytes, and its next use does not write to them. On a
// network that damages packets it has a copy.
func TestLend(t *testing.T) {
	spec := base(Topology{Shape: Cable, Nodes: 2})
	n := newRig(t, spec).net
	mine := []byte{1, 2, 3}
	p := n.NewPacket()
	n.Lend(p, mine)
	require.Same(t, &mine[0], &p.Data()[0])
	n.Free(p)
	next := n.NewPacket()
	require.Same(t, p, next)
	copy(next.Payload(2), []byte{8, 9})
	require.Equal(t, []byte{1, 2, 3}, mine)

	spec.Faults.ErrorPerByte = 0.5
	n = newRig(t, spec).net
	p = n.NewPacket()
	n.Lend(p, mine)
	require.Equal(t, mine, p.Data())
	require.NotSame(t, &mine[0], &p.Data()[0])
}
