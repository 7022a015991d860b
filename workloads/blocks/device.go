package blocks

import "github.com/sigview/sigview/sim"

// start begins to read or write a block. The processor and the buses of the target have no part.
func (d *device) start(j job) {
	o := &d.target.spec.Options
	now := d.host.Engine().Now()
	ready := now.Add(sim.Microseconds(o.DeviceUs))
	from := max(d.free, ready)
	actor := d.host.Begins("device transfer")
	d.host.Behind(actor, d.last, ready)
	d.host.Works(actor, from)
	d.free, d.last = from.Add(sim.MBps(o.DeviceMBps).Time(o.Bytes)), actor
	d.under.Push(moving{j, actor})
	d.host.Engine().At(d.free, d, 0, 0)
}

// Act reports that the oldest block has been moved.
func (d *device) Act(uint32, uint64) {
	m := d.under.Pop()
	d.host.Ends(m.actor, func() {
		d.done.Push(m.job)
		d.target.Wake.Fire()
	})
}
