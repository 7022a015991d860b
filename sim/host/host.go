package host

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/sim"
)

// New returns a host. The specification is valid. Hosts may share it; it must not change.
func New(e *sim.Engine, name string, spec *Spec, free Uncontended) *Host {
	spec = spec.effective()
	h := &Host{engine: e, name: name, spec: spec, free: free, gang: spec.Gang}
	h.setShort()
	rates := []sim.Rate{MemBus: spec.MemBus, IOBus: spec.IOBus, SRAM: sim.Infinite}
	if free.MemBus {
		rates[MemBus] = sim.Infinite
	}
	if free.IOBus {
		rates[IOBus] = sim.Infinite
	}
	h.pool = sim.NewPool(e, name, rates...)
	h.cpus = make([]*Context, spec.CPUs)
	h.last = make([]*Context, spec.CPUs)
	h.cache = newCache(spec.L2Bytes(), e.Stream(name+"/cache"))
	if spec.Quantum > 0 {
		// Time slices of different nodes are not aligned.
		s := e.Stream(name + "/scheduler")
		h.phase = s.Upto(spec.Quantum)
	}
	return h
}

// Name returns the name given to New.
func (h *Host) Name() string { return h.name }

// Engine returns the engine that the host runs on.
func (h *Host) Engine() *sim.Engine { return h.engine }

// Spec returns the host's specification.
func (h *Host) Spec() *Spec { return h.spec }

// Pool returns the host's shared capacities: MemBus, IOBus and SRAM.
func (h *Host) Pool() *sim.Pool { return h.pool }

// Stats returns the counts up to now.
func (h *Host) Stats() Stats { return h.stats }

// OnTurn makes the host call f when a program gets a CPU for the first time or after
// another program. f takes no time and must not change the scheduler.
func (h *Host) OnTurn(f func(*Context)) { h.turned = f }

// Contexts returns the host's contexts in the order of Go.
func (h *Host) Contexts() []*Context { return h.contexts }

// Busy reports whether a process computes, copies or sleeps for a time: it goes on by itself.
func (h *Host) Busy() bool {
	return slices.ContainsFunc(h.contexts, func(c *Context) bool {
		return c.cpu >= 0 && (c.burst == timed || c.burst == flow) || c.watch == &c.nap
	})
}

// DMA starts a transfer of bytes between host memory, which the device reads or writes, and
// a device, through the capacities of uses, at no more than limit bytes of payload per second.
// Each bus transaction holds the bus for an additional set-up (Bursts), which counts as bytes
// on the other capacities too. At the end a receives op and arg.
func (h *Host) DMA(f *sim.Flow, reads bool, bytes int, limit sim.Rate, uses uint32, a sim.Actor, op uint32, arg uint64) {
	n, limit := h.held(reads, bytes, limit, uses)
	h.pool.Start(f, n, limit, uses, a, op, arg)
}

// DMALater is DMA at a time that has not come, if nothing else uses the host's capacities. It
// reports whether it has done so.
func (h *Host) DMALater(at sim.Time, f *sim.Flow, reads bool, bytes int, limit sim.Rate, uses uint32, a sim.Actor, op uint32, arg uint64) bool {
	n, limit := h.held(reads, bytes, limit, uses)
	return h.pool.StartLater(at, f, n, limit, uses, a, op, arg)
}

// held adds the set-up of bus transactions to the bytes of a transfer and to its limit. Transfers
// like the last one in a direction are computed once.
func (h *Host) held(reads bool, bytes int, limit sim.Rate, uses uint32) (int64, sim.Rate) {
	if uses&OnIOBus == 0 {
		return int64(bytes), limit
	}
	last := &h.lastHeld[0]
	if reads {
		last = &h.lastHeld[1]
	}
	if last.bytes != bytes || last.limit != limit {
		*last = held{bytes: bytes, limit: limit}
		last.total, last.rate = h.spec.bursts(reads).held(int64(bytes), limit, h.spec.IOBus)
	}
	return last.total, last.rate
}

// held is Host.held on a bus of a rate.
func (t Bursts) held(n int64, limit, bus sim.Rate) (int64, sim.Rate) {
	if t.Setup <= 0 || n <= 0 {
		return n, limit
	}
	bursts := int64(1)
	if t.Bytes > 0 {
		bursts = (n + int64(t.Bytes) - 1) / int64(t.Bytes)
	}
	held := bytesIn(bus, sim.Duration(bursts)*t.Setup)
	if limit != sim.Infinite {
		limit = scale(limit, n+held, n)
	}
	return n + held, limit
}

// String returns the host's name and the time.
func (h *Host) String() string {
	return fmt.Sprintf("%s at %v", h.name, h.engine.Now())
}
