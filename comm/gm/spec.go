package gm

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
)

// Spec is the layer's part of a platform profile.
type Spec struct {
	SendTokens      int          `toml:"send_tokens" range:"1..1024"`         // messages of a port that are not acknowledged
	ReceiveTokens   int          `toml:"receive_tokens" range:"1..1024"`      // receive buffers of a port
	ReceiveBytes    int          `toml:"receive_bytes" range:"64..268435456"` // of memory in all of them, at most; at least two
	CopyBuffers     int          `toml:"copy_buffers" range:"1..1024"`        // for messages gathered from pieces
	DescriptorWords int          `toml:"descriptor_words" range:"1..64"`      // of a send, stored by programmed I/O
	EventBytes      int          `toml:"event_bytes" range:"4..256"`          // of a receive event
	FastBytes       int          `toml:"fast_bytes" range:"0..65536"`         // longest message that comes with its event
	Resend          sim.Duration `toml:"resend_us" range:"1..1e7"`            // until a packet without an answer is sent again
	Refused         sim.Duration `toml:"refused_us" range:"1..1e7"`           // until one that found no receive token is

	Host HostCosts `toml:"host"`

	firmware.Section
}

// HostCosts are the library's CPU times besides programmed I/O and copies.
type HostCosts struct {
	Send    sim.Duration `toml:"send_us" range:"0..1000"`    // enter send, take a token, build the descriptor
	Receive sim.Duration `toml:"receive_us" range:"0..1000"` // take an event out of the queue and return it
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error { return bounds.Check("gm", s) }

// Traits returns the properties of GM, in the words of the comparison of user-level
// communication, which does not cover it.
func (s *Spec) Traits() *comm.Traits {
	return &comm.Traits{
		Name: "gm", Title: "GM: tokens, registered memory, reliable connections between interfaces",
		Model: comm.SendReceive, Control: "Combined",
		IntranodeProtection: true, InternodeProtection: true, Multiprogramming: true,
		Overflow: "Prevented", Errors: "Tolerated", Management: "Dynamic/Full",
		SendPath: "DMA+v2p trans", ReceivePath: "DMA+v2p trans", Protection: "v2p trans", Reliability: "Firmware", Notice: "Polling",
		Promises: comm.Kept, Consumes: true, InPlace: true, Anyone: true,
	}
}
