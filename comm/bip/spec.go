package bip

import (
	"math"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/ni"
)

// Spec is the layer's part of a platform profile.
type Spec struct {
	LongBytes       int `toml:"long_bytes"`        // from here on messages go by DMA between user buffers
	Slots           int `toml:"slots"`             // short messages that wait for their receive
	Posts           int `toml:"posts"`             // receives of long messages announced at a time
	ListPages       int `toml:"list_pages"`        // of a long message's buffer at most: each has a word in SRAM
	SlotHeaderBytes int `toml:"slot_header_bytes"` // beside the data of a short message in its slot
	DescriptorWords int `toml:"descriptor_words"`  // that the host stores beside data and pages, for a send or a receive

	// Fragment chooses the fragments with these: what one costs every stage of
	// the pipeline beside its bytes, and the rate of the slowest stage.
	FragmentUs   float64 `toml:"fragment_us"`
	FragmentMBps float64 `toml:"fragment_mbps"`

	Host     HostCosts     `toml:"host"`
	Firmware firmware.Spec `toml:"firmware"`
}

// HostCosts are what the library costs the host processor beside programmed
// I/O and copies, in µs.
type HostCosts struct {
	SendUs      float64 `toml:"send_us"`      // entering a send, building its request
	ReceiveUs   float64 `toml:"receive_us"`   // entering a receive or its announcement, taking the message
	TranslateUs float64 `toml:"translate_us"` // the physical address of one page of a long message
}

// Validate reports the first field that is out of range.
func (s *Spec) Validate() error {
	err := bounds.Check("bip",
		bounds.Number("long_bytes", s.LongBytes, 1, host.PageBytes),
		bounds.Number("slots", s.Slots, 1, 1<<16),
		bounds.Number("posts", s.Posts, 1, 1<<12),
		bounds.Number("list_pages", s.ListPages, 2, 1<<20),
		bounds.Number("slot_header_bytes", s.SlotHeaderBytes, 4, 64),
		bounds.Number("descriptor_words", s.DescriptorWords, 1, 64),
		bounds.Number("fragment_us", s.FragmentUs, 0, 1000),
		bounds.Number("fragment_mbps", s.FragmentMBps, 1, 1e6),
		bounds.Number("host.send_us", s.Host.SendUs, 0, 1000),
		bounds.Number("host.receive_us", s.Host.ReceiveUs, 0, 1000),
		bounds.Number("host.translate_us", s.Host.TranslateUs, 0, 1000),
	)
	if err != nil {
		return err
	}
	if err := s.Firmware.Validate("bip.firmware"); err != nil {
		return err
	}
	return bounds.Check("bip",
		bounds.Number("firmware.packet_bytes", s.Firmware.PacketBytes, float64(s.LongBytes), 1<<18),
		bounds.Number("firmware.request_bytes", s.Firmware.RequestBytes, float64(s.LongBytes+4*s.DescriptorWords), 1<<18),
	)
}

// Traits says what BIP is.
func (s *Spec) Traits() *comm.Traits {
	t := traits
	t.PostFrom = s.LongBytes
	t.MaxBytes = (s.ListPages - 1) * host.PageBytes // wherever in its first page it begins
	return &t
}

// traits of BIP-0.92 (userspace, Tables 1 and 2).
var traits = comm.Traits{
	Name: "bip", Title: "BIP-0.92: bare messages, no protection, no flow control, zero copy",
	Model: comm.SendReceive, Control: "Data Only",
	Overflow: "Data Loss", Errors: "Catastrophic", Management: "Static",
	SendPath: "DMA+v2p trans", ReceivePath: "DMA+v2p trans", Protection: "None", Reliability: "None", Notice: "None",
	Synchronous: true, Consumes: true, Anyone: true,
}

// Payload is the most data that a packet carries, bytes.
func (s *Spec) Payload() int { return s.Firmware.PacketBytes }

// Shape divides the card's queues.
func (s *Spec) Shape(card ni.Spec, probeWords int) ni.Spec { return s.Firmware.Shape(card, probeWords) }

// Build loads BIP into a card.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) { return newLayer(card, *s, nodes) }

// Fragment returns how much of a long message of n bytes each of its packets
// carries. A pipeline of three stages (host DMA, wire, host DMA), each of which
// takes t + f/R for a fragment of f bytes, takes (n/f + 2)(t + f/R) for the
// message, which is least for f = sqrt(n·t·R/2).
func (s *Spec) Fragment(n int) int {
	best := math.Sqrt(float64(n) * s.FragmentUs * s.FragmentMBps / 2)
	pieces := max(1, int(float64(n)/max(best, 1)+0.5))
	return min(s.Firmware.PacketBytes, ((n+pieces-1)/pieces+7)&^7)
}
