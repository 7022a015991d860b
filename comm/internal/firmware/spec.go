package firmware

import (
	"fmt"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/ni"
)

// Spec is the control program's part of a layer's section in a profile: how it
// divides SRAM, and what its steps cost.
type Spec struct {
	PacketBytes    int  `toml:"packet_bytes"`    // largest payload of a packet
	HeaderBytes    int  `toml:"header_bytes"`    // of a packet on the wire: route, type, header, CRC
	ControlBytes   int  `toml:"control_bytes"`   // of a packet that the control program makes by itself
	RequestSlots   int  `toml:"request_slots"`   // entries of the request queue
	RequestBytes   int  `toml:"request_bytes"`   // of SRAM per entry: descriptor, and data that comes with it
	SendPackets    int  `toml:"send_packets"`    // packets between their fetch and the end of their injection
	ReceiveBuffers int  `toml:"receive_buffers"` // packets that the receive ring holds
	CutThrough     bool `toml:"cut_through"`     // the S engine starts while the H engine still brings the packet

	Cycles Cycles `toml:"cycles"`
}

// Cycles are what the steps cost, in cycles of the interface processor.
type Cycles struct {
	TakeRequest int `toml:"take_request"` // see and parse a request
	InlineData  int `toml:"inline_data"`  // make a packet of data that came with the request
	BuildHeader int `toml:"build_header"` // route, addresses, type
	Injected    int `toml:"injected"`     // the S engine has finished
	Demultiplex int `toml:"demultiplex"`  // a packet has arrived: kind, CRC status
	Accept      int `toml:"accept"`       // where it goes
	Delivered   int `toml:"delivered"`    // it is where the host sees it
	Control     int `toml:"control"`      // make a packet of the control program's own, or handle one
}

// Validate reports the first field of the section that is out of range.
func (s *Spec) Validate(section string) error {
	c := &s.Cycles
	return bounds.Check(section,
		bounds.Number("packet_bytes", s.PacketBytes, 8, 1<<18),
		bounds.Number("header_bytes", s.HeaderBytes, 4, 256),
		bounds.Number("control_bytes", s.ControlBytes, 4, 256),
		bounds.Number("request_slots", s.RequestSlots, 1, 1<<16),
		bounds.Number("request_bytes", s.RequestBytes, 16, 1<<18),
		bounds.Number("send_packets", s.SendPackets, 1, 64),
		bounds.Number("receive_buffers", s.ReceiveBuffers, 1, 1<<16),
		bounds.Number("cycles.take_request", c.TakeRequest, 0, 1e5),
		bounds.Number("cycles.inline_data", c.InlineData, 0, 1e5),
		bounds.Number("cycles.build_header", c.BuildHeader, 0, 1e5),
		bounds.Number("cycles.injected", c.Injected, 0, 1e5),
		bounds.Number("cycles.demultiplex", c.Demultiplex, 0, 1e5),
		bounds.Number("cycles.accept", c.Accept, 0, 1e5),
		bounds.Number("cycles.delivered", c.Delivered, 0, 1e5),
		bounds.Number("cycles.control", c.Control, 0, 1e5),
	)
}

// Shape returns a card whose queues are divided as the control program wants
// them; probeWords are the words that a monitor adds to a header.
func (s *Spec) Shape(card ni.Spec, probeWords int) ni.Spec {
	card.RequestSlots, card.RequestBytes = s.RequestSlots, s.RequestBytes
	card.ReceiveBuffers, card.BufferBytes = s.ReceiveBuffers, s.PacketBytes+s.HeaderBytes+4*probeWords
	return card
}

// fits reports what a card cannot do for the control program.
func (s *Spec) fits(card *ni.Spec, section string) error {
	switch {
	case s.PacketBytes+s.HeaderBytes > card.BufferBytes:
		return fmt.Errorf("%s: packets of %d B and headers of %d B, want them to fit into a receive buffer of %d B", section, s.PacketBytes, s.HeaderBytes, card.BufferBytes)
	case s.CutThrough && card.NetDMAMBps > card.HostDMAToNIMBps:
		return fmt.Errorf("%s.cut_through with an S engine of %v MB/s and an H engine of %v MB/s: want the S engine to be no faster than what feeds it",
			section, card.NetDMAMBps, card.HostDMAToNIMBps)
	}
	return nil
}
