package vmmc_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// TestMulticastTail: every receiver gets the bytes and after them the tail,
// with losses too, between sends of the usual sort.
func TestMulticastTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const nodes = 5
		r := newRig(t, setup{
			nodes: nodes, build: rapid.SampledFrom([]monitor.Build{monitor.Off, monitor.Full}).Draw(t, "build"),
			profile: func(p *platform.Profile) {
				p.VMMC.SendBuffers, p.VMMC.Window = rapid.IntRange(10, 14).Draw(t, "buffers"), rapid.IntRange(8, 10).Draw(t, "window")
			},
		})
		draw := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		percent := rapid.IntRange(0, 10).Draw(t, "percent")
		r.Net.DropWhen(func(*fabric.Packet) bool { return draw.IntN(100) < percent })
		p := r.procs[0]
		ops := rapid.SliceOfN(rapid.IntRange(1, 12_000), 1, 12).Draw(t, "bytes")
		ended := false
		r.program(0, func(c *host.Context) {
			for i, n := range ops {
				at, tailAt, tailBytes := 50*i, 40_000+70*i, 1+draw.IntN(64)
				var to, tails []vmmc.Target
				for _, node := range draw.Perm(nodes - 1)[:1+draw.IntN(nodes-1)] {
					offset, tail := packet*draw.IntN(10)+77, 60_000+64*draw.IntN(20)
					to = append(to, vmmc.Target{To: p.imports[node+1], Offset: offset})
					tails = append(tails, vmmc.Target{To: p.imports[node+1], Offset: tail})
					copy(r.procs[node+1].want[0][offset:], p.bytes[at:at+n])
					copy(r.procs[node+1].want[0][tail:], p.bytes[tailAt:tailAt+tailBytes])
				}
				tail := &vmmc.Tail{To: tails, Local: p.source + host.Addr(tailAt), Bytes: tailBytes, Meta: dataMeta}
				var done vmmc.Completion
				require.NoError(t, p.ep.Multicast(c, p.source+host.Addr(at), to, n, dataMeta, tail, &done))
				if i%3 == 0 {
					r.send(c, 0, 1+draw.IntN(nodes-1), 100, packet*draw.IntN(5), 1+draw.IntN(5000), false)
				}
			}
			ended = true
		})
		if r.Nodes[0].Monitor != nil { // whose clocks go on for ever
			require.NoError(t, r.Engine.RunUntil(func() bool {
				return ended && r.Nodes[0].NIC.Requests() == 0 && r.Nodes[0].VMMC.Unacknowledged() == 0
			}))
			require.NoError(t, r.Engine.Run(r.Engine.Now().Add(ms)))
			r.check()
			return
		}
		r.finish()
	})
}

// TestMulticastOrder: a receiver has everything, the tail last, before the
// next one begins, unless the message is too long for the window.
func TestMulticastOrder(t *testing.T) {
	for _, c := range []struct {
		bytes  int
		tail   bool
		window int
		apart  bool // receivers one after the other
	}{
		{3 * packet, true, 16, true}, {3 * packet, false, 16, true}, {100, true, 16, true}, {40, true, 16, true},
		{3 * packet, false, 2, false},
	} {
		r := newRig(t, setup{nodes: 5, profile: func(p *platform.Profile) { p.VMMC.Window = c.window }})
		p := r.procs[0]
		var to, tails []vmmc.Target
		for k := 1; k < 5; k++ {
			to = append(to, vmmc.Target{To: p.imports[k]})
			tails = append(tails, vmmc.Target{To: p.imports[k], Offset: 20_000})
			copy(r.procs[k].want[0], p.bytes[:c.bytes])
			if c.tail {
				copy(r.procs[k].want[0][20_000:], p.bytes[:8])
			}
		}
		var tail *vmmc.Tail
		if c.tail {
			tail = &vmmc.Tail{To: tails, Local: p.source, Bytes: 8, Meta: dataMeta}
		}
		r.program(0, func(x *host.Context) {
			require.NoError(t, p.ep.Multicast(x, p.source, to, c.bytes, dataMeta, tail, nil))
		})
		r.finish()
		before := sim.Time(0)
		for k := 1; k < 5; k++ {
			q := r.procs[k]
			if c.tail {
				require.Equal(t, 20_000, q.arrived[0][len(q.arrived[0])-1].Offset)
			}
			if c.apart {
				require.Greater(t, q.live[len(q.live)-1], before, "receiver %d of %+v", k, c)
				if k > 1 && len(q.live) > 2 {
					require.Greater(t, q.live[1], before)
				}
			}
			before = q.live[len(q.live)-1]
		}
		if !c.apart {
			require.Less(t, r.procs[4].live[0], r.procs[1].live[1])
		}
	}
}

func TestRefusedTails(t *testing.T) {
	r := newRig(t, setup{nodes: 4})
	p := r.procs[0]
	most := p.ep.MulticastBytes()
	at := func(k, offset int) vmmc.Target { return vmmc.Target{To: p.imports[k], Offset: offset} }
	to := []vmmc.Target{at(1, 0), at(2, 0)}
	r.program(0, func(c *host.Context) {
		for _, x := range []struct {
			n    int
			tail vmmc.Tail
			want string
		}{
			{8, vmmc.Tail{To: to[:1], Local: p.source, Bytes: 8}, "to 2 receivers with a tail for 1"},
			{8, vmmc.Tail{To: to, Local: p.source, Bytes: 0}, "a tail of 0 B, want 1 to 64"},
			{8, vmmc.Tail{To: to, Local: p.source, Bytes: 65}, "a tail of 65 B, want 1 to 64"},
			{8, vmmc.Tail{To: to, Local: 1 << 40, Bytes: 8}, "not all allocated"},
			{8, vmmc.Tail{To: []vmmc.Target{at(2, 0), at(1, 0)}, Local: p.source, Bytes: 8}, "another endpoint or node (receiver 1 of 2)"},
			{8, vmmc.Tail{To: []vmmc.Target{at(1, 0), {}}, Local: p.source, Bytes: 8}, "another endpoint or node (receiver 2 of 2)"},
			{8, vmmc.Tail{To: []vmmc.Target{at(1, 0), at(2, regionBytes)}, Local: p.source, Bytes: 8}, "at offset 65536 into an import"},
			{8, vmmc.Tail{To: []vmmc.Target{at(1, 0), at(2, 4092)}, Local: p.source, Bytes: 8}, "want it within a page"},
			{most + 3*packet, vmmc.Tail{To: to, Local: p.source, Bytes: 8}, "packets and a tail, want at most 16 with it"},
		} {
			require.ErrorContains(t, p.ep.Multicast(c, p.source, to, x.n, dataMeta, &x.tail, nil), x.want)
		}
	})
	r.finish()
	require.Zero(t, p.node.VMMC.Stats().Messages)
}
