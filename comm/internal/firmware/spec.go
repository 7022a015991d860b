package firmware

import (
	"fmt"

	"github.com/sigview/sigview/ni"
)

// Spec is the control program's part of a layer's section in a profile: its
// division of SRAM and the costs of its steps.
type Spec struct {
	PacketBytes    int  `toml:"packet_bytes" range:"8..262144"`   // largest payload of a packet
	HeaderBytes    int  `toml:"header_bytes" range:"4..256"`      // of a packet on the wire: route, type, header, CRC
	ControlBytes   int  `toml:"control_bytes" range:"4..256"`     // of a packet that the control program makes by itself
	RequestSlots   int  `toml:"request_slots" range:"1..65536"`   // entries of the request queue
	RequestBytes   int  `toml:"request_bytes" range:"16..262144"` // SRAM per entry: descriptor and inline data
	SendPackets    int  `toml:"send_packets" range:"1..64"`       // packets between their fetch and the end of their injection
	ReceiveBuffers int  `toml:"receive_buffers" range:"1..65536"` // packets that the receive ring holds
	CutThrough     bool `toml:"cut_through"`                      // the S engine starts while the H engine still fetches the packet

	Cycles Cycles `toml:"cycles"`
}

// Cycles are the costs of the steps, in cycles of the interface processor.
type Cycles struct {
	TakeRequest int `toml:"take_request" range:"0..1e5"` // notice and parse a request
	InlineData  int `toml:"inline_data" range:"0..1e5"`  // make a packet of inline data
	BuildHeader int `toml:"build_header" range:"0..1e5"` // route, addresses, type
	Injected    int `toml:"injected" range:"0..1e5"`     // the S engine has finished
	Demultiplex int `toml:"demultiplex" range:"0..1e5"`  // a packet has arrived: kind, CRC status
	Accept      int `toml:"accept" range:"0..1e5"`       // find its target
	Delivered   int `toml:"delivered" range:"0..1e5"`    // it is visible to the host
	Control     int `toml:"control" range:"0..1e5"`      // make or handle a control packet
}

// Section is the common part of the sections of layers with such a control
// program.
type Section struct {
	Firmware Spec `toml:"firmware"`
}

// Payload returns the largest payload of a packet, bytes.
func (s *Section) Payload() int { return s.Firmware.PacketBytes }

// Shape returns a card whose queues are divided for the control program;
// probeWords is the number of words that a monitor adds to a header.
func (s *Section) Shape(card ni.Spec, probeWords int) ni.Spec {
	f := &s.Firmware
	card.RequestSlots, card.RequestBytes = f.RequestSlots, f.RequestBytes
	card.ReceiveBuffers, card.BufferBytes = f.ReceiveBuffers, f.PacketBytes+f.HeaderBytes+4*probeWords
	return card
}

// fits returns an error if a card cannot run the control program.
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
