package pm

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/ni"
)

// Spec is the layer's part of a platform profile. A packet of the control
// program is a message: the library cuts nothing.
type Spec struct {
	Buffers         int `toml:"buffers"`          // pinned receive buffers of a process
	CopyBuffers     int `toml:"copy_buffers"`     // pinned buffers through which it sends from other memory
	DescriptorWords int `toml:"descriptor_words"` // of a request, stored by programmed I/O
	RecordBytes     int `toml:"record_bytes"`     // beside a message in its receive buffer: the host polls it

	Host     HostCosts     `toml:"host"`
	Gang     GangCosts     `toml:"gang"`
	Firmware firmware.Spec `toml:"firmware"`
}

// HostCosts are what the library costs the host processor beside its
// programmed I/O and its copies, in µs.
type HostCosts struct {
	SendUs    float64 `toml:"send_us"`    // enter send, take a buffer, build the descriptor
	ReceiveUs float64 `toml:"receive_us"` // find a message that has come, hand it out
}

// GangCosts are what giving the interface to another process takes, in µs.
type GangCosts struct {
	DrainUs  float64 `toml:"drain_us"`  // no request is taken up, so that what is on its way arrives
	SwitchUs float64 `toml:"switch_us"` // the interface's state is saved and the other one's restored
}

// Validate reports the first field that is out of range.
func (s *Spec) Validate() error {
	if err := bounds.Check("pm",
		bounds.Number("buffers", s.Buffers, 1, 1<<16),
		bounds.Number("copy_buffers", s.CopyBuffers, 1, 1<<10),
		bounds.Number("descriptor_words", s.DescriptorWords, 1, 64),
		bounds.Number("record_bytes", s.RecordBytes, 4, 64),
		bounds.Number("host.send_us", s.Host.SendUs, 0, 1000),
		bounds.Number("host.receive_us", s.Host.ReceiveUs, 0, 1000),
		bounds.Number("gang.drain_us", s.Gang.DrainUs, 1, 1e6),
		bounds.Number("gang.switch_us", s.Gang.SwitchUs, 0, 1e6),
	); err != nil {
		return err
	}
	return s.Firmware.Validate("pm.firmware")
}

// Traits says what PM is (userspace, Tables 1 and 2).
func (s *Spec) Traits() *comm.Traits {
	return &comm.Traits{
		Name: "pm", Title: "PM-1.2: messages by DMA from and into pinned buffers, one process at a time",
		Model: comm.SendReceive, Control: "Combined",
		IntranodeProtection: true, InternodeProtection: true, Multiprogramming: true,
		Overflow: "Tolerated", Errors: "Catastrophic", Management: "Static",
		SendPath: "DMA+Copy", ReceivePath: "DMA+Copy", Protection: "Gang Scheduling", Reliability: "None", Notice: "Polling",
		Consumes: true, InPlace: true, Anyone: true, MaxBytes: s.Firmware.PacketBytes,
	}
}

// Payload is the most data that a packet carries, bytes.
func (s *Spec) Payload() int { return s.Firmware.PacketBytes }

// Shape divides the card's queues.
func (s *Spec) Shape(card ni.Spec, probeWords int) ni.Spec { return s.Firmware.Shape(card, probeWords) }

// Build loads the layer into a card.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) { return New(card, *s, nodes) }
