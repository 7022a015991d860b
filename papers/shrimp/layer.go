package shrimp

import (
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/nx"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// layer holds the rows of VMMC-2 and of messages on it.
func (r *rows) layer() {
	bare := testbed.Spec{Monitor: "off"}
	r.Versus("sh-vmmc", "deposit into an exported region", r.bed(bare, deposited(0)), "the same beyond the region's end", r.bed(bare, deposited(depositBytes)))
	r.Versus("sh-lanai-role", "deposit", r.bed(bare, carried(0)), "deposit with the interface processors stopped", r.bed(bare, carried(sim.Millisecond)),
		"a page is in remote memory 200 µs after the request")
	r.overlaid("sh-packet", "message of 64 KB", testbed.Spec{Monitor: "off", Bytes: 64 << 10}, "packets of 2 KB", largestKB)
	eight := testbed.Spec{Nodes: 8, Monitor: "off"}
	r.Versus("sh-ge-bcast", "host DMAs of one broadcast", r.bed(eight, sends(nx.Separate)), "broadcast in firmware", r.bed(eight, sends(nx.Firmware)))
}

const depositBytes = 1000

// deposited tells whether a message lies in a region of a node whose host does
// nothing at all, after a request for the region's end and some bytes beyond,
// as only a forged request can be.
func deposited(beyond uint64) func(*testbed.Bed) judge.Measured {
	return func(b *testbed.Bed) judge.Measured {
		const offset = host.PageBytes - depositBytes
		p, q := b.Depositor(0), b.Depositor(1)
		data, got := testbed.Pattern(1, depositBytes), make([]byte, depositBytes)
		p.Space.WriteAt(p.Out, data)
		b.Tap(func(k *fabric.Packet) {
			if k.Header.Meta.Kind == trace.Data {
				k.Header.Words[1] += beyond
			}
		})
		b.Run(testbed.On(0, func(c *host.Context) {
			b.Keep(p.Endpoint.Send(c, p.Out, p.To[1], offset, depositBytes, trace.Meta{Kind: trace.Data}, false))
		}))
		q.Space.ReadAt(q.In[0]+offset, got)
		s := b.Nodes[1].VMMC.Stats()
		return holds(string(got) == string(data) && len(b.Nodes[1].Host.Contexts()) == 0,
			"%d packets deposited without a program on the receiving host, %d refused", s.Delivered, s.Protection)
	}
}

// carried tells whether a page is in remote memory 200 µs after its request,
// with the interface processors stopped for some time.
func carried(stop sim.Duration) func(*testbed.Bed) judge.Measured {
	return func(b *testbed.Bed) judge.Measured {
		for _, n := range b.Nodes {
			n.NIC.Stall(stop)
		}
		p, q := b.Depositor(0), b.Depositor(1)
		p.Space.Store32(p.Out+4092, 0xfeed)
		began, arrived := b.Engine.Now(), sim.Never
		q.Exports[0].OnWrite(func(vmmc.Deposit) { arrived = b.Engine.Now() })
		b.Start(testbed.On(0, func(c *host.Context) { p.Send(c, 1, 4096) }))
		b.Rest(200 * sim.Microsecond)
		if arrived == sim.Never {
			return holds(false, "nothing has arrived after 200 µs")
		}
		return holds(q.Space.Load32(q.In[0]+4092) == 0xfeed, "a page arrived after %.0f µs", arrived.Sub(began).Us())
	}
}

// largestKB is the payload of the packets that long messages are cut into.
func largestKB(b *testbed.Bed) judge.Measured {
	count, largest := 0, 0
	b.Tap(func(p *fabric.Packet) {
		if p.Header.Meta.Kind == trace.Data {
			count++
			largest = max(largest, len(p.Data))
		}
	})
	b.Run(b.Each(0, 1, testbed.Same(64<<10, 1), 0))
	return value(float64(largest)/1024, "%d packets", count)
}

// sends counts how often the sender's interface fetches the data of one
// broadcast to all others.
func sends(how nx.Broadcast) func(*testbed.Bed) judge.Measured {
	return func(b *testbed.Bed) judge.Measured {
		const bytes = 2048
		w := b.Watch()
		system, err := b.Messages(nx.Spec{Broadcast: how})
		if !b.Keep(err) {
			return judge.Measured{}
		}
		ended := false
		b.Keep(system.Start(func(p *nx.Process) error {
			if p.Node() == 0 {
				return p.Csend(1, p.Alloc(bytes), bytes, nx.Any)
			}
			return p.Crecv(1, p.Alloc(bytes), bytes)
		}, func() { ended = true }))
		b.Until(func() bool { return ended })
		b.Keep(system.Err())
		fetches := 0
		for _, d := range w.DMAs[0] {
			if d.Bytes >= bytes {
				fetches++
			}
		}
		return value(float64(fetches), "%d B from node 0 of %d", bytes, len(b.Nodes))
	}
}
