package shrimp

import (
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// layer holds the rows of VMMC-2.
func (r *rows) layer() {
	r.Versus("sh-vmmc", "deposit into an exported region", r.deposit(true), "the same beyond the region's end", r.deposit(false))
	r.Versus("sh-lanai-role", "deposit", r.carried(0), "deposit with the interface processors stopped", r.carried(sim.Millisecond))
	r.Versus("sh-packet", "message of 64 KB", r.packetKB(0), "packets of 2 KB", r.packetKB(2048))
}

// deposit sends to a node whose host does nothing at all, inside an exported
// region or, with an import that is wider than the export, beyond it.
func (r *rows) deposit(inside bool) judge.Measure {
	return r.bed(testbed.Spec{Monitor: "off"}, func(b *testbed.Bed) judge.Measured {
		const n = 1000
		p, q := b.Depositor(0), b.Depositor(1)
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(i*7 + 1)
		}
		p.Space.WriteAt(p.Out, data)
		offset := host.PageBytes - n
		if !inside {
			b.Tap(func(k *fabric.Packet) { // as a forged request would
				if k.Header.Meta.Kind == trace.Data {
					k.Header.Words[1] += n
				}
			})
		}
		b.Run(testbed.On(0, func(c *host.Context) {
			if err := p.Endpoint.Send(c, p.Out, p.To[1], offset, n, trace.Meta{Kind: trace.Data}, false); err != nil {
				panic("experiment: " + err.Error())
			}
		}))
		got := make([]byte, n)
		q.Space.ReadAt(q.In[0]+host.Addr(offset), got)
		s := b.Nodes[1].VMMC.Stats()
		return holds(string(got) == string(data) && len(b.Nodes[1].Host.Contexts()) == 0,
			"%d packets deposited without a program on the receiving host, %d refused", s.Delivered, s.Protection)
	})
}

// carried tells whether a message is in remote memory 200 µs after its
// request, with the interface processors stopped for some time.
func (r *rows) carried(stop sim.Duration) judge.Measure {
	return r.bed(testbed.Spec{Monitor: "off"}, func(b *testbed.Bed) judge.Measured {
		if stop > 0 {
			for _, n := range b.Nodes {
				n.NIC.Stall(stop)
			}
		}
		p, q := b.Depositor(0), b.Depositor(1)
		p.Space.Store32(p.Out+4092, 0xfeed)
		began := b.Engine.Now()
		arrived := sim.Never
		q.Exports[0].OnWrite(func(vmmc.Deposit) { arrived = b.Engine.Now() })
		b.Nodes[0].Host.Go("row", host.Application, func(c *host.Context) { p.Send(c, 1, 4096) })
		b.Rest(200 * sim.Microsecond)
		if arrived == sim.Never {
			return holds(false, "nothing has arrived after 200 µs")
		}
		return holds(q.Space.Load32(q.In[0]+4092) == 0xfeed, "a page arrived after %.0f µs", arrived.Sub(began).Us())
	})
}

// packetKB is the payload of the packets that long messages are cut into.
func (r *rows) packetKB(packetBytes int) judge.Measure {
	return r.bed(testbed.Spec{Monitor: "off", Bytes: 64 << 10, Profile: func(p *platform.Profile) {
		if packetBytes > 0 {
			p.VMMC.PacketBytes = packetBytes
		}
	}}, func(b *testbed.Bed) judge.Measured {
		count, largest := 0, 0
		b.Tap(func(p *fabric.Packet) {
			if p.Header.Meta.Kind == trace.Data {
				count++
				largest = max(largest, len(p.Data))
			}
		})
		b.Run(b.Each(0, 1, testbed.Same(64<<10, 1), 0))
		return value(float64(largest)/1024, "%d packets", count)
	})
}
