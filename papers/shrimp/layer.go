package shrimp

import (
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
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
	return judge.Plain(func() (judge.Measured, error) {
		b, err := newBed(r.seed, bedSpec{build: experiment.BuildOff})
		if err != nil {
			return judge.Measured{}, err
		}
		defer b.Engine.Close()
		const n = 1000
		p, q := b.proc(0), b.proc(1)
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(i*7 + 1)
		}
		p.Space.WriteAt(p.Out, data)
		offset := host.PageBytes - n
		if !inside {
			b.tap(func(k *fabric.Packet) { // as a forged request would
				if k.Header.Meta.Kind == trace.Data {
					k.Header.Words[1] += n
				}
			})
		}
		err = b.run(nodeProgram{0, func(c *host.Context) {
			if err := p.Endpoint.Send(c, p.Out, p.To[1], offset, n, trace.Meta{Kind: trace.Data}, false); err != nil {
				panic("experiment: " + err.Error())
			}
		}})
		if err != nil {
			return judge.Measured{}, err
		}
		got := make([]byte, n)
		q.Space.ReadAt(q.In[0]+host.Addr(offset), got)
		s := b.Nodes[1].VMMC.Stats()
		return holds(string(got) == string(data) && len(b.Nodes[1].Host.Contexts()) == 0,
			"%d packets deposited without a program on the receiving host, %d refused", s.Delivered, s.Protection), nil
	})
}

// carried tells whether a message is in remote memory 200 µs after its
// request, with the interface processors stopped for some time.
func (r *rows) carried(stop sim.Duration) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		b, err := newBed(r.seed, bedSpec{build: experiment.BuildOff})
		if err != nil {
			return judge.Measured{}, err
		}
		defer b.Engine.Close()
		if stop > 0 {
			for _, n := range b.Nodes {
				n.NIC.Stall(stop)
			}
		}
		p, q := b.proc(0), b.proc(1)
		p.Space.Store32(p.Out+4092, 0xfeed)
		began := b.Engine.Now()
		arrived := sim.Never
		q.Exports[0].OnWrite(func(vmmc.Deposit) { arrived = b.Engine.Now() })
		b.Nodes[0].Host.Go("row", host.Application, func(c *host.Context) { p.Send(c, 1, 4096) })
		if err := b.rest(200 * sim.Microsecond); err != nil {
			return judge.Measured{}, err
		}
		if arrived == sim.Never {
			return holds(false, "nothing has arrived after 200 µs"), nil
		}
		return holds(q.Space.Load32(q.In[0]+4092) == 0xfeed, "a page arrived after %.0f µs", arrived.Sub(began).Us()), nil
	})
}

// packetKB is the payload of the packets that long messages are cut into.
func (r *rows) packetKB(packetBytes int) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		b, err := newBed(r.seed, bedSpec{build: experiment.BuildOff, bytes: 64 << 10, profile: func(p *platform.Profile) {
			if packetBytes > 0 {
				p.VMMC.PacketBytes = packetBytes
			}
		}})
		if err != nil {
			return judge.Measured{}, err
		}
		defer b.Engine.Close()
		count, largest := 0, 0
		b.tap(func(p *fabric.Packet) {
			if p.Header.Meta.Kind == trace.Data {
				count++
				largest = max(largest, len(p.Data))
			}
		})
		err = b.run(b.each(0, 1, same(64<<10, 1), 0))
		return value(float64(largest)/1024, "%d packets", count), err
	})
}
