package fabric

import "github.com/sigview/sigview/sim"

// Stats counts packets. Injected = Delivered + Dropped + ResetLost + InFlight.
type Stats struct {
	Injected, InjectedBytes   uint64
	Delivered, DeliveredBytes uint64 // with and without errors
	Refused                   uint64 // heads that found no room at the receiver
	Resets                    uint64 // forward resets
	ResetLost                 uint64 // packets lost in them
	Dropped                   uint64 // packets that the injector or a dead link took
	Severed                   uint64 // packets whose route crossed a dead link
	Hit                       uint64 // packets delivered with changed bits
	Detected                  uint64 // of them those that the CRC shows
	Undetected                uint64 // of them those that it does not
	HitLost                   uint64 // packets with errors that were lost on the way
	InFlight                  int
}

// ChannelStats are the statistics of one direction of one link.
type ChannelStats struct {
	Packets  uint64 // packets whose tail has left, or that were cut
	Bytes    uint64
	Held     sim.Duration // held by a packet, moving or not
	Halted   sim.Duration // held and halted by STOP or by the receiver
	Waited   uint64       // packets whose head waited for the channel, or for one before it in the same buffer
	WaitSum  sim.Duration
	WaitMax  sim.Duration
	QueueMax int    // longest queue of the arbiter
	Stops    uint64 // STOPs that have reached the sending side
	Cut      uint64 // packets cut short by a forward reset
}

// Stats returns the counts up to now.
func (n *Net) Stats() Stats {
	s := n.stats
	s.InFlight = n.inFlight
	s.HitLost = n.faults.lost
	return s
}

// ResetLost returns how many packets that node id has sent were lost in
// forward resets before they had arrived.
func (n *Net) ResetLost(id int) uint64 { return n.nodes[id].resetLost }

// Channels returns how many channels the fabric has, two per link.
func (n *Net) Channels() int { return len(n.ch) }

// ChannelName says what channel i connects.
func (n *Net) ChannelName(i int) string { return n.layout.name(i) }

// ChannelStats returns the statistics of channel i up to now.
// Utilization is Held/elapsed, useful utilization (Held-Halted)/elapsed. On an
// uncontended fabric only the nodes' own channels are held.
func (n *Net) ChannelStats(i int) ChannelStats {
	c := &n.ch[i]
	s := c.stats
	now := n.engine.Now()
	if c.holder == nil {
		return s
	}
	if c.end <= now { // not yet released, because nobody asked
		s.Packets++
		s.Bytes += uint64(c.bytes)
	}
	s.Held += max(0, min(now, c.end).Sub(c.start))
	if !c.flowing {
		s.Halted += max(0, now.Sub(c.halt))
	}
	return s
}

// Route returns the channels that packets from src to dst take now.
func (n *Net) Route(src, dst int) []int32 {
	return n.layout.route(nil, src, dst, n.way(src, dst))
}
