package fabric

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sigview/sigview/sim"
)

// What halts in switches with buffers cost, by port, by the crowded port behind them and by flow.

// Halts returns why channels were halted, by channel and in the order in which that came up.
func (n *Net) Halts() (out []Halts) {
	if n.buffers == nil {
		return nil
	}
	for i := range n.buffers.ports {
		p := &n.buffers.ports[i]
		for _, h := range p.halts {
			if p.halted && h.Through == p.through {
				h.Time += n.engine.Now().Sub(p.since)
			}
			out = append(out, h)
		}
	}
	return out
}

// Flows returns the flows with whose packets switches with buffers have done something, in order.
func (n *Net) Flows() (keys []FlowKey, stats []FlowStats) {
	if n.buffers == nil {
		return nil, nil
	}
	keys = slices.SortedFunc(maps.Keys(n.buffers.flows), func(a, b FlowKey) int {
		own := func(k FlowKey) int { return map[bool]int{true: 1}[k.Own] }
		return cmp.Or(cmp.Compare(own(a), own(b)), cmp.Compare(a.Tag, b.Tag), cmp.Compare(a.Src, b.Src), cmp.Compare(a.Dst, b.Dst), cmp.Compare(a.Flow, b.Flow))
	})
	for _, k := range keys {
		stats = append(stats, *n.buffers.flows[k])
	}
	return keys, stats
}

// flow returns the counts of the flow of a packet.
func (b *buffers) flow(p *Packet) *FlowStats {
	k := FlowKey{p.Src, p.Dst, p.Flow, p.Header.Meta.Tag, !p.Header.Meta.Kind.CarriesRequest()}
	s := b.flows[k]
	if s == nil {
		s = &FlowStats{}
		b.flows[k] = s
	}
	return s
}

// crowded returns which output of the switch behind a channel is the bottleneck of that channel:
// the one with the longest queue that holds a packet of the channel. Without one, it returns the
// output by which a packet of the channel is leaving, or -1.
func (b *buffers) crowded(id int32) int32 {
	through, most, in := int32(-1), int64(0), &b.ports[id]
	for _, o := range b.switches[in.to].outputs {
		out, c := &b.ports[o], &b.net.ch[o]
		if c.holder != nil && c.from == id && c.end > b.net.engine.Now() && through < 0 {
			through = o
		}
		if out.bytes > most && out.waiting[in.place] > 0 {
			through, most = o, out.bytes
		}
	}
	return through
}

// halt records that something other than packets keeps an output from sending, and which port
// causes it.
func (b *buffers) halt(id int32) {
	out := &b.ports[id]
	if out.halted {
		return
	}
	out.halted, out.since, out.through = true, b.net.engine.Now(), id
	if out.to != noSwitch {
		if out.through = b.crowded(id); out.through >= 0 && b.ports[out.through].halted {
			out.through = b.ports[out.through].through
		}
	}
	b.because(id).Count++
}

// unhalt records the end of a halt, and adds its length to the statistics.
func (b *buffers) unhalt(id int32) {
	out := &b.ports[id]
	if out.halted {
		out.halted = false
		length := b.net.engine.Now().Sub(out.since)
		b.net.ch[id].crowd.stats.Paused += length
		b.because(id).Time += length
	}
}

// because returns the counts of a channel's halts for the reason that holds now.
func (b *buffers) because(id int32) *Halts {
	out := &b.ports[id]
	for i := range out.halts {
		if out.halts[i].Through == out.through {
			return &out.halts[i]
		}
	}
	out.halts = append(out.halts, Halts{Channel: id, Through: out.through})
	return &out.halts[len(out.halts)-1]
}

// haltedFor returns for how long a channel has been halted before an instant, and how much of that
// was because of ports on the route of p.
func (b *buffers) haltedFor(id int32, p *Packet, at sim.Time) (all, own sim.Duration) {
	out := &b.ports[id]
	for _, h := range out.halts {
		length := h.Time
		if out.halted && h.Through == out.through {
			length += at.Sub(out.since)
		}
		if all += length; slices.Contains(p.route.path, h.Through) {
			own += length
		}
	}
	return all, own
}

// stand notes how long a channel has been halted so far, as p begins to wait for it.
func (b *buffers) stand(id int32, p *Packet, at sim.Time) {
	p.route.halted, p.route.own = b.haltedFor(id, p, at)
}

// stood adds to p the time for which the channel was halted while p waited for it.
func (b *buffers) stood(id int32, p *Packet) {
	all, own := b.haltedFor(id, p, b.net.engine.Now())
	if all, own = all-p.route.halted, own-p.route.own; all <= 0 {
		return
	}
	f, s := b.flow(p), &b.net.ch[id].crowd.stats
	f.Halted++
	s.Stood++
	f.HaltedTime = f.HaltedTime.Plus(all)
	f.Blocked = f.Blocked.Plus(all - own)
	s.Blocked = s.Blocked.Plus(all - own)
}
