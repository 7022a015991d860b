package rpc

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Spec is the layer's part of a platform profile.
type Spec struct {
	Window       int          `toml:"window" range:"1..1024"`         // calls to one peer without reply
	Timeout      sim.Duration `toml:"timeout_us" range:"1..1e8"`      // until the first repetition of a call; doubles with each try
	Tries        int          `toml:"tries" range:"1..16"`            // until a call fails
	RingFrames   int          `toml:"ring_frames" range:"1..65536"`   // frames that the controller has delivered and the kernel has not handled
	SocketFrames int          `toml:"socket_frames" range:"1..65536"` // frames that wait for their process

	Host Host `toml:"host"`

	firmware.Section
}

// Host is the CPU time of software besides copies and the interrupt itself.
type Host struct {
	Call    sim.Duration `toml:"call_us" range:"0..1e5"`    // the caller's table and timer
	Send    sim.Duration `toml:"send_us" range:"0..1e5"`    // marshalling, system call, UDP, IP, driver: calls and replies
	Arrive  sim.Duration `toml:"arrive_us" range:"0..1e5"`  // in the interrupt: driver, IP, UDP, socket
	Receive sim.Duration `toml:"receive_us" range:"0..1e5"` // system call, unmarshalling, dispatch
	Poll    sim.Duration `toml:"poll_us" range:"0..1e5"`    // system call that finds nothing
	Wake    sim.Duration `toml:"wake_us" range:"0..1e5"`    // a process that was blocked runs again
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error { return bounds.Check("rpc", s) }

// Traits returns the properties of RPC, which is not in the published tables. It
// states its own row, as amii does.
func (s *Spec) Traits() *comm.Traits {
	return &comm.Traits{
		Name: "rpc", Title: "asynchronous RPC: requests and replies by the kernel's datagrams",
		Model: comm.RPC, Requests: true, Control: "Combined",
		IntranodeProtection: true, InternodeProtection: true, Multiprogramming: true,
		Overflow: "Tolerated", Errors: "Tolerated", Management: "Dynamic/Demand",
		SendPath: "DMA+Copy", ReceivePath: "DMA+Copy", Protection: "Copy", Reliability: "Library+Copy", Notice: "Interrupt",
		Promises: comm.Kept, Kinds: []trace.Kind{trace.Reply}, Synchronous: true, Consumes: true, Anyone: true, MaxBytes: s.Firmware.PacketBytes,
	}
}
