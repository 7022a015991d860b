package ni

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace/waits"
)

// HostBusy reports whether an H engine has as much work as it can have at a time.
func (n *NIC) HostBusy() bool { return n.full(&n.engines[0]) || n.full(&n.engines[1]) }

func (n *NIC) full(e *engine) bool { return e.active >= n.transfers }

const (
	dmaBegin uint32 = iota // set-up is over, bytes begin to flow
	dmaEnd
	dmaBegun // bytes have begun to flow
)

// engineOf returns the H engine of a transfer. The only one of a card is for both
// directions.
func (n *NIC) engineOf(d *DMA) *engine {
	if n.spec.HostEngines < 2 {
		return &n.engines[0]
	}
	return &n.engines[d.Dir]
}

// HostDMA starts a transfer at the cursor, or queues it after the one in progress on its
// engine; a queued transfer starts as soon as the main loop notices the end of the
// previous one.
func (n *NIC) HostDMA(d *DMA) {
	d.nic = n
	if n.log != nil {
		if d.starter = d.For; d.For == 0 && d.About != nil {
			d.starter = d.About.Actor // the packet may have ended before the host is told
		}
		n.fetches(d)
	}
	if d.Record != nil {
		d.Record.fetching, d.Record.left = true, false
	}
	e := n.engineOf(d)
	if n.full(e) && !n.free.HostDMA {
		if n.log != nil && (d.About == nil || d.For != 0) { // else the packet's own deposit is before it
			n.waits(d, e)
		}
		e.last = d.actor()
		e.queue.Push(d)
		n.stats.HostQueued++
		return
	}
	e.last = d.actor()
	n.beginHost(d)
}

func (n *NIC) beginHost(d *DMA) {
	n.enters(d)
	n.Spend(n.spec.Loop.HostStartCycles)
	if n.log != nil {
		n.begins(d, n.cur)
	}
	at := n.cur.Add(n.setup(d))
	if n.ordered {
		n.cross(d, at)
	} else if !n.startsAlone(d, at) {
		n.engine.At(at, d, dmaBegin, 0)
	}
}

// HostStarts starts a transfer that the host has programmed by stores to the engine, at the
// current time. It queues behind one in progress as those of HostDMA do: the control program
// goes through the engine's list. The transfer has an Owner, whose Transferred stands for the
// completion interrupt.
func (n *NIC) HostStarts(d *DMA) {
	d.nic, d.byHost, d.starter = n, true, n.log.Acting()
	e := n.engineOf(d)
	e.last = d.actor()
	if n.full(e) && !n.free.HostDMA {
		e.queue.Push(d)
		n.stats.HostQueued++
		return
	}
	n.enters(d)
	now := n.engine.Now()
	if n.log != nil {
		n.begins(d, now)
	}
	if at := now.Add(n.setup(d)); n.ordered {
		n.cross(d, at)
	} else {
		n.engine.At(at, d, dmaBegin, 0)
	}
}

// enters makes an engine have one transfer more.
func (n *NIC) enters(d *DMA) {
	e := n.engineOf(d)
	e.active = min(e.active+1, n.transfers)
	if n.ordered {
		return
	}
	d.ended = false
	n.moving = append(n.moving, d)
	n.meet()
}

// setup returns the time from the start of a transfer to its first byte.
func (n *NIC) setup(d *DMA) sim.Duration {
	return n.hostSetup + n.bus.Upto(n.hostJitter) + n.latency[d.Dir]
}

// chainHost starts the next transfer that waits for an engine.
func (n *NIC) chainHost(e *engine) {
	d := e.queue.Pop()
	if n.log != nil {
		n.turns(d)
	}
	n.beginHost(d)
}

// hostDone handles the end of a transfer, observed at the given time.
func (n *NIC) hostDone(d *DMA, at sim.Time) {
	n.notices(d)
	e := n.engineOf(d)
	if e.active = max(e.active-1, 0); e.queue.Len() > 0 {
		n.chainHost(e)
	}
	if n.log != nil {
		n.ends(d)
	}
	if d.Record != nil {
		n.fetched(d.Record, at)
	}
	if d.Packet != nil {
		d.Packet.Landed = true
		if n.probe != nil {
			n.probe.Delivered(d.Packet, at)
		}
	}
	if d.Owner != nil {
		d.Owner.HostDone(d, at)
	} else {
		n.program.HostDone(d, at)
	}
}

// CancelHost removes the program's queued transfers that match. A transfer that
// has begun continues.
func (n *NIC) CancelHost(match func(*DMA) bool) {
	for i := range n.engines {
		q := &n.engines[i].queue
		for range q.Len() {
			if d := q.Pop(); d.Owner != nil || !match(d) {
				q.Push(d)
			}
		}
	}
}

// Act executes the two events of the transfer.
func (d *DMA) Act(op uint32, _ uint64) {
	n := d.nic
	n.settled()
	switch op {
	case dmaBegin:
		n.begun()
		limit := n.limit(d)
		if left := d.Until.Sub(n.engine.Now()); left > 0 {
			limit = max(1, min(limit, sim.Rate(int64(d.Bytes)*int64(sim.Second)/int64(left))))
		}
		n.host.DMA(&d.flow, d.Dir == ToNI, d.Bytes, limit, dmaUses, d, dmaEnd, 0)
		return
	case dmaBegun:
		n.begun()
		return
	}
	if n.log != nil {
		n.flowed(d)
	}
	if n.ordered {
		n.transferred(d)
		return
	}
	n.hostActive--
	d.ended = true
	if len(n.moving) == 1 {
		n.moving = n.moving[:0]
		n.transferred(d)
		return
	}
	for i := 0; i < len(n.moving); {
		e := n.moving[i]
		if !e.ended || e.follows(n.moving[:i]) {
			i++
			continue
		}
		n.moving = slices.Delete(n.moving, i, i+1)
		n.transferred(e)
	}
}

// cross moves the bytes of a transfer on a bus that keeps the order of transfers.
func (n *NIC) cross(d *DMA, at sim.Time) {
	n.stats.HostDMAs++
	took, alone := n.host.Crossing(d.Dir == ToNI, d.Bytes)
	l := &n.links[d.Dir]
	begin := at
	if alone {
		begin = max(at, l.free)
	}
	d.waited, d.behind = begin.Sub(at), l.last
	l.free, l.last = max(begin.Add(took), l.free), d.actor()
	n.engine.At(l.free, d, dmaEnd, 0)
}

// dmaUses are the capacities of the host that a transfer goes through.
const dmaUses = host.OnIOBus | host.OnMemBus | host.OnSRAM

// limit returns the highest rate of a transfer, bytes/s.
func (n *NIC) limit(d *DMA) sim.Rate {
	if d.Dir == ToNI {
		return n.toNI
	}
	return n.toHost
}

// begun is the time at which the bytes of a transfer begin to flow.
func (n *NIC) begun() {
	n.stats.HostDMAs++
	n.hostActive++
	n.shareSRAM()
	n.shared()
}

// follows reports whether an earlier transfer is of a packet from the same node. Such transfers
// stay in order even on an engine that is never busy.
func (d *DMA) follows(earlier []*DMA) bool {
	of := d.arrived()
	return of != nil && slices.ContainsFunc(earlier, func(e *DMA) bool {
		p := e.arrived()
		return p != nil && p.Src == of.Src
	})
}

// arrived returns the packet that a transfer deposits or reports to the host, or nil.
func (d *DMA) arrived() *fabric.Packet { return cmp.Or(d.Packet, d.About) }

// transferred ends a transfer.
func (n *NIC) transferred(d *DMA) {
	d.Record.ready(n.engine.Now())
	before := waits.ID(0)
	if n.log != nil {
		before = n.log.Act(d.actor())
	}
	if d.Owner != nil {
		d.Owner.Transferred(d)
	} else {
		n.program.Transferred(d)
	}
	n.log.Act(before)
	n.publish()
	ev := n.queue(srcHostDone)
	ev.dma = d
	n.raise(n.engine.Now(), srcHostDone, ev)
}

// shareSRAM sets the H engine's share of the internal bus. The network engines
// cannot wait, so the H engine gets the rest, but no less than a third.
func (n *NIC) shareSRAM() {
	both := n.receiving > 0 && n.sending
	if both != n.sramShared {
		n.reshare(both)
	}
}

func (n *NIC) reshare(both bool) {
	if n.starting != nil {
		n.engine.At(n.starts, n.starting, dmaBegun, 0)
		n.starts, n.starting = sim.Never, nil
	}
	if n.hostActive == 0 || n.free.SRAM {
		return
	}
	n.sramShared = both
	rate := n.sramBus
	if both {
		rate = max(n.sramBus-2*n.netRate, n.sramBus/3)
	}
	n.host.Pool().SetCapacity(host.SRAM, rate)
}
