package blocks

import "github.com/sigview/sigview/sim"

// start begins to read or write a block. The processor and the buses of the target have no part.
func (d *device) start(j job) {
	o := &d.target.spec.Options
	d.free = max(d.free, d.engine.Now().Add(sim.Microseconds(o.DeviceUs))).Add(sim.MBps(o.DeviceMBps).Time(o.Bytes))
	d.engine.At(d.free, d, uint32(j.session), uint64(j.number))
}

// Act reports that a block has been moved.
func (d *device) Act(session uint32, number uint64) {
	d.done.Push(job{int(session), int(number)})
	d.target.Wake.Fire()
}
