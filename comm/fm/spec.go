package fm

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/ni"
)

// Spec is the layer's part of a platform profile.
type Spec struct {
	Version      string `toml:"version"`       // 2.02 or 2.1
	RegionBytes  int    `toml:"region_bytes"`  // of host memory of a process's receive ring, shared out among senders
	LandingBytes int    `toml:"landing_bytes"` // of a packet's header that come to host memory with its data
	RequestWords int    `toml:"request_words"` // of a packet stored by the host, beside data and probe words

	Host     HostCosts     `toml:"host"`
	Firmware firmware.Spec `toml:"firmware"`
}

// HostCosts are what the library costs the host processor beside its
// programmed I/O and its copies, in µs.
type HostCosts struct {
	SendUs    float64 `toml:"send_us"`    // begin and end of a message that is sent
	PacketUs  float64 `toml:"packet_us"`  // a packet out: credits, header
	ExtractUs float64 `toml:"extract_us"` // a packet in: header, its place in the message, credits
	HandlerUs float64 `toml:"handler_us"` // calling the handler of a message and returning from it
	PollUs    float64 `toml:"poll_us"`    // a look at the ring
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

// Validate reports the first field that is out of range.
func (s *Spec) Validate() error {
	if s.Version != single && s.Version != shared {
		return fmt.Errorf("fm.version is %q, want %s or %s", s.Version, single, shared)
	}
	if err := s.Firmware.Validate(s.section() + ".firmware"); err != nil {
		return err
	}
	if need := s.Firmware.PacketBytes + 4*s.RequestWords; s.Firmware.RequestBytes < need {
		return fmt.Errorf("%s.firmware.request_bytes is %d, want a packet's %d B of data and %d words",
			s.section(), s.Firmware.RequestBytes, s.Firmware.PacketBytes, s.RequestWords)
	}
	h := &s.Host
	return bounds.Check(s.section(),
		bounds.Number("region_bytes", s.RegionBytes, 64, 1<<28),
		bounds.Number("landing_bytes", s.LandingBytes, 4, float64(s.Firmware.HeaderBytes)),
		bounds.Number("request_words", s.RequestWords, 1, 64),
		bounds.Number("host.send_us", h.SendUs, 0, 1000),
		bounds.Number("host.packet_us", h.PacketUs, 0, 1000),
		bounds.Number("host.extract_us", h.ExtractUs, 0, 1000),
		bounds.Number("host.handler_us", h.HandlerUs, 0, 1000),
		bounds.Number("host.poll_us", h.PollUs, 0.001, 1000), // a loop that polls takes time
	)
}

// Traits says what the version is (userspace, Tables 1 and 2).
func (s *Spec) Traits() *comm.Traits {
	t := comm.Traits{
		Name: s.section(), Title: "FM-" + s.Version + ": streamed messages with handlers, credits for every packet",
		Model: comm.SendReceive, Control: "Combined",
		IntranodeProtection: true,
		Overflow:            "Prevented", Errors: "Catastrophic", Management: "Static",
		SendPath: "PIO(WC)", ReceivePath: "DMA+Copy", Protection: "PIO+Copy", Reliability: "None", Notice: "Polling",
		Synchronous: true, Consumes: true, Anyone: true,
	}
	if s.Version == shared {
		t.InternodeProtection, t.Multiprogramming = true, true
	}
	return &t
}

// Payload is the most data that a packet carries, bytes.
func (s *Spec) Payload() int { return s.Firmware.PacketBytes }

// Shape divides the card's queues.
func (s *Spec) Shape(card ni.Spec, probeWords int) ni.Spec { return s.Firmware.Shape(card, probeWords) }

// place is what a packet takes of a receive ring.
func (s *Spec) place(line int) int {
	return (s.Firmware.PacketBytes + s.LandingBytes + line - 1) / line * line
}

// Build loads the layer into a card. Every sender has at least two places of a
// receiver's ring, whatever the region's size.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	place := s.place(card.Host().Spec().CacheLine)
	share := max(2, s.RegionBytes/place/max(1, nodes-1))
	n := &Node{spec: *s, traits: s.Traits(), id: card.ID(), nodes: nodes, place: place, credits: uint64(share)}
	var err error
	if n.program, err = firmware.New(card, s.Firmware, s.section(), control{node: n}); err != nil {
		return nil, err
	}
	return n, nil
}
