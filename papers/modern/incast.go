package modern

import (
	"context"
	"fmt"
	"slices"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/verbs"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// incast adds the rows of two senders and one receiver, through a switch that drops what it has no room for.
func (r *rows) incast() {
	const how = "two nodes write 64 KB each to a third, 128 under way (perftest's default), from 2 to 10 ms"
	two := crowd{senders: 2, depth: 128, from: 2 * sim.Millisecond, until: 10 * sim.Millisecond}
	r.Of("rd-ex-incast-wire", how, judge.Run(func(s *judge.Session) judge.Measured {
		x := r.pressed(s, two)
		return judge.Value(x.wire, "goodput %.1f Gb/s; %.1f %% of the packets dropped in the switch", x.goodput, x.loss)
	}), "all bytes on the link into the receiver")
	r.Of("rd-ex-incast-split", how, judge.Run(func(s *judge.Session) judge.Measured {
		x := r.pressed(s, two)
		return judge.Value(x.most, "%.1f and %.1f %%; %.1f %% of the packets dropped in the switch", x.most, x.least, x.loss)
	}), "the larger share of the bytes that have come")
}

// crowd is an incast: nodes that write 64 KB each to one node, again and again, on a ConnectX-5 Ex.
type crowd struct {
	senders, depth int // writes under way of each
	buffer         int // bytes of the switch; 0: the platform's
	from, until    sim.Duration
}

// pressed is the outcome of an incast in the time from and until.
type pressed struct {
	wire, goodput  float64 // Gb/s: on the link into the receiver; of data that has come in order
	least, most    float64 // shares of senders in that data, per cent
	loss, repeated float64 // of the packets that senders have made, per cent: dropped in the switch; sent again
	timeouts       uint64
}

// pressed measures an incast, once.
func (r *rows) pressed(s *judge.Session, x crowd) pressed {
	return judge.Recall(r.known, func() pressed { return judge.Must(x.press(s.Context(), r.seed)) }, "incast", x)
}

// press measures an incast.
func (x crowd) press(ctx context.Context, seed uint64, changes ...func(*platform.Profile)) (pressed, error) {
	spec := testbed.Spec{Platform: "cx5-ex", Nodes: 1 + x.senders, Seed: seed, Monitor: "off", Cold: true, Silent: true,
		Profile: func(p *platform.Profile) {
			p.Verbs.SendDepth = max(2, x.depth)
			if x.buffer > 0 {
				p.Network.Buffer.SwitchBytes = x.buffer
			}
			for _, change := range changes {
				change(p)
			}
		}}
	return testbed.With(ctx, spec, x.run)
}

// run lets all nodes but the first of a testbed write to it.
func (x crowd) run(b *testbed.Testbed) (out pressed) {
	const bytes = 64 * kb
	process := func(node int) *verbs.Process {
		return b.Nodes[node].Layer.(*verbs.Node).Process(host.NewSpace("incast", b.Nodes[node].Frames), 0)
	}
	receiver := process(0)
	come := make([]int, x.senders)
	began := b.Engine.Now()
	programs := make([]func(*host.Context), 1+x.senders)
	for i := range come {
		at := receiver.Space().Alloc(bytes)
		region, err := receiver.Region(at, bytes)
		b.Keep(err)
		region.OnWrite(func(a deposit.Arrival) { come[i] += a.Bytes })
		p := process(1 + i)
		q, _ := verbs.Connect(p, receiver)
		source := p.Space().Alloc(bytes)
		programs[1+i] = func(c *host.Context) {
			for under := 0; c.Now().Sub(began) < x.until && b.OK(); {
				if under < x.depth {
					b.Keep(q.Write(c, source, bytes, region, 0, trace.Meta{Kind: trace.Data}, 0, true))
					under++
				} else {
					b.Keep(p.AwaitCompletion(c).Err)
					under--
				}
			}
		}
	}
	programs[0] = func(c *host.Context) {
		c.Sleep(x.from)
		data, before := slices.Clone(come), countsOf(b)
		c.Sleep(x.until - x.from)
		after, all := countsOf(b), 0
		for i := range come {
			data[i] = come[i] - data[i]
			all += data[i]
		}
		if all == 0 {
			b.Keep(fmt.Errorf("nothing came from %v to %v", x.from, x.until))
		}
		gbps := func(bytes float64) float64 { return bytes * 8 / (x.until - x.from).Seconds() / 1e9 }
		share := func(part, of float64) float64 { return 100 * part / max(1, of) }
		sent := float64(after.packets + after.repeated - before.packets - before.repeated)
		out = pressed{
			wire: gbps(float64(after.bytes - before.bytes)), goodput: gbps(float64(all)),
			least: share(float64(slices.Min(data)), float64(all)), most: share(float64(slices.Max(data)), float64(all)),
			loss: share(float64(after.dropped-before.dropped), sent), repeated: share(float64(after.repeated-before.repeated), sent),
			timeouts: after.timeouts - before.timeouts,
		}
	}
	b.Play(programs...)
	return out
}

// counts are those of an incast since its beginning.
type counts struct{ bytes, dropped, packets, repeated, timeouts uint64 }

func countsOf(b *testbed.Testbed) counts {
	x := counts{bytes: b.Net.ChannelStats(len(b.Nodes)).Bytes, dropped: b.Net.Stats().Overflowed} // of the link into node 0
	for _, n := range b.Nodes {
		s := n.Layer.(*verbs.Node).Stats()
		x.packets, x.repeated, x.timeouts = x.packets+s.Packets, x.repeated+s.Repeated, x.timeouts+s.Timeouts
	}
	return x
}
