package host

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace/waits"
)

// Devices are models of programs. A job of one is an actor of the log, begun by the process that asks for it.

// Begins records that a device begins a job of a name now, and returns its actor; 0 without a log.
func (h *Host) Begins(name string) waits.ID {
	if h.log == nil {
		return 0
	}
	return h.log.Begin(waits.Actor{Type: waits.Job, Node: h.node, Peer: -1, Number: -1, Name: name}, h.onDevice(waits.Service, h.engine.Now()))
}

// Behind records that from a time on a job waits for the one before on its device.
func (h *Host) Behind(job, before waits.ID, from sim.Time) {
	wait := h.onDevice(waits.Waiting, from)
	wait.By = before
	h.log.Turn(job, wait, 0)
}

// Works records that a device works on a job from a time on.
func (h *Host) Works(job waits.ID, from sim.Time) {
	h.log.Turn(job, h.onDevice(waits.Service, from), 0)
}

// Ends records that a job ends now. What tell does is because of it.
func (h *Host) Ends(job waits.ID, tell func()) {
	before := h.log.Act(job)
	tell()
	h.log.Act(before)
	h.log.End(job, int64(h.engine.Now()))
}

func (h *Host) onDevice(what waits.What, at sim.Time) waits.Interval {
	return waits.Interval{Resource: waits.Device, What: what, Instance: h.node, Begin: int64(at)}
}
