package pm

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
)

// Spec is the layer's part of a platform profile. A packet of the control
// program is a message: the library cuts nothing.
type Spec struct {
	Buffers         int `toml:"buffers" range:"1..65536"`       // pinned receive buffers of a process
	CopyBuffers     int `toml:"copy_buffers" range:"1..1024"`   // pinned buffers through which it sends from other memory
	DescriptorWords int `toml:"descriptor_words" range:"1..64"` // of a request, stored by programmed I/O
	RecordBytes     int `toml:"record_bytes" range:"4..64"`     // besides a message in its receive buffer: the host polls it

	Host HostCosts `toml:"host"`
	Gang GangCosts `toml:"gang"`

	firmware.Section
}

// HostCosts are the library's CPU times besides programmed I/O and copies.
type HostCosts struct {
	Send    sim.Duration `toml:"send_us" range:"0..1000"`    // enter send, take a buffer, build the descriptor
	Receive sim.Duration `toml:"receive_us" range:"0..1000"` // find an arrived message and return it
}

// GangCosts are the times to give the interface to another process.
type GangCosts struct {
	Drain  sim.Duration `toml:"drain_us" range:"1..1e6"`  // no request starts, while packets in flight arrive
	Switch sim.Duration `toml:"switch_us" range:"0..1e6"` // saving the interface's state and restoring the other process's
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error { return bounds.Check("pm", s) }

// Traits returns the properties of PM (userspace, Tables 1 and 2).
func (s *Spec) Traits() *comm.Traits {
	return &comm.Traits{
		Name: "pm", Title: "PM-1.2: messages by DMA from and into pinned buffers, one process at a time",
		Model: comm.SendReceive, Control: "Combined",
		IntranodeProtection: true, InternodeProtection: true, Multiprogramming: true,
		Overflow: "Tolerated", Errors: "Catastrophic", Management: "Static",
		SendPath: "DMA+Copy", ReceivePath: "DMA+Copy", Protection: "Gang Scheduling", Reliability: "None", Notice: "Polling",
		Promises: comm.Kept, Turns: true, Consumes: true, InPlace: true, Anyone: true, MaxBytes: s.Firmware.PacketBytes,
	}
}
