package bip

import (
	"math"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Spec is the layer's part of a platform profile.
type Spec struct {
	LongBytes       int `toml:"long_bytes" range:"1..4096"`      // shortest message that is sent by DMA between user buffers
	Slots           int `toml:"slots" range:"1..65536"`          // short messages that wait for their receive
	Posts           int `toml:"posts" range:"1..4096"`           // receives of long messages announced at a time
	ListPages       int `toml:"list_pages" range:"2..1048576"`   // largest number of pages of a long message's buffer: each has a word in SRAM
	SlotHeaderBytes int `toml:"slot_header_bytes" range:"4..64"` // besides the data of a short message in its slot
	DescriptorWords int `toml:"descriptor_words" range:"1..64"`  // stored by the host besides data and pages, for a send or a receive

	// Parameters of Fragment: the fixed cost of a fragment in every stage of
	// the pipeline, and the rate of the slowest stage.
	FragmentUs   float64 `toml:"fragment_us" range:"0..1000"`
	FragmentMBps float64 `toml:"fragment_mbps" range:"1..1e6"`

	Host HostCosts `toml:"host"`

	firmware.Section
}

// HostCosts are the library's CPU times besides programmed I/O and copies.
type HostCosts struct {
	Send      sim.Duration `toml:"send_us" range:"0..1000"`      // entering a send, building its request
	Receive   sim.Duration `toml:"receive_us" range:"0..1000"`   // entering a receive or its announcement, taking the message
	Translate sim.Duration `toml:"translate_us" range:"0..1000"` // the physical address of one page of a long message
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error {
	if err := bounds.Check("bip", s); err != nil {
		return err
	}
	request := s.LongBytes + 4*s.DescriptorWords
	switch {
	case s.Firmware.PacketBytes < s.LongBytes:
		return bounds.Wrong("bip.firmware.packet_bytes", s.Firmware.PacketBytes, "at least long_bytes = %d", s.LongBytes)
	case s.Firmware.RequestBytes < request:
		return bounds.Wrong("bip.firmware.request_bytes", s.Firmware.RequestBytes, "at least long_bytes + 4·descriptor_words = %d", request)
	}
	return nil
}

// Traits returns the properties of BIP.
func (s *Spec) Traits() *comm.Traits {
	t := traits
	t.PostFrom = s.LongBytes
	t.MaxBytes = (s.ListPages - 1) * host.PageBytes // for any offset in its first page
	return &t
}

// traits of BIP-0.92 (userspace, Tables 1 and 2).
var traits = comm.Traits{
	Name: "bip", Title: "BIP-0.92: bare messages, no protection, no flow control, zero copy",
	Model: comm.SendReceive, Control: "Data Only",
	Overflow: "Data Loss", Errors: "Catastrophic", Management: "Static",
	SendPath: "DMA+v2p trans", ReceivePath: "DMA+v2p trans", Protection: "None", Reliability: "None", Notice: "None",
	Promises:    comm.Promises{Ordered: true, Why: "a message that overflows the receiver's buffer is lost, and so is a longer one whose receive is not posted in time"},
	Synchronous: true, Consumes: true, Anyone: true,
}

// Fragment returns the payload of the packets of a long message of n bytes. A
// pipeline of three stages (host DMA, wire, host DMA), each taking t + f/R for
// a fragment of f bytes, takes (n/f + 2)(t + f/R) for the message. The minimum
// is at f = sqrt(n·t·R/2).
func (s *Spec) Fragment(n int) int {
	best := math.Sqrt(float64(n) * s.FragmentUs * s.FragmentMBps / 2)
	pieces := max(1, int(float64(n)/max(best, 1)+0.5))
	return min(s.Firmware.PacketBytes, ((n+pieces-1)/pieces+7)&^7)
}
