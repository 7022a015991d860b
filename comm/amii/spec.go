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
	DescriptorWords int          `toml:"descriptor_words" range:"1..64"`   // stored with a request besides its data
	HostHeaderBytes int          `toml:"host_header_bytes" range:"4..256"` // of a packet, written into the region besides its data
	Timeout         sim.Duration `toml:"timeout_us" range:"1..1e7"`        // until the first retransmission of a request; doubles with each try
	Tries           int          `toml:"tries" range:"1..16"`              // until a request returns to its sender
	MapAfter        int          `toml:"map_after" range:"0..16"`          // successive timeouts until the route is probed and the network mapped; 0: never

	Host Host `toml:"host"`

	firmware.Section
}

// Host is the library's CPU times besides stores to the card and copies.
type Host struct {
	Send    sim.Duration `toml:"send_us" range:"0..1000"`    // of a request or reply: number, header, time of the copy
	Receive sim.Duration `toml:"receive_us" range:"0..1000"` // of one that has arrived: header, number, dispatch
	Poll    sim.Duration `toml:"poll_us" range:"0..1000"`    // a poll that finds nothing
	Probe   sim.Duration `toml:"probe_us" range:"0..1e5"`    // to try a route or a link, with the wait for its answer
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error { return bounds.Check("amii", s) }

// Traits returns the properties of AM-II (userspace, Tables 1 and 2). It does not
// share code with rpc's similar ones, because each layer states its own row of the
// tables.
func (s *Spec) Traits() *comm.Traits {
	return &comm.Traits{
		Name: "amii", Title: "Active Messages II: protected requests and replies, reliable in the library",
		Model: comm.RPC, Requests: true, Control: "Combined",
		IntranodeProtection: true, InternodeProtection: true, Multiprogramming: true,
		Overflow: "Prevented", Errors: "Tolerated", Management: "Dynamic/Full",
		SendPath: "PIO(WC)", ReceivePath: "DMA+Copy", Protection: "Copy", Reliability: "Library+Copy", Notice: "Polling",
		Promises: comm.Kept, Kinds: []trace.Kind{trace.Reply}, Synchronous: true, Consumes: true, Anyone: true, MaxBytes: s.Firmware.PacketBytes,
	}
}
