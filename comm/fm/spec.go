package fm

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Spec is the layer's part of a platform profile.
type Spec struct {
	Version      string `toml:"version" oneof:"2.02 2.1"`           // 2.02 or 2.1
	RegionBytes  int    `toml:"region_bytes" range:"64..268435456"` // host memory of a process's receive ring, divided among senders
	LandingBytes int    `toml:"landing_bytes" range:"4..256"`       // of a packet's header, written to host memory with its data
	RequestWords int    `toml:"request_words" range:"1..64"`        // of a packet, stored by the host besides data and probe words

	Host HostCosts `toml:"host"`

	firmware.Section
}

// HostCosts are the library's CPU times besides programmed I/O and copies.
type HostCosts struct {
	Send    sim.Duration `toml:"send_us" range:"0..1000"`     // begin and end of a message that is sent
	Packet  sim.Duration `toml:"packet_us" range:"0..1000"`   // a packet out: credits, header
	Extract sim.Duration `toml:"extract_us" range:"0..1000"`  // a packet in: header, its place in the message, credits
	Handler sim.Duration `toml:"handler_us" range:"0..1000"`  // calling the handler of a message and returning from it
	Poll    sim.Duration `toml:"poll_us" range:"0.001..1000"` // a poll of the ring
}

// Versions.
const (
	single = "2.02" // one process per node
	shared = "2.1"  // several, protected from those of other nodes
)

// section is the layer's name in a profile.
func (s *Spec) section() string {
	if s.Version == shared {
		return "fm21"
	}
	return "fm"
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error {
	if err := bounds.Check(s.section(), s); err != nil {
		return err
	}
	packet := s.Firmware.PacketBytes + 4*s.RequestWords
	switch {
	case s.Firmware.RequestBytes < packet:
		return bounds.Wrong(s.section()+".firmware.request_bytes", s.Firmware.RequestBytes, "at least packet_bytes + 4·request_words = %d", packet)
	case s.LandingBytes > s.Firmware.HeaderBytes:
		return bounds.Wrong(s.section()+".landing_bytes", s.LandingBytes, "at most firmware.header_bytes = %d", s.Firmware.HeaderBytes)
	}
	return nil
}

// Traits returns the properties of the version (userspace, Tables 1 and 2).
func (s *Spec) Traits() *comm.Traits {
	t := comm.Traits{
		Name: s.section(), Title: "FM-" + s.Version + ": streamed messages with handlers, credits for every packet",
		Model: comm.SendReceive, Control: "Combined",
		IntranodeProtection: true,
		Overflow:            "Prevented", Errors: "Catastrophic", Management: "Static",
		SendPath: "PIO(WC)", ReceivePath: "DMA+Copy", Protection: "PIO+Copy", Reliability: "None", Notice: "Polling",
		Promises: comm.Kept, Kinds: []trace.Kind{trace.Credit}, Synchronous: true, Consumes: true, Anyone: true,
	}
	if s.Version == shared {
		t.InternodeProtection, t.Multiprogramming = true, true
	}
	return &t
}

// place returns the bytes that a packet takes in a receive ring.
func (s *Spec) place(line int) int {
	return (s.Firmware.PacketBytes + s.LandingBytes + line - 1) / line * line
}
