package vmmc_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// op is one send.
type op struct{ from, to, at, offset, n int }

// drawOps draws sends of sizes around every border there is.
func drawOps(t *rapid.T, nodes int) []op {
	size := rapid.OneOf(
		rapid.IntRange(1, 300),
		rapid.SampledFrom([]int{1, 4, 63, 64, 65, 128, packet - 1, packet, packet + 1, 2 * packet, 3*packet + 5}),
		rapid.IntRange(1, 20000),
	)
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) op {
		o := op{from: rapid.IntRange(0, nodes-1).Draw(t, "from"), n: size.Draw(t, "bytes")}
		o.to = (o.from + rapid.IntRange(1, nodes-1).Draw(t, "to")) % nodes
		o.at = rapid.IntRange(0, regionBytes-o.n).Draw(t, "at")
		o.offset = rapid.IntRange(0, regionBytes-o.n).Draw(t, "offset")
		if rapid.Bool().Draw(t, "aligned") {
			o.at, o.offset = o.at&^(packet-1), o.offset&^(packet-1)
		}
		return o
	}), 1, 40).Draw(t, "ops")
}

// play runs the sends of each node in order, and checks that messages arrive
// in that order on every pair.
func play(r *rig, ops []op) {
	for node := range r.Nodes {
		r.program(node, func(c *host.Context) {
			for _, o := range ops {
				if o.from == node {
					r.send(c, o.from, o.to, o.at, o.offset, o.n, false)
				}
			}
		})
	}
	r.finish()
	next := map[[2]int]int{} // position within the arrivals of a pair
	for _, o := range ops {
		key := [2]int{o.from, o.to}
		got := r.procs[o.to].arrived[o.from]
		for done := 0; done < o.n; {
			d := got[next[key]]
			next[key]++
			require.Equal(r.t, vmmc.Deposit{
				From: o.from, Offset: o.offset + done, Bytes: d.Bytes, First: done == 0, Last: done+d.Bytes == o.n,
			}, d)
			done += d.Bytes
		}
	}
	for key, n := range next {
		require.Len(r.t, r.procs[key[1]].arrived[key[0]], n)
	}
}

// TestDelivery: what is sent is what lies in memory, in order on each pair, at
// any size and alignment.
func TestDelivery(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const nodes = 3
		r := newRig(t, setup{nodes: nodes, seed: rapid.Uint64().Draw(t, "seed"), skew: rapid.SampledFrom([]int{0, 0, 4, 1000, 4095}).Draw(t, "skew")})
		play(r, drawOps(t, nodes))
		require.Zero(t, r.retransmitted())
	})
}

// TestManyToOne lets seven nodes fill the memory of one.
func TestManyToOne(t *testing.T) {
	r := newRig(t, setup{nodes: 8})
	var ops []op
	for k := range 30 {
		for from := 1; from < 8; from++ {
			ops = append(ops, op{from, 0, 100 * k, 200 * k, 1 + 997*k%9000})
		}
	}
	play(r, ops)
	require.Zero(t, r.retransmitted())
}

// TestSplit: packets end at the page borders of both sides, of the sender only
// when the interface fetches the data, and nowhere else.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		skew, at, offset, n int
		want                []int
	}{
		{0, 0, 0, packet, []int{4096}},
		{0, 0, 0, 3*packet + 1, []int{4096, 4096, 4096, 1}},
		{0, 100, 0, packet, []int{3996, 100}},
		{0, 0, 100, packet, []int{3996, 100}},
		{0, 100, 100, packet, []int{3996, 100}},
		{0, 100, 300, 2 * packet, []int{3796, 200, 3896, 200, 100}},
		{4096 - 300, 0, 300, packet, []int{4096}},
		{100, 0, 0, packet, []int{3996, 100}},
		{0, 4090, 0, 64, []int{64}},
		{0, 4090, 0, 65, []int{6, 59}},
		{0, 0, 4090, 64, []int{6, 58}},
		{10, 0, 4080, 64, []int{6, 58}},
	} {
		r := newRig(t, setup{nodes: 2, skew: c.skew})
		r.program(0, func(x *host.Context) { r.send(x, 0, 1, c.at, c.offset, c.n, false) })
		r.finish()
		var got []int
		for _, d := range r.procs[1].arrived[0] {
			got = append(got, d.Bytes)
		}
		require.Equal(t, c.want, got, "%+v", c)
	}
}

// TestInline: the data of up to 64 B rides in the request, so no DMA fetches
// it and the buffer is free at once.
func TestInline(t *testing.T) {
	for _, n := range []int{1, 3, 64, 65} {
		r := newRig(t, setup{nodes: 2})
		p := r.procs[0]
		r.program(0, func(c *host.Context) {
			r.send(c, 0, 1, 0, 0, n, false)
			if n <= 64 {
				p.space.WriteAt(p.source, make([]byte, n))
			}
		})
		r.finish()
		if n <= 64 {
			require.Zero(t, p.node.NIC.Stats().HostDMAs)
		} else {
			require.EqualValues(t, 1, p.node.NIC.Stats().HostDMAs)
		}
		require.EqualValues(t, 1, r.procs[1].node.NIC.Stats().HostDMAs)
	}
}

// TestRedirect sends deposits elsewhere for a while, at another alignment too.
func TestRedirect(t *testing.T) {
	r := newRig(t, setup{nodes: 2})
	q := r.procs[1]
	x := q.exports[0].(*vmmc.Export)
	room := q.space.Alloc(regionBytes + host.PageBytes)
	other := room + 1000
	hits := func() uint64 { s := q.node.VMMC.Stats(); return s.TranslateHits + s.TranslateMiss }
	var before, after uint64
	r.program(0, func(c *host.Context) {
		r.send(c, 0, 1, 0, 0, 5000, false)
		c.Sleep(sim.Millisecond)
		x.Redirect(0, regionBytes, other)
		before = hits()
		p := r.procs[0]
		require.NoError(t, p.ep.Send(c, p.source+8192, p.imports[1], 0, packet, dataMeta, false))
		c.Sleep(sim.Millisecond)
		after = hits()
		x.Restore()
		r.send(c, 0, 1, 300, 20000, 100, false)
	})
	r.finish()
	got := make([]byte, packet)
	q.space.ReadAt(other, got)
	require.Equal(t, r.procs[0].bytes[8192:8192+packet], got)
	require.EqualValues(t, 2, after-before, "two pages are touched, so two are translated")

	require.Panics(t, func() { x.Redirect(0, regionBytes, room+regionBytes) }, "beyond what is allocated")
	for _, part := range [][2]int{{-1, 5}, {5, 5}, {6, 5}, {0, regionBytes + 1}} {
		require.Panics(t, func() { x.Redirect(part[0], part[1], room) }, "%v", part)
	}
	frames, err := q.ep.ExportFrames(room, packet, func(int, int) []byte { return nil })
	require.NoError(t, err)
	require.Panics(t, func() { frames.(*vmmc.Export).Redirect(0, packet, room) })
}

// TestRedirectPart moves only packets that lie wholly in the part.
func TestRedirectPart(t *testing.T) {
	r := newRig(t, setup{nodes: 2})
	p, q := r.procs[0], r.procs[1]
	room := q.space.Alloc(packet)
	q.exports[0].(*vmmc.Export).Redirect(1000, 2000, room+8)
	var moved []bool
	r.program(0, func(c *host.Context) {
		for _, at := range []int{900, 1000, 1500, 1900, 1901, 2000} {
			require.NoError(t, p.ep.Send(c, p.source+host.Addr(at), p.imports[1], at, 100, dataMeta, false))
			inside := at >= 1000 && at+100 <= 2000
			if !inside {
				copy(q.want[0][at:], p.bytes[at:at+100])
			}
			moved = append(moved, inside)
		}
	})
	r.finish()
	got := make([]byte, 1000)
	q.space.ReadAt(room+8, got)
	for _, at := range []int{1000, 1500, 1900} {
		require.Equal(t, p.bytes[at:at+100], got[at-1000:at-900])
	}
	require.Equal(t, make([]byte, 400), got[100:500])
	for i, d := range q.arrived[0] {
		require.Equal(t, moved[i], d.Moved)
	}
}

// TestTracked: a completion fires when the interface has fetched the data, and
// not before; short data has left with the request.
func TestTracked(t *testing.T) {
	r := newRig(t, setup{nodes: 2})
	p := r.procs[0]
	var watch host.Watch
	done := vmmc.Completion{Watch: &watch}
	r.program(0, func(c *host.Context) {
		for _, n := range []int{64, 65, 3 * packet} {
			require.NoError(t, p.ep.SendTracked(c, p.source, p.imports[1], 0, n, dataMeta, &done))
		}
		copy(r.procs[1].want[0], p.bytes[:3*packet])
		require.Equal(t, 2, done.Pending())
		for done.Pending() > 0 {
			c.Spin(&watch, "the interface to fetch")
		}
		p.space.WriteAt(p.source, make([]byte, 3*packet)) // it is free now
		require.NoError(t, p.ep.SendTracked(c, p.source, p.imports[1], 0, 100, dataMeta, nil))
		clear(r.procs[1].want[0][:100])
	})
	r.finish()
}

// TestMulticast: every receiver gets the bytes, which are fetched once, at its
// own offset, with losses too.
func TestMulticast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const nodes = 5
		slots := rapid.IntRange(1, 3).Draw(t, "slots")
		r := newRig(t, setup{nodes: nodes, skew: rapid.SampledFrom([]int{0, 300}).Draw(t, "skew"), profile: func(p *platform.Profile) {
			p.VMMC.SendSlots = slots
			p.VMMC.SendBuffers, p.VMMC.Window = rapid.IntRange(4, 8).Draw(t, "buffers"), rapid.IntRange(1, 4).Draw(t, "window")
		}})
		draw := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		percent := rapid.IntRange(0, 10).Draw(t, "percent")
		r.Net.DropWhen(func(*fabric.Packet) bool { return draw.IntN(100) < percent })
		p := r.procs[0]
		ops := rapid.SliceOfN(rapid.IntRange(1, 9000), 1, 12).Draw(t, "bytes")
		r.program(0, func(c *host.Context) {
			for i, n := range ops {
				if slots > 1 && i == 5 {
					break // messages overtake one another, and there is a place for five
				}
				var to []vmmc.Target
				at := 50 * i
				for _, node := range draw.Perm(nodes - 1)[:1+draw.IntN(nodes-1)] {
					offset := 3*packet*i + 77
					if slots == 1 {
						offset = packet*draw.IntN(10) + 77
					}
					to = append(to, vmmc.Target{To: p.imports[node+1], Offset: offset})
				}
				require.NoError(t, p.ep.Multicast(c, p.source+host.Addr(at), to, n, dataMeta, nil, nil))
				for _, x := range to {
					for k, q := range r.procs {
						if k > 0 && p.imports[k] == x.To {
							copy(q.want[0][x.Offset:], p.bytes[at:at+n])
						}
					}
				}
			}
		})
		r.finish()
		require.Equal(t, r.sum(func(s vmmc.Stats) uint64 { return s.Packets }), r.sum(func(s vmmc.Stats) uint64 { return s.Delivered }))
		if percent == 0 {
			require.Zero(t, r.retransmitted())
		}
	})
}

// TestMulticastFetchesOnce counts DMAs, packets and entries of the queue.
func TestMulticastFetchesOnce(t *testing.T) {
	r := newRig(t, setup{nodes: 8})
	p := r.procs[0]
	var to []vmmc.Target
	for k := 1; k < 8; k++ {
		to = append(to, vmmc.Target{To: p.imports[k], Offset: packet * k})
		copy(r.procs[k].want[0][packet*k:], p.bytes[:2*packet])
	}
	r.program(0, func(c *host.Context) {
		require.NoError(t, p.ep.Multicast(c, p.source, to, 2*packet, dataMeta, nil, nil))
	})
	r.finish()
	require.EqualValues(t, 2, p.node.NIC.Stats().HostDMAs)
	s := p.node.VMMC.Stats()
	require.EqualValues(t, 1, s.Messages)
	require.EqualValues(t, 14, s.Packets)
	require.EqualValues(t, 12, s.Copies)
}

// TestRefusedMulticasts are errors and take nothing.
func TestRefusedMulticasts(t *testing.T) {
	r := newRig(t, setup{nodes: 4, profile: func(p *platform.Profile) { p.NI.RequestSlots = 1 }})
	p := r.procs[0]
	r.program(0, func(c *host.Context) {
		at := func(k, offset int) vmmc.Target { return vmmc.Target{To: p.imports[k], Offset: offset} }
		for _, x := range []struct {
			to   []vmmc.Target
			n    int
			want string
		}{
			{nil, 8, "multicast to 0 receivers, want at least 1"},
			{[]vmmc.Target{at(1, 0), at(2, 4092)}, 8, "offsets 0 and 4092, want them equal within their pages"},
			{[]vmmc.Target{at(1, 0), at(2, 0), at(1, 0)}, 8, "names node 1 twice (receiver 3 of 3)"},
			{[]vmmc.Target{at(1, 0), at(2, 0), at(2, 0)}, 8, "names node 2 twice"},
			{[]vmmc.Target{at(1, 0), at(2, regionBytes)}, 8, "offset 65536 into an import of 65536 B"},
			{[]vmmc.Target{at(1, 0), {}}, 8, "not this endpoint's"},
			{[]vmmc.Target{{}}, 8, "not this endpoint's"},
			{[]vmmc.Target{at(1, 0)}, 0, "send of 0 B"},
			{[]vmmc.Target{at(1, 0), at(2, 0), at(3, 0)}, 64 + 0, ""},
		} {
			err := p.ep.Multicast(c, p.source, x.to, x.n, dataMeta, nil, nil)
			if x.want == "" {
				require.NoError(t, err)
				for k := 1; k < 4; k++ {
					copy(r.procs[k].want[0], p.bytes[:x.n])
				}
				continue
			}
			require.ErrorContains(t, err, x.want)
		}
	})
	r.finish()
	require.EqualValues(t, 1, p.node.VMMC.Stats().Messages)

	r = newRig(t, setup{nodes: 20, profile: func(p *platform.Profile) { p.NI.RequestSlots = 1 }})
	p = r.procs[0]
	var to []vmmc.Target
	for k := 1; k < 20; k++ {
		to = append(to, vmmc.Target{To: p.imports[k]})
	}
	r.program(0, func(c *host.Context) {
		require.ErrorContains(t, p.ep.Multicast(c, p.source, to, 64, dataMeta, nil, nil), "takes 2 entries of the request queue, which has 1")
	})
	r.finish()
}

// TestNotification: the handler runs once, when all of the message is there.
func TestNotification(t *testing.T) {
	r := newRig(t, setup{nodes: 3})
	sizes := []int{8, 64, 300, packet, 3*packet + 7}
	q := r.procs[1]
	r.program(0, func(c *host.Context) {
		for i, n := range sizes {
			r.send(c, 0, 1, 0, 0, n, true)
			r.send(c, 0, 1, 0, 30000, n, false)
			c.Sleep(sim.Millisecond)
			require.Len(t, q.notices[0], i+1, "%d B", n)
			d := q.notices[0][i]
			require.True(t, d.Last)
			require.Equal(t, n, d.Offset+d.Bytes)
			got := make([]byte, n)
			q.space.ReadAt(q.regions[0], got)
			require.Equal(t, r.procs[0].bytes[:n], got)
		}
	})
	r.finish()
	require.Empty(t, q.notices[2])
	require.EqualValues(t, len(sizes), q.node.VMMC.Stats().Notifications)

	r = newRig(t, setup{nodes: 2}) // nobody wants to know
	q = r.procs[1]
	x, err := q.ep.Export(q.space.Alloc(packet), packet, nil)
	require.NoError(t, err)
	to, err := r.procs[0].ep.Import(x)
	require.NoError(t, err)
	r.program(0, func(c *host.Context) {
		require.NoError(t, r.procs[0].ep.Send(c, r.procs[0].source, to, 0, 8, dataMeta, true))
	})
	r.finish()
	require.Zero(t, q.node.VMMC.Stats().Notifications)
}

// TestFrames: deposits go to the frames that the program names, and nowhere
// when it names none; a frame is sent as it is, whatever its address means.
func TestFrames(t *testing.T) {
	r := newRig(t, setup{nodes: 2})
	p, q := r.procs[0], r.procs[1]
	var into host.Frame
	refuse := false
	window := q.space.Alloc(8 * packet)
	x, err := q.ep.ExportFrames(window, 8*packet, func(offset, n int) []byte {
		if refuse {
			return nil
		}
		require.Equal(t, 3, offset/packet)
		return into[offset%packet : offset%packet+n]
	})
	require.NoError(t, err)
	writes := 0
	x.OnWrite(func(vmmc.Deposit) { writes++ })
	to, err := p.ep.Import(x)
	require.NoError(t, err)
	send := func(frame []byte) {
		r.program(0, func(c *host.Context) {
			require.NoError(t, p.ep.SendFrame(c, p.source, frame, to, 3*packet, dataMeta))
		})
		require.NoError(t, r.Engine.Run(sim.Never))
	}
	frame := make([]byte, packet)
	for i := range frame {
		frame[i] = byte(i * 7)
	}
	send(frame)
	require.Equal(t, frame, into[:])
	short := []byte("inline")
	send(short)
	require.Equal(t, "inline", string(into[:6]))
	require.Equal(t, 2, writes)
	r.program(0, func(c *host.Context) { // into ordinary memory, over a page border
		require.NoError(t, p.ep.SendFrame(c, p.source, frame, p.imports[1], 100, dataMeta))
	})
	copy(q.want[0][100:], frame)
	require.NoError(t, r.Engine.Run(sim.Never))
	refuse = true
	send(make([]byte, packet))
	require.Equal(t, "inline", string(into[:6]))
	require.EqualValues(t, 1, q.node.VMMC.Stats().Protection)
	require.Equal(t, 2, writes)
	require.Nil(t, q.space.Bound(window.Page()+3))
	r.check()
}
