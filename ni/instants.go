package ni

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// Begin reports that the control program makes a packet of a request that the
// processor has taken up.
func (n *NIC) Begin(r *Record, m *Posted) {
	if n.log != nil {
		n.identify(r, m)
	}
	if n.probe != nil {
		n.probe.Requested(r, min(m.Seen, n.cur))
	}
}

// Loaded reports that a packet's data is in SRAM without a host DMA, because it
// came with the request (T2). A host DMA with a Record reports this itself.
func (n *NIC) Loaded(r *Record) {
	r.Inline = true
	r.ready(n.cur)
	n.fetched(r, n.cur)
}

// Loading reports that the host still stores the packet's data, which is sent meanwhile.
// Loaded follows, at the latest when the program handles the end of the insertion.
func (n *NIC) Loading(r *Record) {
	r.fetching, r.left = true, false
	r.ready(n.cur)
}

// Stored reports that the control program has made a packet visible to the host
// without a host DMA (T6). A host DMA with a Packet reports this itself.
func (n *NIC) Stored(p *fabric.Packet) {
	if n.probe != nil {
		n.probe.Delivered(p, n.cur)
	}
	n.stored(p)
}

// fetched is T2 of a packet and its copies. It also ends the insertion if the S
// engine has waited for the data.
func (n *NIC) fetched(r *Record, at sim.Time) {
	for r != nil {
		if n.probe != nil {
			n.probe.Fetched(r, at)
		}
		if r.fetching = false; r.left {
			n.injected(r, at)
		}
		r, r.Copy = r.Copy, nil
	}
}

// injecting is T3 of a packet. One that is sent again is not recorded, but its
// header has the same length.
func (n *NIC) injecting(p *fabric.Packet, r *Record) {
	again := p.Header.Flags&FlagRepeated != 0
	if r != nil && !again {
		n.stats.Diagnostics.Sent++
		n.stats.Diagnostics.FetchToStart += n.cur.Sub(r.Ready)
	}
	switch {
	case r == nil || n.probe == nil:
		if n.reserved>>(p.Header.Meta.Kind&63)&1 != 0 {
			n.service.Injecting(p)
		}
	case again:
		_, words := n.probe.Words()
		p.WireBytes += 4 * words
	default:
		n.probe.Injecting(r, p)
	}
}

// injected is T4 of a packet: not before T2.
func (n *NIC) injected(r *Record, at sim.Time) {
	if r.left = r.fetching; !r.left && n.probe != nil {
		n.probe.Injected(r, at)
	}
}

// arriving is T5 of a packet that carries a host request and is undamaged.
func (n *NIC) arriving(p *fabric.Packet) {
	if n.probe != nil && !p.CRCError && p.Header.Meta.Kind.CarriesRequest() {
		n.probe.Arriving(p)
	}
}

// StoreRequest stores the words of a request into the queue while the library
// spends time between the stores. Storing the probe's words counts as the
// monitor's time.
func (n *NIC) StoreRequest(c *host.Context, time sim.Duration, words int, by host.Route) {
	if n.probe == nil {
		c.PIOWriteWhile(time, words, by)
		return
	}
	extra, _ := n.probe.Words()
	held := c.PIOWriteWhile(time, words+extra, by)
	c.Shift(host.Monitor, held-c.Host().PIOWriteTime(words, by))
}
