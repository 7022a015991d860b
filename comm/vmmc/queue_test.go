package vmmc_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// TestRequestQueue: a sender waits for an entry, and never are there more
// requests than entries, not even when a service process interrupts the
// program between its look at the queue and its entry.
func TestRequestQueue(t *testing.T) {
	for _, slots := range []int{1, 2, 7} {
		r := newRig(t, setup{nodes: 3, profile: func(p *platform.Profile) { p.NI.RequestSlots = slots }})
		h := r.Nodes[0].Host
		service := h.Go("service", host.Handler, func(c *host.Context) {
			for i := range 40 {
				c.WaitInterrupt("work")
				r.send(c, 0, 2, i, 100*i, 40, false)
			}
		})
		for i := range 200 {
			r.at(sim.Time(i)*sim.Time(17*sim.Microsecond)+3, service.Interrupt)
		}
		var longest sim.Duration
		r.program(0, func(c *host.Context) {
			for i := range 100 {
				before := c.Now()
				r.send(c, 0, 1, 50*i, 100*i, 64, false)
				longest = max(longest, c.Now().Sub(before))
			}
		})
		r.finish()
		require.Equal(t, slots, r.Nodes[0].NIC.Stats().RequestsMax, "%d entries", slots)
		require.Greater(t, longest, 15*sim.Microsecond, "the program has waited")
		require.EqualValues(t, 140, r.Nodes[0].VMMC.Stats().Messages)
	}
}

// TestWindow: with the peer's card silent, at most a window of packets is on
// the way and the rest waits; then all goes on.
func TestWindow(t *testing.T) {
	const window, buffers = 3, 5
	r := newRig(t, setup{nodes: 3, profile: func(p *platform.Profile) {
		p.VMMC.Window, p.VMMC.SendBuffers = window, buffers
		p.VMMC.Retransmit = sim.Second
	}})
	for _, n := range []int{1, 2} {
		r.Nodes[n].NIC.Stall(5 * sim.Millisecond)
	}
	r.program(0, func(c *host.Context) {
		for i := range 20 {
			r.send(c, 0, 1, i, 2000*i, 1000, false)
		}
	})
	require.NoError(t, r.Engine.Run(sim.Time(4*sim.Millisecond)))
	require.Equal(t, window, r.Nodes[0].VMMC.Unacknowledged())
	require.EqualValues(t, 1, r.Nodes[0].VMMC.Stats().WindowStalls)
	most := 0
	for r.Engine.Step() {
		most = max(most, r.Nodes[0].VMMC.Unacknowledged())
	}
	require.Equal(t, window, most)
	r.check()
	require.Zero(t, r.retransmitted())
}

// TestSendBuffers: all peers together hold no more packets than there are
// buffers in SRAM.
func TestSendBuffers(t *testing.T) {
	const buffers = 5
	r := newRig(t, setup{nodes: 4, profile: func(p *platform.Profile) {
		p.VMMC.Window, p.VMMC.SendBuffers = 4, buffers
		p.VMMC.Retransmit = sim.Second
	}})
	for n := 1; n < 4; n++ {
		r.Nodes[n].NIC.Stall(5 * sim.Millisecond)
	}
	r.program(0, func(c *host.Context) {
		for i := range 30 {
			r.send(c, 0, 1+i%3, i, 2000*i, 1000, false)
		}
	})
	most := 0
	for r.Engine.Step() {
		most = max(most, r.Nodes[0].VMMC.Unacknowledged())
	}
	require.Equal(t, buffers, most)
	r.check()
}

// TestSlots: with more messages in progress than one, and a window that is
// often full, everything still arrives, and waiting messages keep their order.
func TestSlots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const nodes = 3
		r := newRig(t, setup{nodes: nodes, profile: func(p *platform.Profile) {
			p.VMMC.SendSlots = rapid.IntRange(2, 5).Draw(t, "slots")
			p.VMMC.Window = rapid.IntRange(1, 3).Draw(t, "window")
			p.VMMC.SendBuffers = rapid.IntRange(3, 6).Draw(t, "buffers")
		}})
		ops := drawOps(t, nodes)
		for node := range nodes {
			r.program(node, func(c *host.Context) {
				for i, o := range ops {
					if o.from == node {
						n := min(o.n, 1000)
						r.send(c, o.from, o.to, o.at, 1500*i, n, false)
					}
				}
			})
		}
		r.finish()
		require.Zero(t, r.retransmitted())
	})
}

// TestNoOvertaking: however many messages are in progress, and even with
// uncontended slots, host engines and processors, what a node sends to another one,
// inline data and multicasts too, is deposited in the order of the requests.
func TestNoOvertaking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const nodes = 4
		free := ni.Uncontended{Slots: rapid.Bool().Draw(t, "slots"), HostDMA: rapid.Bool().Draw(t, "host DMA"), Processor: rapid.Bool().Draw(t, "processor")}
		r := newRig(t, setup{nodes: nodes, free: free, profile: func(p *platform.Profile) {
			p.VMMC.SendSlots = rapid.IntRange(1, 5).Draw(t, "send slots")
			p.VMMC.Window = rapid.IntRange(1, 16).Draw(t, "window")
		}})
		size := rapid.OneOf(rapid.IntRange(1, 64), rapid.IntRange(65, 600), rapid.SampledFrom([]int{packet, packet + 1, 3 * packet}))
		sizes := rapid.SliceOfN(size, 2, 30).Draw(t, "sizes")
		receivers := rapid.SliceOfN(rapid.IntRange(1, 7), len(sizes), len(sizes)).Draw(t, "receivers") // as bits
		p := r.procs[0]
		var want [nodes][]int
		for i := range sizes {
			for k := 1; k < nodes; k++ {
				if receivers[i]>>(k-1)&1 != 0 {
					want[k] = append(want[k], i)
				}
			}
		}
		r.program(0, func(c *host.Context) {
			for i, n := range sizes {
				var to []vmmc.Target
				for k := 1; k < nodes; k++ {
					if receivers[i]>>(k-1)&1 != 0 {
						to = append(to, vmmc.Target{To: p.imports[k], Offset: i})
						copy(r.procs[k].want[0][i:], p.bytes[i:i+n])
					}
				}
				require.NoError(t, p.ep.Multicast(c, p.source+host.Addr(i), to, n, dataMeta, nil, nil))
			}
		})
		r.finish() // the memory is that of deposits in order
		for k := 1; k < nodes; k++ {
			var got []int
			for _, d := range r.procs[k].arrived[0] {
				if d.First {
					got = append(got, d.Offset)
				}
			}
			require.Equal(t, want[k], got, "node %d", k)
		}
		require.Zero(t, r.retransmitted())
	})
}

// TestSlotsKeepOrder: messages that wait for the window go on in the order in
// which they were taken up, and the window holds for what is being fetched too.
func TestSlotsKeepOrder(t *testing.T) {
	const window = 2
	r := newRig(t, setup{nodes: 2, profile: func(p *platform.Profile) { p.VMMC.SendSlots, p.VMMC.Window = 5, window }})
	r.program(0, func(c *host.Context) {
		for i := range 60 {
			r.send(c, 0, 1, i, 1024*i, 200, false)
		}
	})
	most := 0
	for r.Engine.Step() {
		most = max(most, r.Nodes[0].VMMC.Unacknowledged())
	}
	r.check()
	require.Equal(t, window, most)
	for i, d := range r.procs[1].arrived[0] {
		require.Equal(t, 1024*i, d.Offset)
	}
}

// TestTranslation counts hits and misses.
func TestTranslation(t *testing.T) {
	r := newRig(t, setup{nodes: 2})
	r.program(0, func(c *host.Context) {
		for range 3 {
			r.send(c, 0, 1, 100, 0, 200, false)
		}
		r.send(c, 0, 1, packet+5, 0, 200, false)
		r.send(c, 0, 1, 0, 0, 64, false) // no translation of its own
	})
	r.finish()
	s := r.Nodes[0].VMMC.Stats()
	require.EqualValues(t, 2, s.TranslateMiss)
	require.EqualValues(t, 2, s.TranslateHits)
	s = r.Nodes[1].VMMC.Stats()
	require.EqualValues(t, 1, s.TranslateMiss)
	require.EqualValues(t, 4, s.TranslateHits)
}

// TestTLB: what has been looked up is found again, of the same process only,
// until another page takes its place.
func TestTLB(t *testing.T) {
	one := vmmc.NewTLB(1)
	for i := range uint64(10) {
		require.False(t, one.Lookup(1, i%2<<12))
	}
	require.False(t, one.Lookup(1, 5<<12))
	require.True(t, one.Lookup(1, 5<<12+4095))
	require.False(t, one.Lookup(2, 5<<12))

	rapid.Check(t, func(t *rapid.T) {
		entries := rapid.IntRange(1, 64).Draw(t, "entries")
		tlb := vmmc.NewTLB(entries)
		seen := map[[2]uint64]bool{}
		for range rapid.IntRange(0, 100).Draw(t, "lookups") {
			space, page := rapid.Uint32Range(1, 3).Draw(t, "space"), rapid.Uint64Range(0, 20).Draw(t, "page")
			key := [2]uint64{uint64(space), page}
			if tlb.Lookup(space, page<<12) {
				require.True(t, seen[key], "a hit on what has never been there")
			}
			seen[key] = true
			require.True(t, tlb.Lookup(space, page<<12+7))
		}
	})
}
