package lfc

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
)

// Spec is the layer's part of a platform profile.
type Spec struct {
	Buffers      int `toml:"buffers" range:"1..65536"`    // receive buffers of the host
	Credits      int `toml:"credits" range:"1..4096"`     // most packet buffers of an interface for one peer; less if there are many peers
	RequestWords int `toml:"request_words" range:"1..64"` // of a packet, stored by the host besides its data
	RecordBytes  int `toml:"record_bytes" range:"4..256"` // besides a packet in its receive buffer: the host polls it

	Watchdog sim.Duration `toml:"watchdog_us" range:"0..1e7"` // until an interrupt tells a process that does not poll of a packet; 0: never

	Host HostCosts `toml:"host"`

	firmware.Section
}

// HostCosts are the library's CPU times besides programmed I/O and copies.
type HostCosts struct {
	Send    sim.Duration `toml:"send_us" range:"0..1000"`    // take a send buffer of the interface, make the header
	Receive sim.Duration `toml:"receive_us" range:"0..1000"` // find an arrived packet and return it
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error {
	if err := bounds.Check("lfc", s); err != nil {
		return err
	}
	if packet := s.Firmware.PacketBytes + 4*s.RequestWords; s.Firmware.RequestBytes < packet {
		return bounds.Wrong("lfc.firmware.request_bytes", s.Firmware.RequestBytes, "at least packet_bytes + 4·request_words = %d", packet)
	}
	return nil
}

// Traits returns the properties of LFC, in the words of the comparison of
// user-level communication, which does not cover it.
func (s *Spec) Traits() *comm.Traits {
	return &comm.Traits{
		Name: "lfc", Title: "LFC: packets by programmed I/O, credits between interfaces",
		Model: comm.SendReceive, Control: "Combined",
		IntranodeProtection: true,
		Overflow:            "Prevented", Errors: "Catastrophic", Management: "Static",
		SendPath: "PIO(WC)", ReceivePath: "DMA+Copy", Protection: "PIO+Copy", Reliability: "None", Notice: "Polling",
		Promises: comm.Kept, Synchronous: true, Consumes: true, InPlace: true, Anyone: true, Multicasts: true, MaxBytes: s.Firmware.PacketBytes,
	}
}
