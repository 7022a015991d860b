package tcp

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Spec is the layer's part of a platform profile. A packet of the control program
// is a segment.
type Spec struct {
	SendBytes    int          `toml:"send_bytes" range:"1024..16777216"`    // of a socket: written and not acknowledged
	ReceiveBytes int          `toml:"receive_bytes" range:"1024..16777216"` // of a socket: arrived and not read
	FirstWindow  int          `toml:"first_window" range:"1..64"`           // segments in flight at the start
	AckDelay     sim.Duration `toml:"ack_delay_us" range:"0..1e6"`          // of an acknowledgement that waits for a segment to carry it
	FirstTimeout sim.Duration `toml:"first_timeout_us" range:"1..1e8"`      // until a segment is sent again, before a round trip has been timed
	LeastTimeout sim.Duration `toml:"least_timeout_us" range:"1..1e8"`      // afterwards, at least
	MostTimeout  sim.Duration `toml:"most_timeout_us" range:"1..1e9"`       // however often it is doubled
	Tries        int          `toml:"tries" range:"1..16"`                  // of a segment until its connection fails
	RingFrames   int          `toml:"ring_frames" range:"1..65536"`         // frames that the controller has delivered and the kernel has not handled

	Host Host `toml:"host"`

	firmware.Section
}

// Host is the CPU time of software besides copies and the interrupt itself.
type Host struct {
	Call    sim.Duration `toml:"call_us" range:"0..1e5"`    // a system call that reads or writes
	Poll    sim.Duration `toml:"poll_us" range:"0..1e5"`    // a system call that looks for readable sockets
	Segment sim.Duration `toml:"segment_us" range:"0..1e5"` // a segment sent: TCP, IP, driver
	Ack     sim.Duration `toml:"ack_us" range:"0..1e5"`     // an acknowledgement sent by itself
	Arrive  sim.Duration `toml:"arrive_us" range:"0..1e5"`  // a segment, in the interrupt: driver, IP, TCP
	Wake    sim.Duration `toml:"wake_us" range:"0..1e5"`    // a process that was blocked runs again
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error {
	if err := bounds.Check("tcp", s); err != nil {
		return err
	}
	if least := 2 * s.Firmware.PacketBytes; s.ReceiveBytes < least {
		return bounds.Wrong("tcp.receive_bytes", s.ReceiveBytes, "at least two segments, %d", least)
	}
	if least := max(s.FirstTimeout, s.LeastTimeout); s.MostTimeout < least {
		return bounds.Wrong("tcp.most_timeout_us", s.MostTimeout.Us(), "at least first_timeout_us and least_timeout_us, %v", least.Us())
	}
	return nil
}

// Traits returns the properties of TCP, which is not in the published tables. It
// states its own row, as rpc does.
func (s *Spec) Traits() *comm.Traits {
	return &comm.Traits{
		Name: "tcp", Title: "TCP: messages in byte streams of the kernel",
		Model: comm.SendReceive, Control: "Combined",
		IntranodeProtection: true, InternodeProtection: true, Multiprogramming: true,
		Overflow: "Prevented", Errors: "Tolerated", Management: "Dynamic/Demand",
		SendPath: "DMA+Copy", ReceivePath: "DMA+Copy", Protection: "Copy", Reliability: "Kernel+Copy", Notice: "Interrupt",
		Promises: comm.Kept, Kinds: []trace.Kind{trace.Credit}, Synchronous: true, Consumes: true, Anyone: true,
		Overtaking: true,
	}
}
