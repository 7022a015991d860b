package verbs

import (
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

func hostAddr(n int) host.Addr { return host.Addr(n) }

// run starts a transfer of the card besides those of packets' data. About, if not nil, is the packet of
// which it tells the host.
func (n *Node) run(x errand, dir ni.Direction, bytes int, about *fabric.Packet) {
	e := n.errands.Get(x)
	e.node = n
	e.dma = ni.DMA{Dir: dir, Bytes: bytes, About: about, Owner: e}
	n.nic.HostDMA(&e.dma)
}

// Transferred tells the host, which sees what has been written.
func (e *errand) Transferred(*ni.DMA) {
	switch e.kind {
	case tellSender:
		e.pair.completed(e)
	case tellReceiver:
		p := e.pair.process
		p.pool.Landed(e.buffer, e.from, e.bytes)
		p.Ring()
	case tellWritten:
		e.region.notify(e.arrival)
	}
}

// HostDone goes on with what the card has read.
func (e *errand) HostDone(*ni.DMA, sim.Time) {
	n, q, kind, count, unit := e.node, e.pair, e.kind, e.count, e.unit
	n.errands.Put(e)
	switch kind {
	case fetchEntries:
		q.fetching = false
		q.present = max(q.present, min(q.present+count, q.announced))
		q.fetch()
		q.serve()
	case fetchState:
		unit.begin()
	}
}
