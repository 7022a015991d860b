package fabric

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace/waits"
)

// Log makes the network record in l, from now on, what packets with an Actor wait for.
func (n *Net) Log(l *waits.Log) { n.log = l }

// logMove records that p moves from at on, in channel c.
func (n *Net) logMove(p *Packet, c *channel, at sim.Time) {
	if n.log == nil || p.Actor == 0 {
		return
	}
	if now := n.log.Present(p.Actor); now.Resource != waits.Port || now.What != waits.Service {
		n.log.Turn(p.Actor, waits.Interval{Resource: waits.Port, Instance: c.id, Begin: int64(at)}, n.log.Acting())
	}
}

// logWait records that p waits for channel c from at on. The packet that is next before it
// is in its way; nil: the holders of the channel tell.
func (n *Net) logWait(p *Packet, c *channel, ahead *Packet, at sim.Time) {
	if n.log == nil {
		return
	}
	i := waits.Interval{Resource: waits.Port, What: waits.Waiting, Instance: c.id, Begin: int64(at)}
	if ahead != nil {
		i.By = ahead.Actor
	}
	n.log.Turn(p.Actor, i, 0)
}

// logBehind records that p is behind other packets at the input port in.
func (n *Net) logBehind(p *Packet, in *channel) {
	if n.log == nil {
		return
	}
	ahead := n.front(in)
	if k := len(in.behind); k > 0 {
		ahead = in.behind[k-1]
	}
	n.logWait(p, &n.ch[p.route.path[p.route.head]], ahead, n.engine.Now())
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
	n.log.Hold(waits.Hold{Resource: waits.Port, Instance: c.id, Actor: c.actor, Begin: int64(c.start), End: int64(end)})
}

// Close records what packets hold at the end of the log.
func (n *Net) Close() {
	for i := range n.ch {
		if c := &n.ch[i]; c.holder != nil {
			n.logHold(c, min(c.end, n.engine.Now()))
		}
	}
}
