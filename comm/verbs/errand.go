package verbs

import (
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace/waits"
)

func hostAddr(n int) host.Addr { return host.Addr(n) }

// tell starts a transfer that tells the host of a packet; nil: of the one that is served.
func (n *Node) tell(x errand, about *fabric.Packet) {
	packet := waits.ID(0)
	if about != nil {
		packet = about.Actor
	}
	n.start(x, ni.DMA{Dir: ni.ToHost, Bytes: n.spec.CompletionBytes, About: about, For: n.nic.Tells(packet), Of: waits.HostDMA})
}

// fetch starts one that brings what the card needs for an actor of the log, which calls it a resource.
func (n *Node) fetch(x errand, bytes int, actor waits.ID, of waits.Resource) {
	n.start(x, ni.DMA{Dir: ni.ToNI, Bytes: bytes, For: actor, Of: of})
}

func (n *Node) start(x errand, d ni.DMA) {
	e := n.errands.Get(x)
	e.node, e.dma = n, d
	e.dma.Owner = e
	n.nic.HostDMA(&e.dma)
}

// Transferred tells the host, which sees what has been written.
func (e *errand) Transferred(d *ni.DMA) {
	switch e.kind {
	case fetchEntries, fetchToSend, fetchToReceive:
		return
	case tellSender:
		e.pair.completed(e)
	case tellReceiver:
		p := e.pair.process
		p.pool.Landed(e.buffer, e.from, e.bytes)
		p.Ring()
	case tellWritten:
		e.region.notify(e.arrival)
	case showEarly:
		for i := range e.early {
			e.early[i].land(e.pair)
		}
	}
	e.node.nic.Told(d.For)
}

// HostDone goes on with what the card has read.
func (e *errand) HostDone(*ni.DMA, sim.Time) {
	n, q, kind, count := e.node, e.pair, e.kind, e.count
	n.errands.Put(e)
	switch kind {
	case fetchEntries:
		q.fetching = false
		q.present = max(q.present, min(q.present+count, q.announced))
		q.fetch()
		q.serve()
	case fetchToSend:
		n.hasRead()
		n.senders[q.unit].readied(q)
	case fetchToReceive:
		n.hasRead()
		n.receivers[q.unit].readied(q)
	}
}

// lacks reads what the caches lack for a packet of a pair, once fewer than Misses items are being read.
func (n *Node) lacks(kind errandKind, q *Pair, actor waits.ID) {
	e := errand{kind: kind, pair: q}
	if n.reading == n.spec.Misses {
		e.dma.For = actor
		n.lacking.Push(e)
		if n.nic.Logs() {
			n.nic.Awaits(actor, waits.Cache, 0)
		}
		return
	}
	n.reading++
	n.fetch(e, n.spec.ContextBytes, actor, waits.Cache)
}

// hasRead lets the oldest item that waits be read.
func (n *Node) hasRead() {
	n.reading--
	if n.lacking.Len() > 0 {
		e := n.lacking.Pop()
		n.lacks(e.kind, e.pair, e.dma.For)
	}
}
