package ni

import (
	"fmt"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// New builds the interface of one node. It fails if its fixed parts do not fit into SRAM. The
// spec is valid. Cards may share it; it must not change.
func New(e *sim.Engine, id int, spec *Spec, h *host.Host, net *fabric.Net, rtc *clock.Oscillator, free Uncontended) (*NIC, error) {
	n := &NIC{
		id: id, name: fmt.Sprintf("node%d/ni", id), spec: spec,
		engine: e, host: h, net: net, rtc: rtc, free: free,
		sram:       SRAM{bytes: spec.SRAMBytes},
		cycle:      spec.clock(),
		hostSetup:  sim.Microseconds(spec.HostDMASetupUs - float64(spec.HostDMAJitterUs/2)),
		hostJitter: sim.Microseconds(spec.HostDMAJitterUs),
		toNI:       sim.MBps(spec.HostDMAToNIMBps),
		toHost:     sim.MBps(spec.HostDMAToHostMBps),
		netRate:    sim.MBps(spec.NetDMAMBps),
		sramBus:    sim.MBps(spec.SRAMBusMBps),
		ring:       spec.ReceiveBuffers,
		alone:      !free.Processor && !spec.Pipelined && !free.NetDMA,
		own:        sim.Never, awaits: sim.Never, head: sim.Never, tail: sim.Never, due: sim.Never, starts: sim.Never,

		queueRead: sim.Microseconds(spec.Queues.ReadNs / 1000), queueWrite: sim.Microseconds(spec.Queues.WriteNs / 1000),
	}
	n.latency = [2]sim.Duration{ToNI: h.Latency(true), ToHost: h.Latency(false)}
	n.transfers, n.ordered = max(spec.HostTransfers, 1), h.Overlaps()
	n.free.Processor = free.Processor || spec.Pipelined
	if !free.SRAM {
		h.Pool().SetCapacity(host.SRAM, n.sramBus)
	}
	n.phase, n.bus = e.Stream(n.name+"/poll"), e.Stream(n.name+"/bus")
	n.setPeriod()
	n.test = n.Duration(spec.Loop.TestCycles)
	n.brief = n.netRate.Time(spec.Loop.BriefBytes)
	n.check = sim.Time(n.Duration(spec.Loop.CheckEveryCycles))
	n.loopTime = n.Duration(int(numSources) * spec.Loop.TestCycles)
	if spec.Pipelined {
		n.test, n.loopTime = 0, 0
		n.ring *= cells(spec.BufferBytes)
	}
	n.buffers = n.ring
	for _, r := range []struct {
		owner string
		bytes int
	}{
		{"control program", spec.FirmwareBytes},
		{"request queue", spec.RequestSlots * spec.RequestBytes},
		{"receive ring", spec.ReceiveBuffers * spec.BufferBytes},
	} {
		if err := n.sram.Reserve(r.owner, r.bytes); err != nil {
			return nil, err
		}
	}
	net.Attach(id, n)
	return n, nil
}

// Load installs the control program.
func (n *NIC) Load(p Program) {
	n.program, n.preview = p, nil
	if e, ok := p.(Previewer); ok && e.HeadBytes() > 0 {
		n.preview = e
	}
	n.discreet, _ = p.(Discreet)
}

// Serve installs the service for reserved packet kinds.
func (n *NIC) Serve(s Service) {
	n.service, n.reserved = s, 0
	for k := range trace.Kind(64) {
		if s.Serves(k) {
			n.reserved |= 1 << k
		}
	}
}

// Attach installs the probe.
func (n *NIC) Attach(p Probe) { n.probe, n.noisy = p, !p.Private() }

// ID returns the node's number.
func (n *NIC) ID() int { return n.id }

// Spec returns the card's specification.
func (n *NIC) Spec() *Spec { return n.spec }

// Host returns the host that the card is plugged into.
func (n *NIC) Host() *host.Host { return n.host }

// Net returns the network that the card is attached to.
func (n *NIC) Net() *fabric.Net { return n.net }

// Engine returns the simulation engine.
func (n *NIC) Engine() *sim.Engine { return n.engine }

// SRAM returns the allocation table of the card's memory.
func (n *NIC) SRAM() *SRAM { return &n.sram }

// Stats returns the card's counters.
func (n *NIC) Stats() Stats {
	n.Settle()
	return n.stats
}

// Free returns which resources are uncontended.
func (n *NIC) Free() Uncontended { return n.free }
