package ni

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace/waits"
)

// The log of a card of pipelines: its program tells what packets wait for, as stages serve several at a
// time.

// Own returns a request of the card itself, made now for the actor that it serves.
func (n *NIC) Own() Posted { return n.posted(n.cur) }

// Coming returns the actor of the next packet of a request, 0 without a log.
func (n *NIC) Coming(m *Posted) waits.ID {
	if n.log == nil || m.log == nil {
		return 0
	}
	n.comes(m)
	return m.log.next
}

// Served returns the actor that the card serves, 0 without a log.
func (n *NIC) Served() waits.ID { return n.log.Acting() }

// Again says that a request is sent again after a timeout: its next packet has waited for that.
func (n *NIC) Again(m *Posted) {
	if m.log != nil {
		m.log.lost = true
	}
}

// Tells begins the actor of a transfer that tells the host of a packet, after its end; 0 is for the packet that is served.
func (n *NIC) Tells(packet waits.ID) waits.ID {
	if n.log == nil {
		return 0
	}
	a := waits.Actor{Type: waits.Job, Node: int32(n.id), Peer: -1, Number: -1, Name: "completion", Cause: packet}
	return n.log.Begin(a, n.interval(waits.HostDMA, waits.Waiting))
}

// Told ends one.
func (n *NIC) Told(id waits.ID) { n.log.End(id, int64(n.engine.Now())) }

// Awaits records that an actor waits for a resource of the card behind another; 0: nobody is in the way.
func (n *NIC) Awaits(id waits.ID, r waits.Resource, by waits.ID) {
	if now := n.log.Present(id); now.Resource != r || now.What != waits.Waiting {
		i := n.interval(r, waits.Waiting)
		i.By = by
		n.log.Turn(id, i, n.lets(id))
	}
}

// Passes records that a resource of the card serves an actor from a time on.
func (n *NIC) Passes(id waits.ID, r waits.Resource, from sim.Time) {
	i := n.interval(r, waits.Service)
	i.Begin = int64(from)
	n.log.Turn(id, i, n.lets(id))
}

// lets returns who ends an actor's wait for room or its turn: the one that is served now. Other waits tell it themselves.
func (n *NIC) lets(id waits.ID) waits.ID {
	now := n.log.Present(id)
	if r := now.Resource; now.What == waits.Waiting && n.log.Acting() != id && (r == waits.Slot || r == waits.Window || r == waits.Order) {
		return n.log.Acting()
	}
	return 0
}
