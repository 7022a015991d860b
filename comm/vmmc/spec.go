package vmmc

import "github.com/sigview/sigview/internal/bounds"

// Spec is the layer's part of a platform profile: sizes, and what each step
// costs the interface processor (cycles) and the host (µs).
type Spec struct {
	InlineBytes  int `toml:"inline_bytes"`  // largest message whose data rides in the request
	PacketBytes  int `toml:"packet_bytes"`  // largest payload of a packet, a page
	HeaderBytes  int `toml:"header_bytes"`  // of a data packet on the wire, CRC included
	ControlBytes int `toml:"control_bytes"` // of an acknowledgement on the wire
	RequestWords int `toml:"request_words"` // of a request without data and probe words

	SendSlots     int     `toml:"send_slots"`      // messages in progress in the control program; of several, one may overtake another
	SendBuffers   int     `toml:"send_buffers"`    // packets kept in SRAM until acknowledged
	Window        int     `toml:"window"`          // of them for one peer
	RetransmitUs  float64 `toml:"retransmit_us"`   // time without acknowledgement
	BackoffLimit  int     `toml:"backoff_limit"`   // doublings of that time
	RerouteAfter  int     `toml:"reroute_after"`   // timeouts in a row until another route is looked for; 0: never
	TLBEntries    int     `toml:"tlb_entries"`     // translations cached in SRAM, per direction
	TLBEntryBytes int     `toml:"tlb_entry_bytes"` // bytes of SRAM of one

	Host     HostCosts `toml:"host"`
	Firmware Cycles    `toml:"firmware"`
}

// HostCosts are what the library costs the host processor beside its
// programmed I/O, in µs.
type HostCosts struct {
	SendUs float64 `toml:"send_us"` // entering send, checks, building the request
}

// Cycles are what the steps of the control program cost, in processor cycles.
type Cycles struct {
	TakeRequest   int `toml:"take_request"`   // parse a request, check its import
	InlineData    int `toml:"inline_data"`    // move the data of a request, a block of fixed length, into a send buffer
	TranslateHit  int `toml:"translate_hit"`  // page found in the cache
	TranslateMiss int `toml:"translate_miss"` // page fetched from the table in host memory
	BuildHeader   int `toml:"build_header"`   // route, addresses, sequence number
	NextPacket    int `toml:"next_packet"`    // go on with a message of several packets
	Injected      int `toml:"injected"`       // S engine done: scoreboard, end of message
	Demultiplex   int `toml:"demultiplex"`    // a packet has arrived: kind, CRC status
	Accept        int `toml:"accept"`         // sequence number, destination, protection
	Deposited     int `toml:"deposited"`      // data is in host memory
	BuildAck      int `toml:"build_ack"`      // make an acknowledgement
	TakeAck       int `toml:"take_ack"`       // handle one, free its packets
	Notify        int `toml:"notify"`         // raise a host interrupt
	Retransmit    int `toml:"retransmit"`     // send one packet again
	Timer         int `toml:"timer"`          // look for packets that are overdue
	RouteProbe    int `toml:"route_probe"`    // try one route to a peer, with the wait for its answer
}

// Validate reports the first field that is out of range.
func (s *Spec) Validate() error {
	f := &s.Firmware
	return bounds.Check("vmmc",
		bounds.Number("inline_bytes", s.InlineBytes, 0, inlineMax),
		bounds.Number("packet_bytes", s.PacketBytes, 64, 4096),
		bounds.Number("header_bytes", s.HeaderBytes, 8, 256),
		bounds.Number("control_bytes", s.ControlBytes, 8, 256),
		bounds.Number("request_words", s.RequestWords, 1, 64),
		bounds.Number("send_slots", s.SendSlots, 1, 64),
		bounds.Number("send_buffers", s.SendBuffers, 2, 4096),
		bounds.Number("window", s.Window, 1, float64(s.SendBuffers)),
		bounds.Number("retransmit_us", s.RetransmitUs, 10, 1e7),
		bounds.Number("backoff_limit", s.BackoffLimit, 0, 16),
		bounds.Number("reroute_after", s.RerouteAfter, 0, giveUp),
		bounds.Number("tlb_entries", s.TLBEntries, 1, 1<<20),
		bounds.Number("tlb_entry_bytes", s.TLBEntryBytes, 4, 64),
		bounds.Number("host.send_us", s.Host.SendUs, 0, 1000),
		bounds.Number("firmware.take_request", f.TakeRequest, 0, 1e5),
		bounds.Number("firmware.inline_data", f.InlineData, 0, 1e5),
		bounds.Number("firmware.translate_hit", f.TranslateHit, 0, 1e5),
		bounds.Number("firmware.translate_miss", f.TranslateMiss, 0, 1e5),
		bounds.Number("firmware.build_header", f.BuildHeader, 0, 1e5),
		bounds.Number("firmware.next_packet", f.NextPacket, 0, 1e5),
		bounds.Number("firmware.injected", f.Injected, 0, 1e5),
		bounds.Number("firmware.demultiplex", f.Demultiplex, 0, 1e5),
		bounds.Number("firmware.accept", f.Accept, 0, 1e5),
		bounds.Number("firmware.deposited", f.Deposited, 0, 1e5),
		bounds.Number("firmware.build_ack", f.BuildAck, 0, 1e5),
		bounds.Number("firmware.take_ack", f.TakeAck, 0, 1e5),
		bounds.Number("firmware.notify", f.Notify, 0, 1e5),
		bounds.Number("firmware.retransmit", f.Retransmit, 0, 1e5),
		bounds.Number("firmware.timer", f.Timer, 0, 1e5),
		bounds.Number("firmware.route_probe", f.RouteProbe, 0, 1e5),
	)
}
