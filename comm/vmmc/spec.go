package vmmc

import (
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
)

// Spec is the layer's part of a platform profile: sizes, and the cost of each
// step on the interface processor (cycles) and the host (µs).
type Spec struct {
	InlineBytes  int `toml:"inline_bytes" range:"0..64"`    // largest message whose data is inline in the request
	PacketBytes  int `toml:"packet_bytes" range:"64..4096"` // largest payload of a packet, a page
	HeaderBytes  int `toml:"header_bytes" range:"8..256"`   // of a data packet on the wire, CRC included
	ControlBytes int `toml:"control_bytes" range:"8..256"`  // of an acknowledgement on the wire
	RequestWords int `toml:"request_words" range:"1..64"`   // of a request without data and probe words

	SendSlots     int          `toml:"send_slots" range:"1..64"`       // messages in progress in the control program; their packets leave in order
	SendBuffers   int          `toml:"send_buffers" range:"2..4096"`   // packets kept in SRAM until acknowledged
	Window        int          `toml:"window" range:"1..send_buffers"` // of them for one peer
	Retransmit    sim.Duration `toml:"retransmit_us" range:"10..1e7"`  // time without acknowledgement
	BackoffLimit  int          `toml:"backoff_limit" range:"0..16"`    // doublings of that time
	RerouteAfter  int          `toml:"reroute_after" range:"0..100"`   // successive timeouts before a search for another route; 0: never
	TLBEntries    int          `toml:"tlb_entries" range:"1..1048576"` // translations cached in SRAM, per direction
	TLBEntryBytes int          `toml:"tlb_entry_bytes" range:"4..64"`  // bytes of SRAM of one

	Host     HostCosts `toml:"host"`
	Firmware Cycles    `toml:"firmware"`
}

// HostCosts are the library's CPU times besides programmed I/O.
type HostCosts struct {
	Send sim.Duration `toml:"send_us" range:"0..1000"` // entering send, checks, building the request
}

// Cycles are the costs of the control program's steps, in processor cycles.
type Cycles struct {
	TakeRequest   int `toml:"take_request" range:"0..1e5"`   // parse a request, check its import
	InlineData    int `toml:"inline_data" range:"0..1e5"`    // move the data of a request, a block of fixed length, into a send buffer
	TranslateHit  int `toml:"translate_hit" range:"0..1e5"`  // page found in the cache
	TranslateMiss int `toml:"translate_miss" range:"0..1e5"` // page fetched from the table in host memory
	BuildHeader   int `toml:"build_header" range:"0..1e5"`   // route, addresses, sequence number
	Keep          int `toml:"keep" range:"0..1e5"`           // note a packet that is being sent, until its acknowledgement: sequence, timer, buffer
	NextPacket    int `toml:"next_packet" range:"0..1e5"`    // continue a message of several packets
	Injected      int `toml:"injected" range:"0..1e5"`       // S engine done: scoreboard, end of message
	Demultiplex   int `toml:"demultiplex" range:"0..1e5"`    // a packet has arrived: kind, checksum, sequence number, destination, protection
	Deposited     int `toml:"deposited" range:"0..1e5"`      // data is in host memory
	BuildAck      int `toml:"build_ack" range:"0..1e5"`      // make an acknowledgement
	TakeAck       int `toml:"take_ack" range:"0..1e5"`       // handle one, free its packets
	Notify        int `toml:"notify" range:"0..1e5"`         // raise a host interrupt
	Retransmit    int `toml:"retransmit" range:"0..1e5"`     // send one packet again
	Timer         int `toml:"timer" range:"0..1e5"`          // check for overdue packets
	RouteProbe    int `toml:"route_probe" range:"0..1e5"`    // try one route to a peer, with the wait for its answer
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error { return bounds.Check("vmmc", s) }
