package experiment

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/analysis/collect"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// congestion gathers what switches with buffers have counted by port, and by flow with what layers have.
func congestion(r *collect.Records, c *cluster.Cluster) {
	ns := func(d sim.Duration) int64 { return int64(d / sim.Nanosecond) }
	if c.Net.Spec().Buffer == nil {
		return
	}
	for _, h := range c.Net.Halts() {
		row := trace.PauseRow{Port: int64(h.Channel), Name: c.Net.ChannelName(int(h.Channel)), Through: int64(h.Through), Paused: int64(h.Count), PausedNs: ns(h.Time)}
		if h.Through >= 0 {
			row.ThroughName = c.Net.ChannelName(int(h.Through))
		}
		r.Pauses = append(r.Pauses, row)
	}
	for i := range c.Net.Channels() {
		s := c.Net.ChannelStats(i)
		if s.Packets+s.Overflowed == 0 {
			continue
		}
		row := trace.PortRow{
			Port: int64(i), Name: c.Net.ChannelName(i), Packets: int64(s.Packets), Bytes: int64(s.Bytes), QueueBytes: s.QueueBytes, Waited: int64(s.Waited),
			Dropped: int64(s.Overflowed), Unreceived: int64(s.Unreceived), Marked: int64(s.Marked), PausedNs: ns(s.Paused), Held: int64(s.Stood), BlockedNs: ns(s.Blocked),
		}
		for _, p := range r.Pauses {
			if p.Port == row.Port {
				row.Paused += p.Paused
			}
		}
		r.Manifest.Lost.PausedNs += row.PausedNs
		r.Ports = append(r.Ports, row)
	}
	r.Flows = flows(c)
	for _, f := range r.Flows {
		r.Manifest.Lost.NotReady += f.NotReady
	}
	net, lost := c.Net.Stats(), &r.Manifest.Lost
	lost.Overflowed, lost.Unreceived, lost.Marked, lost.Pauses = int64(net.Overflowed), int64(net.Unreceived), int64(net.Marked), int64(net.Pauses)
}

// flows joins what layers have counted of their queue pairs with what the network has of the packets of each.
func flows(c *cluster.Cluster) (out []trace.FlowRow) {
	index := map[fabric.FlowKey]int{}
	for node, n := range c.Nodes {
		layer, ok := n.Layer.(comm.Flows)
		if !ok {
			continue
		}
		for _, f := range layer.Flows() {
			key := fabric.FlowKey{Src: int32(node), Dst: int32(f.Peer), Flow: f.Way, Tag: f.Tag}
			index[key] = len(out)
			out = append(out, trace.FlowRow{
				Tag: f.Tag, Sender: int64(node), Receiver: int64(f.Peer), Pair: int64(f.Pair), Packets: int64(f.Packets), Bytes: trace.Some(int64(f.Bytes)),
				Repeated: int64(f.Repeated), RepeatedBytes: trace.Some(int64(f.RepeatedBytes)),
				Gaps: int64(f.Gaps), NotReady: int64(f.NotReady), Timeouts: int64(f.Timeouts), AgainNs: int64(f.Again / sim.Nanosecond),
			})
		}
	}
	keys, stats := c.Net.Flows()
	for i, k := range keys {
		at, ok := index[k]
		if !ok {
			at = len(out)
			out = append(out, trace.FlowRow{Tag: k.Tag, Own: k.Own, Sender: int64(k.Src), Receiver: int64(k.Dst), Pair: -1})
		}
		s, row := stats[i], &out[at]
		row.Dropped, row.Unreceived, row.Marked = int64(s.Overflowed), int64(s.Unreceived), int64(s.Marked)
		row.Held, row.HeldNs, row.BlockedNs = int64(s.Halted), int64(s.HaltedTime/sim.Nanosecond), int64(s.Blocked/sim.Nanosecond)
	}
	slices.SortStableFunc(out, func(a, b trace.FlowRow) int {
		own := func(r trace.FlowRow) int { return map[bool]int{true: 1}[r.Own] }
		return cmp.Or(cmp.Compare(own(a), own(b)), cmp.Compare(a.Tag, b.Tag), cmp.Compare(a.Sender, b.Sender), cmp.Compare(a.Receiver, b.Receiver), cmp.Compare(a.Pair, b.Pair))
	})
	return out
}
