package rpc

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/ni"
)

// Spec is the layer's part of a platform profile.
type Spec struct {
	Window       int     `toml:"window"`        // calls to one peer without reply
	TimeoutUs    float64 `toml:"timeout_us"`    // until a call is repeated the first time; doubles with each try
	Tries        int     `toml:"tries"`         // until a call fails
	RingFrames   int     `toml:"ring_frames"`   // that the controller may have brought before the kernel looks
	SocketFrames int     `toml:"socket_frames"` // that wait for their process

	Host     Host          `toml:"host"`
	Firmware firmware.Spec `toml:"firmware"`
}

// Host is what software costs beside copies and the interrupt itself, µs.
type Host struct {
	CallUs    float64 `toml:"call_us"`    // the caller's table and timer
	SendUs    float64 `toml:"send_us"`    // marshalling, system call, UDP, IP, driver: calls and replies
	ArriveUs  float64 `toml:"arrive_us"`  // in the interrupt: driver, IP, UDP, socket
	ReceiveUs float64 `toml:"receive_us"` // system call, unmarshalling, dispatch
	PollUs    float64 `toml:"poll_us"`    // system call that finds nothing
	WakeUs    float64 `toml:"wake_us"`    // a process that was blocked runs again
}

// Validate reports the first field that is out of range.
func (s *Spec) Validate() error {
	h := &s.Host
	if err := bounds.Check("rpc",
		bounds.Number("window", s.Window, 1, 1024),
		bounds.Number("timeout_us", s.TimeoutUs, 1, 1e8),
		bounds.Number("tries", s.Tries, 1, 16),
		bounds.Number("ring_frames", s.RingFrames, 1, 1<<16),
		bounds.Number("socket_frames", s.SocketFrames, 1, 1<<16),
		bounds.Number("host.call_us", h.CallUs, 0, 1e5),
		bounds.Number("host.send_us", h.SendUs, 0, 1e5),
		bounds.Number("host.arrive_us", h.ArriveUs, 0, 1e5),
		bounds.Number("host.receive_us", h.ReceiveUs, 0, 1e5),
		bounds.Number("host.poll_us", h.PollUs, 0, 1e5),
		bounds.Number("host.wake_us", h.WakeUs, 0, 1e5),
	); err != nil {
		return err
	}
	return s.Firmware.Validate("rpc.firmware")
}

// Traits says what RPC is. The published tables do not have it.
func (s *Spec) Traits() *comm.Traits {
	return &comm.Traits{
		Name: "rpc", Title: "asynchronous RPC: requests and replies by the kernel's datagrams",
		Model: comm.RPC, Control: "Combined",
		IntranodeProtection: true, InternodeProtection: true, Multiprogramming: true,
		Overflow: "Tolerated", Errors: "Tolerated", Management: "Dynamic/Demand",
		SendPath: "DMA+Copy", ReceivePath: "DMA+Copy", Protection: "Copy", Reliability: "Library+Copy", Notice: "Interrupt",
		Synchronous: true, Consumes: true, Anyone: true, MaxBytes: s.Firmware.PacketBytes,
	}
}

// Payload is the most data that a frame carries, bytes.
func (s *Spec) Payload() int { return s.Firmware.PacketBytes }

// Shape divides the controller's memory.
func (s *Spec) Shape(card ni.Spec, probeWords int) ni.Spec { return s.Firmware.Shape(card, probeWords) }
