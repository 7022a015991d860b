package grim

import (
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
)

// sendDepth is how many packets the S engine may have, or wait for it: while one leaves, the
// next is made.
const sendDepth = 2

// Ready reports whether a translation has come, or a message can be sent: the scoreboard and the S
// engine have room.
func (n *Node) Ready() bool {
	if n.replies > 0 {
		return true
	}
	if n.outstanding >= n.spec.Scoreboard || n.sending >= sendDepth && !n.nic.Free().Slots {
		return false
	}
	return n.scan() != nil
}

// scan returns the next channel, in turn, whose first message may be sent, or nil. A message waits
// while its peer has no room.
func (n *Node) scan() *channel {
	for i := range n.channels {
		ch := n.channels[(n.turn+i)%len(n.channels)]
		if len(ch.queue) > 0 && !ch.queue[0].link.held {
			return ch
		}
	}
	return nil
}

// Request takes a translation, or sends the next message.
func (n *Node) Request() {
	if n.replies > 0 {
		n.replies--
		n.translated()
		return
	}
	ch := n.scan()
	n.turn = (n.turn + 1) % len(n.channels)
	m := ch.queue[0]
	ch.queue = ch.queue[:copy(ch.queue, ch.queue[1:])]
	n.nic.Take(&m.posted)
	n.nic.SpendTime(n.cost.Detect + sim.Duration(n.spec.Channels-1)*n.cost.Channel)
	n.begin(m)
	n.nic.SpendTime(n.cost.SetValues)
	n.stats.Packets++
	n.enter(m)
	if m.rec.Keep = int32(n.scoreboard); !n.spec.Overlap {
		m.rec.Keep = 0
		n.nic.SpendTime(n.cost.Scoreboard)
	}
	n.transmit(m, false)
}

// begin reports to the monitor a message whose data the host has stored or still stores.
func (n *Node) begin(m *message) {
	if m.begun {
		return
	}
	m.begun = true
	n.nic.Begin(&m.rec, &m.posted)
	if m.pushing {
		m.loading = true
		n.nic.Loading(&m.rec)
	} else {
		n.nic.Loaded(&m.rec)
	}
}

// transmit hands a message to the S engine, for the first time or again.
func (n *Node) transmit(m *message, again bool) {
	k := n.nic.Net().NewPacket()
	k.Src, k.Dst = int32(n.nic.ID()), m.link.peer
	k.Header = m.header
	if again {
		k.Header.Flags |= ni.FlagRepeated
	}
	copy(k.Payload(len(m.data)), m.data)
	k.WireBytes = n.spec.HeaderBytes + len(m.data)
	m.rec.Rate = 0
	if again {
		m.rec.Keep = 0
	}
	if m.loading {
		m.rec.Rate = n.pace(m, k.WireBytes)
	}
	m.flying++
	n.sending++
	n.nic.Send(k, &m.rec)
}

// pace returns the rate of a packet whose segments the host is still storing, so that its last
// segment leaves after it has come. 0 is the full rate.
func (n *Node) pace(m *message, wire int) sim.Rate {
	last := sim.MBps(n.nic.Spec().NetDMAMBps).Time(min(len(m.data), n.spec.SegmentBytes))
	d := m.full.Add(last).Sub(n.nic.Now())
	if d <= 0 {
		return 0
	}
	return max(1, sim.Rate(int64(wire)*int64(sim.Second)/int64(d)))
}

// Sent handles the end of a packet's insertion.
func (n *Node) Sent(r *ni.Record, _ sim.Time) {
	m := n.messages[r.Arg]
	n.sending--
	m.flying--
	if m.loading {
		m.loading = false
		if m.pushing {
			n.stats.Late++
		}
		n.nic.Loaded(r)
	}
	n.settle(m)
}

// SendIdle does nothing.
func (n *Node) SendIdle() {}

// settle frees a message's SRAM when it is acknowledged and no copy of it is in the S engine.
func (n *Node) settle(m *message) {
	if !m.acked || m.flying > 0 || m.pushing {
		return
	}
	ch := n.channels[m.link.channel]
	ch.used -= m.bytes
	m.acked, m.space = false, nil
	n.freeMessage = append(n.freeMessage, uint32(m.rec.Arg))
	ch.Ring()
}

// claim returns a message with room for n bytes of data.
func (n *Node) claim(l *link, bytes int) *message {
	var m *message
	if k := len(n.freeMessage); k > 0 {
		m = n.messages[n.freeMessage[k-1]]
		n.freeMessage = n.freeMessage[:k-1]
	} else {
		m = &message{}
		m.rec.Arg = uint64(len(n.messages))
		n.messages = append(n.messages, m)
	}
	*m = message{rec: ni.Record{Arg: m.rec.Arg}, data: m.data, link: l, bytes: bytes + n.spec.HeaderBytes}
	if cap(m.data) < bytes {
		m.data = make([]byte, bytes)
	}
	m.data = m.data[:bytes]
	n.channels[l.channel].used += m.bytes
	return m
}
