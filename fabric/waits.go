package fabric

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace/waits"
)

// Log makes the network record in l, from now on, what packets with an Actor wait for.
func (n *Net) Log(l *waits.Log) { n.log = l }

// logMove records that p moves from at on, in channel c.
func (n *Net) logMove(p *Packet, c *channel, at sim.Time) {
	if n.log != nil && p.Actor != 0 {
		n.moves(p, c, at)
	}
}

func (n *Net) moves(p *Packet, c *channel, at sim.Time) {
	now := n.log.Present(p.Actor)
	if now.Resource == waits.Port && now.What == waits.Service {
		return
	}
	by := waits.ID(0)
	if now.Resource == waits.Ring {
		by = n.log.Acting() // it has made room
	}
	n.log.Turn(p.Actor, waits.Interval{Resource: waits.Port, Instance: c.id, Begin: int64(at)}, by)
}

// logWait records that p waits for channel c from at on. The last packet at the input port
// in is in its way; nil: the holders of the channel tell.
func (n *Net) logWait(p *Packet, c, in *channel, at sim.Time) {
	if n.log == nil {
		return
	}
	i := waits.Interval{Resource: waits.Port, What: waits.Waiting, Instance: c.id, Begin: int64(at)}
	if in != nil {
		ahead := n.front(in)
		if k := len(in.crowd.behind); k > 0 {
			ahead = in.crowd.behind[k-1]
		}
		if ahead != nil {
			i.By = ahead.Actor
		}
	}
	n.log.Turn(p.Actor, i, 0)
}

// logRefused records that the receiver has no room for p.
func (n *Net) logRefused(p *Packet) {
	n.log.Turn(p.Actor, waits.Interval{Resource: waits.Ring, What: waits.Waiting, Instance: p.Dst, Begin: int64(n.engine.Now())}, 0)
}

// logLost records that p is lost: it waits until it is sent again, if it is.
func (n *Net) logLost(p *Packet) {
	n.log.Lose(p.Actor, int64(n.engine.Now()), p.Src)
}

// logHold records that the holder of c has had it until end.
func (n *Net) logHold(c *channel, end sim.Time) {
	if n.log == nil {
		return
	}
	n.log.Hold(waits.Hold{Resource: waits.Port, Instance: c.id, Actor: c.crowd.actor, Begin: int64(c.start), End: int64(end)})
}

// Close records what packets hold at the end of the log.
func (n *Net) Close() {
	for i := range n.ch {
		if c := &n.ch[i]; c.holder != nil {
			n.logHold(c, min(c.end, n.engine.Now()))
		}
	}
}
