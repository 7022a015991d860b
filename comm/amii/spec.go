package amii

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/ni"
)

// Spec is the layer's part of a platform profile.
type Spec struct {
	Credits         int     `toml:"credits"`           // requests to one peer without reply
	DescriptorWords int     `toml:"descriptor_words"`  // stored with a request beside its data
	HostHeaderBytes int     `toml:"host_header_bytes"` // of a packet, written into the region beside its data
	TimeoutUs       float64 `toml:"timeout_us"`        // until a request is sent again the first time; doubles with each try
	Tries           int     `toml:"tries"`             // until a request returns to its sender
	MapAfter        int     `toml:"map_after"`         // timeouts in a row until the route is probed and the network mapped; 0: never

	Host     Host          `toml:"host"`
	Firmware firmware.Spec `toml:"firmware"`
}

// Host is what the library costs beside stores to the card and copies, µs.
type Host struct {
	SendUs    float64 `toml:"send_us"`    // of a request or reply: number, header, time of the copy
	ReceiveUs float64 `toml:"receive_us"` // of one that has come: header, number, dispatch
	PollUs    float64 `toml:"poll_us"`    // a look that finds nothing
	ProbeUs   float64 `toml:"probe_us"`   // to try a route or a link, with the wait for its answer
}

// Validate reports the first field that is out of range.
func (s *Spec) Validate() error {
	if err := bounds.Check("amii",
		bounds.Number("credits", s.Credits, 1, 1024),
		bounds.Number("descriptor_words", s.DescriptorWords, 1, 64),
		bounds.Number("host_header_bytes", s.HostHeaderBytes, 4, 256),
		bounds.Number("timeout_us", s.TimeoutUs, 1, 1e7),
		bounds.Number("tries", s.Tries, 1, 16),
		bounds.Number("map_after", s.MapAfter, 0, 16),
		bounds.Number("host.send_us", s.Host.SendUs, 0, 1000),
		bounds.Number("host.receive_us", s.Host.ReceiveUs, 0, 1000),
		bounds.Number("host.poll_us", s.Host.PollUs, 0, 1000),
		bounds.Number("host.probe_us", s.Host.ProbeUs, 0, 1e5),
	); err != nil {
		return err
	}
	return s.Firmware.Validate("amii.firmware")
}

// Traits says what AM-II is: userspace, Tables 1 and 2.
func (s *Spec) Traits() *comm.Traits {
	return &comm.Traits{
		Name: "amii", Title: "Active Messages II: protected requests and replies, reliable in the library",
		Model: comm.RPC, Control: "Combined",
		IntranodeProtection: true, InternodeProtection: true, Multiprogramming: true,
		Overflow: "Prevented", Errors: "Tolerated", Management: "Dynamic/Full",
		SendPath: "PIO(WC)", ReceivePath: "DMA+Copy", Protection: "Copy", Reliability: "Library+Copy", Notice: "Polling",
		Synchronous: true, Consumes: true, Anyone: true, MaxBytes: s.Firmware.PacketBytes,
	}
}

// Payload is the most data that a packet carries, bytes.
func (s *Spec) Payload() int { return s.Firmware.PacketBytes }

// Shape divides the card's queues.
func (s *Spec) Shape(card ni.Spec, probeWords int) ni.Spec { return s.Firmware.Shape(card, probeWords) }
