package datagram

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
)

// Spec is the layer's part of a platform profile. A packet of the control program is a whole
// message.
type Spec struct {
	Spin    bool `toml:"spin"`                          // receivers wait in a loop; otherwise they are blocked
	Receive int  `toml:"receive_cycles" range:"0..1e5"` // of a call that finds a message, without the copy

	Host Host `toml:"host"`

	firmware.Section
}

// Host is the CPU time of calls besides what the interface stands for.
type Host struct {
	Wake   sim.Duration `toml:"wake_us" range:"0..1e5"`   // until a receiver that was blocked runs again
	Return sim.Duration `toml:"return_us" range:"0..1e5"` // of a send whose data is in kernel memory, until it returns
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error { return bounds.Check("datagram", s) }

// Traits returns the properties of the layer, in the words of the comparison of
// user-level communication, which does not cover it.
func (s *Spec) Traits() *comm.Traits {
	return &comm.Traits{
		Name: "datagram", Title: "datagrams through the kernels of real hosts",
		Model: comm.SendReceive, Control: "Combined",
		IntranodeProtection: true,
		Overflow:            "Prevented", Errors: "Catastrophic", Management: "Static",
		SendPath: "DMA", ReceivePath: "DMA", Protection: "Copy", Reliability: "None", Notice: "Interrupt",
		Promises: comm.Kept, Synchronous: true, Consumes: true, InPlace: true, Anyone: true, MaxBytes: s.Firmware.PacketBytes,
	}
}
