package host

import (
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
)

// PCIe is an I/O bus of PCI Express: a link with a bus for each direction. Down carries what CPUs
// store and what a device reads, up what a device writes. Data goes in packets with headers. A
// device's read is a request and its completions: it takes a round trip, and only so many requests
// are under way at a time, so that a device with few tags cannot read at the rate of the link.
// Reads and writes are otherwise independent. Credits are taken to suffice: hosts of today give more
// than a round trip of them.
type PCIe struct {
	Generation  int          `toml:"generation" range:"1..6"`
	Lanes       int          `toml:"lanes" range:"1..64"`
	HeaderBytes int          `toml:"header_bytes" range:"0..64"`          // header and framing of each packet
	Payload     int          `toml:"payload_bytes" range:"pow2 64..4096"` // most data of a packet (MPS)
	ReadBytes   int          `toml:"read_bytes" range:"pow2 64..4096"`    // most data of a read request (MRRS)
	Tags        int          `toml:"tags" range:"1..1024"`                // read requests of a device under way at a time
	Write       sim.Duration `toml:"write_ns" range:"0..1e5"`             // one way of a write: until the device has seen it, or the CPU can
	Read        sim.Duration `toml:"read_ns" range:"0.001..1e5"`          // a device's read of memory, until the first byte is there
	Hop         sim.Duration `toml:"hop_ns" range:"0..1e5"`               // across the CPU's mesh, or to another socket, each way
}

// acknowledged is the share of a link that packets have beside acknowledgements and updates of credits:
// 57.9 of the 63.0 Gb/s of eight lanes of the third generation, as implementers are recommended to
// send them (pcie-bench, SIGCOMM 2018).
const acknowledged = 0.92

// Rate returns the rate of one direction for packets with their headers.
func (p *PCIe) Rate() sim.Rate {
	lane := [...]float64{1: 250, 2: 500, 3: 8000. / 8 * 128 / 130, 4: 16000. / 8 * 128 / 130, 5: 32000. / 8 * 128 / 130, 6: 64000. / 8 * 242 / 256}
	return sim.MBps(float64(p.Lanes) * lane[p.Generation] * acknowledged)
}

// reads returns the highest rate of a device's reads, bytes/s, limited by its tags and the round
// trip.
func (p *PCIe) reads() sim.Rate {
	return scale(sim.Rate(sim.Second), int64(p.Tags)*int64(p.ReadBytes), int64(p.Read+2*p.Hop))
}

// effective returns the specification with the bus that PCIe stands for.
func (s *Spec) effective() *Spec {
	p := s.PCIe
	if p == nil {
		return s
	}
	e := *s
	e.IOBus = p.Rate()
	e.IOSetup, e.IOBurst = e.IOBus.Time(p.HeaderBytes), p.Payload
	e.IORead = nil
	return &e
}

// checkBus returns an error unless the I/O bus is described once.
func (s *Spec) checkBus() error {
	switch {
	case s.PCIe == nil && s.IOBus == 0:
		return bounds.Wrong("host.io_bus_mbps", 0, "1 to 1e7, or a section host.pcie")
	case s.PCIe != nil && (s.IOBus != 0 || s.IOSetup != 0 || s.IOBurst != 0 || s.IORead != nil):
		return bounds.Wrong("host.io_bus_mbps", float64(s.IOBus)/1e6, "0, as io_setup_ns and io_burst_bytes, and no io_read: host.pcie says what they are")
	}
	return nil
}

// Latency returns the time from the start of a device's transfer to its first byte, less what the
// device itself takes: the round trip of a read, or a write's way to memory. It is 0 on a bus that
// is not PCIe: there the device's specification has it.
func (h *Host) Latency(reads bool) sim.Duration {
	switch p := h.spec.PCIe; {
	case p == nil:
		return 0
	case reads:
		return p.Read + 2*p.Hop
	default:
		return p.Write + p.Hop
	}
}

// StoreLatency returns how long after the CPU has gone on its store arrives at the device.
func (h *Host) StoreLatency() sim.Duration { return h.Latency(false) }

// Overlaps reports whether transfers of a device overlap on the bus: it is PCIe. Their bytes
// move one after the other, in the order in which they began.
func (h *Host) Overlaps() bool { return h.spec.PCIe != nil }

// Crossing returns how long the bytes of a device's transfer occupy a PCIe bus, headers of packets
// included, and reports whether other transfers wait meanwhile. It counts only the transfer's own
// direction; the completions of reads share theirs with stores of CPUs, which are few.
func (h *Host) Crossing(reads bool, bytes int) (d sim.Duration, alone bool) {
	bus, rate := h.spec.IOBus, h.spec.IOBus
	if reads {
		rate = min(rate, h.spec.PCIe.reads())
	}
	n, _ := h.spec.bursts(reads).held(int64(bytes), sim.Infinite, bus)
	return rate.Time(int(n)), !h.free.IOBus
}
