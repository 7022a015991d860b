package modern

import (
	"fmt"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// incast adds the rows of two senders and one receiver, through a switch that drops what it has no room for.
func (r *rows) incast() {
	const how = "two nodes write 64 KB each to a third, 16 under way, from 2 to 6 ms"
	r.Of("rd-ex-incast-wire", how, judge.Run(func(s *judge.Session) judge.Measured {
		x := r.pressed(s)
		return judge.Value(x.wire, "%d packets dropped in the switch", x.dropped)
	}), "all bytes on the link into the receiver")
	r.Of("rd-ex-incast-split", how, judge.Run(func(s *judge.Session) judge.Measured {
		x := r.pressed(s)
		return judge.Value(max(x.share, 100-x.share), "%.1f and %.1f %%", x.share, 100-x.share)
	}), "the larger share of the bytes that have come")
}

// pressed is the outcome of two senders that overload one receiver.
type pressed struct {
	wire    float64 // Gb/s
	share   float64 // of the first sender, per cent
	dropped uint64
}

// pressed measures two senders and one receiver, once.
func (r *rows) pressed(s *judge.Session) pressed {
	return judge.Recall(r.known, func() pressed {
		spec := testbed.Spec{Platform: "cx5-ex", Nodes: 3, Seed: r.seed, Monitor: "off", Cold: true, Silent: true,
			Profile: func(p *platform.Profile) { p.Verbs.SendDepth = 16 }}
		return judge.Must(testbed.With(s.Context(), spec, press))
	}, "incast")
}

// press runs the senders on nodes 1 and 2 of a testbed.
func press(b *testbed.Testbed) (out pressed) {
	const bytes = 64 * kb
	const from, until = 2 * sim.Millisecond, 6 * sim.Millisecond
	port := func(node int) deposit.Port {
		return b.Nodes[node].Layer.(deposit.Native).OpenPort(host.NewSpace("incast", b.Nodes[node].Frames), 0)
	}
	receiver := port(0)
	var come [2]int
	began := b.Engine.Now()
	programs := make([]func(*host.Context), 3)
	for i := range come {
		at := receiver.Space().Alloc(bytes)
		x, err := receiver.Export(at, bytes, nil)
		b.Keep(err)
		x.OnWrite(func(a deposit.Arrival) { come[i] += a.Bytes })
		p := port(1 + i)
		m, err := p.Import(x)
		b.Keep(err)
		source := p.Space().Alloc(bytes)
		programs[1+i] = func(c *host.Context) {
			for c.Now().Sub(began) < until && b.OK() {
				b.Keep(p.Send(c, source, m, 0, bytes, trace.Meta{Kind: trace.Data}, false))
			}
		}
	}
	programs[0] = func(c *host.Context) {
		c.Sleep(from)
		into := func() uint64 { return b.Net.ChannelStats(len(b.Nodes)).Bytes } // the link into node 0
		first, before := come, into()
		c.Sleep(until - from)
		a, all := float64(come[0]-first[0]), float64(come[0]+come[1]-first[0]-first[1])
		if all == 0 {
			b.Keep(fmt.Errorf("nothing came from %v to %v", from, until))
		}
		out = pressed{float64(into()-before) * 8 / (until - from).Seconds() / 1e9, 100 * a / all, b.Net.Stats().Overflowed}
	}
	b.Play(programs...)
	return out
}
