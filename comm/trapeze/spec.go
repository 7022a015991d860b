package trapeze

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
)

// Spec is the layer's part of a platform profile. A packet's payload is at most a page
// frame.
type Spec struct {
	Frames       int `toml:"frames" range:"1..65536"`       // page frames that the host provides
	ControlWords int `toml:"control_words" range:"1..64"`   // of a control message without the caller's data
	InlineBytes  int `toml:"inline_bytes" range:"0..4096"`  // longest message that a control message holds
	ControlBytes int `toml:"control_bytes" range:"4..4096"` // of a control message in the host's receive ring

	ReceiveThrough bool `toml:"receive_cut_through"` // the DMA of a payload begins when its header has arrived

	Host HostCosts `toml:"host"`

	firmware.Section
}

// HostCosts are the library's CPU times besides programmed I/O and copies.
type HostCosts struct {
	Send    sim.Duration `toml:"send_us" range:"0..1000"`    // take an entry of the send ring, build the control message
	Receive sim.Duration `toml:"receive_us" range:"0..1000"` // take a control message out of the receive ring and call its handler
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error {
	if err := bounds.Check("trapeze", s); err != nil {
		return err
	}
	if least := 4*s.ControlWords + s.InlineBytes; s.Firmware.RequestBytes < least {
		return bounds.Wrong("trapeze.firmware.request_bytes", s.Firmware.RequestBytes, "at least 4·control_words + inline_bytes = %d", least)
	}
	return nil
}

// Traits returns the properties of Trapeze, in the words of the comparison of
// user-level communication, which does not cover it.
func (s *Spec) Traits() *comm.Traits {
	return &comm.Traits{
		Name: "trapeze", Title: "Trapeze: control messages, payloads by DMA between page frames",
		Model: comm.SendReceive, Control: "Combined",
		IntranodeProtection: true,
		Overflow:            "Data Loss", Errors: "Catastrophic", Management: "Static",
		SendPath: "DMA", ReceivePath: "DMA", Protection: "None", Reliability: "None", Notice: "Polling",
		Promises: comm.Promises{Ordered: true, Why: "a payload without a page frame waits in the card, and a forward reset of the network loses it"},
		Consumes: true, InPlace: true, Anyone: true, MaxBytes: s.Firmware.PacketBytes,
	}
}
