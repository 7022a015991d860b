package amii

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Spec is the layer's part of a platform profile.
type Spec struct {
	Credits         int          `toml:"credits" range:"1..1024"`          // requests to one peer without reply
	DescriptorWords int          `toml:"descriptor_words" range:"1..64"`   // stored with a request beside its data
	HostHeaderBytes int          `toml:"host_header_bytes" range:"4..256"` // of a packet, written into the region beside its data
	Timeout         sim.Duration `toml:"timeout_us" range:"1..1e7"`        // until a request is sent again the first time; doubles with each try
	Tries           int          `toml:"tries" range:"1..16"`              // until a request returns to its sender
	MapAfter        int          `toml:"map_after" range:"0..16"`          // timeouts in a row until the route is probed and the network mapped; 0: never

	Host Host `toml:"host"`

	firmware.Section
}

// Host is what the library costs beside stores to the card and copies.
type Host struct {
	Send    sim.Duration `toml:"send_us" range:"0..1000"`    // of a request or reply: number, header, time of the copy
	Receive sim.Duration `toml:"receive_us" range:"0..1000"` // of one that has come: header, number, dispatch
	Poll    sim.Duration `toml:"poll_us" range:"0..1000"`    // a look that finds nothing
	Probe   sim.Duration `toml:"probe_us" range:"0..1e5"`    // to try a route or a link, with the wait for its answer
}

// Validate reports the first field that is not allowed.
func (s *Spec) Validate() error { return bounds.Check("amii", s) }

// Traits says what AM-II is: userspace, Tables 1 and 2. It shares no words with
// those of rpc, which say much the same: each layer states its own row of the tables.
func (s *Spec) Traits() *comm.Traits {
	return &comm.Traits{
		Name: "amii", Title: "Active Messages II: protected requests and replies, reliable in the library",
		Model: comm.RPC, Control: "Combined",
		IntranodeProtection: true, InternodeProtection: true, Multiprogramming: true,
		Overflow: "Prevented", Errors: "Tolerated", Management: "Dynamic/Full",
		SendPath: "PIO(WC)", ReceivePath: "DMA+Copy", Protection: "Copy", Reliability: "Library+Copy", Notice: "Polling",
		Promises: comm.Kept, Kinds: []trace.Kind{trace.Reply}, Synchronous: true, Consumes: true, Anyone: true, MaxBytes: s.Firmware.PacketBytes,
	}
}
