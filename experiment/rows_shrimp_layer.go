package experiment

import (
	"context"
	"fmt"
	"math"

	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// layer holds the rows of VMMC-2.
func (r *rows) layer() {
	r.versus("sh-vmmc", "deposit into an exported region", r.deposit(true), "the same beyond the region's end", r.deposit(false))
	r.versus("sh-lanai-role", "deposit", r.carried(0), "deposit with the interface processors stopped", r.carried(sim.Millisecond))
	r.versus("sh-packet", "message of 64 KB", r.packetKB(0), "packets of 2 KB", r.packetKB(2048))

	points := judge.Once(func(context.Context) ([]pairPoint, error) { return r.pair() })
	r.add("us-vmmc-lat", "pingpong", read(points, shortest))
	r.add("us-vmmc-bw-d", "stream", read(points, fastest))
	r.add("us-knee-vmmc-lat", "pingpong", read(points, knee))
	r.versus("us-or-vmmc", "computing while messages arrive", r.receiver(false), "messages with notification", r.receiver(true))
}

// deposit sends to a node whose host does nothing at all, inside an exported
// region or, with an import that is wider than the export, beyond it.
func (r *rows) deposit(inside bool) judge.Measure {
	return plain(func() (judge.Measured, error) {
		b, err := newBed(r.seed, bedSpec{build: BuildOff})
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
		p.space.WriteAt(p.out, data)
		offset := b.bytes - n
		if !inside {
			b.tap(func(k *fabric.Packet) { // as a forged request would
				if k.Header.Meta.Kind == trace.Data {
					k.Header.Words[1] += n
				}
			})
		}
		err = b.run(nodeProgram{0, func(c *host.Context) {
			if err := p.ep.Send(c, p.out, p.to[1], offset, n, trace.Meta{Kind: trace.Data}, false); err != nil {
				panic("experiment: " + err.Error())
			}
		}})
		if err != nil {
			return judge.Measured{}, err
		}
		got := make([]byte, n)
		q.space.ReadAt(q.in[0]+host.Addr(offset), got)
		s := b.Nodes[1].VMMC.Stats()
		return holds(string(got) == string(data) && len(b.Nodes[1].Host.Contexts()) == 0,
			"%d packets deposited without a program on the receiving host, %d refused", s.Delivered, s.Protection), nil
	})
}

// carried tells whether a message is in remote memory 200 µs after its
// request, with the interface processors stopped for some time.
func (r *rows) carried(stop sim.Duration) judge.Measure {
	return plain(func() (judge.Measured, error) {
		b, err := newBed(r.seed, bedSpec{build: BuildOff})
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
		p.space.Store32(p.out+4092, 0xfeed)
		began := b.Engine.Now()
		arrived := sim.Never
		q.exports[0].OnWrite(func(vmmc.Deposit) { arrived = b.Engine.Now() })
		b.Nodes[0].Host.Go("row", host.Application, func(c *host.Context) { p.send(c, 1, 4096) })
		if err := b.rest(200 * sim.Microsecond); err != nil {
			return judge.Measured{}, err
		}
		if arrived == sim.Never {
			return holds(false, "nothing has arrived after 200 µs"), nil
		}
		return holds(q.space.Load32(q.in[0]+4092) == 0xfeed, "a page arrived after %.0f µs", arrived.Sub(began).Us()), nil
	})
}

// packetKB is the payload of the packets that long messages are cut into.
func (r *rows) packetKB(packetBytes int) judge.Measure {
	return plain(func() (judge.Measured, error) {
		b, err := newBed(r.seed, bedSpec{build: BuildOff, bytes: 64 << 10, profile: func(p *platform.Profile) {
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

// pairPoint is what the programs of the user-level study measure between the
// two nodes at one size.
type pairPoint struct {
	bytes              int
	oneWayUs, osUs, mb float64
}

// pair measures the platform of that study without a monitor.
func (r *rows) pair() ([]pairPoint, error) {
	p, err := platform.Load("ppro")
	if err != nil {
		return nil, err
	}
	var sizes []int
	for n := 4; n <= 128; n += 4 {
		sizes = append(sizes, n)
	}
	for n := 256; n <= 4<<20; n *= 2 {
		sizes = append(sizes, n)
	}
	var out []pairPoint
	for _, n := range sizes {
		got, err := perturbPoint(p, r.seed, BuildOff, n)
		if err != nil {
			return nil, err
		}
		x := pairPoint{bytes: n}
		for _, g := range got {
			switch g.Test {
			case testStream:
				x.osUs, x.mb = *g.OsUs, *g.BandwidthMBps
			case testPingPong:
				x.oneWayUs = *g.OneWayUs
			}
		}
		out = append(out, x)
	}
	return out, nil
}

func shortest(points []pairPoint) (judge.Measured, error) {
	best := points[0]
	for _, p := range points {
		if p.oneWayUs < best.oneWayUs {
			best = p
		}
	}
	return value(best.oneWayUs, "half a round trip at %d B", best.bytes), nil
}

func fastest(points []pairPoint) (judge.Measured, error) {
	best := points[0]
	for _, p := range points {
		if p.mb > best.mb {
			best = p
		}
	}
	return value(best.mb, "one way, at %d KB", best.bytes>>10), nil
}

// knee is the size after which a few bytes more cost the most.
func knee(points []pairPoint) (judge.Measured, error) {
	at, step, usual := 0, 0.0, math.Inf(1)
	for i := 1; i < len(points) && points[i].bytes <= 128; i++ {
		d := points[i].oneWayUs - points[i-1].oneWayUs
		if d > step {
			at, step = points[i-1].bytes, d
		}
		if points[i].bytes > 100 {
			usual = min(usual, d)
		}
	}
	return value(float64(at), "%+.1f µs for the next word, %+.2f µs elsewhere", step, usual), nil
}

// receiver is what the arrival of a message takes from a computing host, in µs.
func (r *rows) receiver(notify bool) judge.Measure {
	return plain(func() (judge.Measured, error) {
		b, err := newBed(r.seed, bedSpec{platform: "ppro", build: BuildOff})
		if err != nil {
			return judge.Measured{}, err
		}
		defer b.Engine.Close()
		const messages, work = 100, 20 * sim.Millisecond
		p := b.proc(0)
		to, err := b.interrupted(0, 1, func(*host.Context) {})
		if err != nil {
			return judge.Measured{}, err
		}
		var took sim.Duration
		err = b.run(
			nodeProgram{0, func(c *host.Context) {
				for i := range messages {
					size := []int{4, 64, 1024, 4096}[i%4]
					p.deposit(c, to, size, notify)
					c.Sleep(100 * sim.Microsecond)
				}
			}},
			nodeProgram{1, func(c *host.Context) {
				begin := c.Now()
				c.Compute(host.Work{Time: work})
				took = c.Now().Sub(begin)
			}},
		)
		if err != nil {
			return judge.Measured{}, err
		}
		got := b.Nodes[1].VMMC.Stats().Delivered
		if got != messages {
			return judge.Measured{}, fmt.Errorf("%d of %d messages arrived", got, messages)
		}
		return value((took-work).Us()/messages, "per message of 4 B to 4 KB"), nil
	})
}
