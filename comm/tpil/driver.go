package tpil

import (
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// driver starts transfers and serves their completion interrupts.
type driver struct {
	card    *ni.NIC
	words   int // that program a transfer
	service *host.Context
	parts   []int // transfers of a chain that are not programmed
	longest int   // transfer so far, bytes
	pending int   // transfers begun whose interrupt has not been served
	ended   int   // of them, those that have ended
	idle    []*ni.DMA
	watch   host.Watch
}

// listed is the number of transfers that the driver keeps in the engine's list.
const listed = 2

// start programs a transfer of n bytes.
func (d *driver) start(c *host.Context, n int) {
	if d.service == nil {
		d.service = d.card.Host().Go(d.card.Host().Name()+"/dma driver", host.Handler, d.serve)
	}
	d.pending++
	c.PIOWrite(d.words, host.Words)
	t := &ni.DMA{}
	if k := len(d.idle); k > 0 {
		t, d.idle = d.idle[k-1], d.idle[:k-1]
	}
	t.Dir, t.Bytes, t.Owner = ni.ToNI, n, d
	d.longest = max(d.longest, n)
	d.card.HostStarts(t)
}

// chain starts transfers one after another; all but the first ones are started by the
// service of interrupts.
func (d *driver) chain(c *host.Context, parts []int) {
	d.parts = parts
	for d.pending < listed && len(d.parts) > 0 {
		d.next(c)
	}
}

func (d *driver) next(c *host.Context) {
	n := d.parts[0]
	d.parts = d.parts[1:]
	d.start(c, n)
}

// await waits for the end of all transfers.
func (d *driver) await(c *host.Context) {
	for d.pending > 0 {
		c.Block(&d.watch, "the end of a DMA")
	}
}

// serve is the interrupt's service process.
func (d *driver) serve(c *host.Context) {
	for {
		c.WaitInterrupt("the end of a DMA")
		for d.ended > 0 {
			d.ended--
			d.pending--
			if len(d.parts) > 0 {
				d.next(c)
			}
		}
		d.watch.Fire()
	}
}

// Transferred raises the completion interrupt.
func (d *driver) Transferred(t *ni.DMA) {
	d.ended++
	d.service.Interrupt()
}

// HostDone frees a transfer: the control program has gone on to the next one in the list.
func (d *driver) HostDone(t *ni.DMA, _ sim.Time) { d.idle = append(d.idle, t) }
