package vmmc

import "fmt"

// Spec is the layer's part of a platform profile: sizes, and what each step
// costs the interface processor (cycles) and the host (µs).
type Spec struct {
	InlineBytes  int `toml:"inline_bytes"`  // largest message whose data rides in the request
	PacketBytes  int `toml:"packet_bytes"`  // largest payload of a packet, a page
	HeaderBytes  int `toml:"header_bytes"`  // of a data packet on the wire, CRC included
	ControlBytes int `toml:"control_bytes"` // of an acknowledgement on the wire
	RequestWords int `toml:"request_words"` // of a request without data and probe words

	SendSlots     int     `toml:"send_slots"`      // messages in progress in the control program
	SendBuffers   int     `toml:"send_buffers"`    // packets kept in SRAM until acknowledged
	Window        int     `toml:"window"`          // of them for one peer
	RetransmitUs  float64 `toml:"retransmit_us"`   // time without acknowledgement
	BackoffLimit  int     `toml:"backoff_limit"`   // doublings of that time
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
}

// Validate reports the first field that is out of range.
func (s *Spec) Validate() error {
	f := &s.Firmware
	for _, c := range []struct {
		name   string
		value  float64
		lo, hi float64
	}{
		{"inline_bytes", float64(s.InlineBytes), 0, inlineMax},
		{"packet_bytes", float64(s.PacketBytes), 64, 4096},
		{"header_bytes", float64(s.HeaderBytes), 8, 256},
		{"control_bytes", float64(s.ControlBytes), 8, 256},
		{"request_words", float64(s.RequestWords), 1, 64},
		{"send_slots", float64(s.SendSlots), 1, 64},
		{"send_buffers", float64(s.SendBuffers), 2, 4096},
		{"window", float64(s.Window), 1, float64(s.SendBuffers)},
		{"retransmit_us", s.RetransmitUs, 10, 1e7},
		{"backoff_limit", float64(s.BackoffLimit), 0, 16},
		{"tlb_entries", float64(s.TLBEntries), 1, 1 << 20},
		{"tlb_entry_bytes", float64(s.TLBEntryBytes), 4, 64},
		{"host.send_us", s.Host.SendUs, 0, 1000},
		{"firmware.take_request", float64(f.TakeRequest), 0, 1e5},
		{"firmware.inline_data", float64(f.InlineData), 0, 1e5},
		{"firmware.translate_hit", float64(f.TranslateHit), 0, 1e5},
		{"firmware.translate_miss", float64(f.TranslateMiss), 0, 1e5},
		{"firmware.build_header", float64(f.BuildHeader), 0, 1e5},
		{"firmware.next_packet", float64(f.NextPacket), 0, 1e5},
		{"firmware.injected", float64(f.Injected), 0, 1e5},
		{"firmware.demultiplex", float64(f.Demultiplex), 0, 1e5},
		{"firmware.accept", float64(f.Accept), 0, 1e5},
		{"firmware.deposited", float64(f.Deposited), 0, 1e5},
		{"firmware.build_ack", float64(f.BuildAck), 0, 1e5},
		{"firmware.take_ack", float64(f.TakeAck), 0, 1e5},
		{"firmware.notify", float64(f.Notify), 0, 1e5},
		{"firmware.retransmit", float64(f.Retransmit), 0, 1e5},
		{"firmware.timer", float64(f.Timer), 0, 1e5},
	} {
		if !(c.value >= c.lo && c.value <= c.hi) {
			return fmt.Errorf("vmmc.%s is %v, want %v to %v", c.name, c.value, c.lo, c.hi)
		}
	}
	return nil
}
