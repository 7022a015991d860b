package grim

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/tpil"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Spec is the layer's part of a platform profile.
type Spec struct {
	Channels      int `toml:"channels" range:"1..64"`                // logical channels that processes send by
	MTUBytes      int `toml:"mtu_bytes" range:"64..262144"`          // largest payload of a packet
	FragmentBytes int `toml:"fragment_bytes" range:"64..262144"`     // largest payload in use: the library cuts longer messages
	SegmentBytes  int `toml:"segment_bytes" range:"16..262144"`      // payload that the host stores between two updates of its counter
	ChannelBytes  int `toml:"channel_bytes" range:"128..1073741824"` // SRAM of a channel: its messages until they are acknowledged

	SenderCutThrough   bool `toml:"sender_cut_through"`   // the interface sends a fragment from its first segment on
	ReceiverCutThrough bool `toml:"receiver_cut_through"` // the DMA to the host follows the arrival, once the header is decoded
	Overlap            bool `toml:"overlap"`              // scoreboard after the start of the DMA, decoding from the header on

	HeaderBytes     int `toml:"header_bytes" range:"16..1024"`     // of a packet on the wire
	ControlBytes    int `toml:"control_bytes" range:"4..1024"`     // of an answer
	DescriptorWords int `toml:"descriptor_words" range:"1..64"`    // header as the host stores it
	Scoreboard      int `toml:"scoreboard" range:"1..4096"`        // messages without answer
	ReceiveBuffers  int `toml:"receive_buffers" range:"1..65536"`  // packets that the receive ring holds
	FIFOBytes       int `toml:"fifo_bytes" range:"256..268435456"` // pinned memory of a process for active messages
	RecordBytes     int `toml:"record_bytes" range:"4..64"`        // beside the payload of an active message in the FIFO
	CachePages      int `toml:"cache_pages" range:"1..1048576"`    // translations that the interface keeps
	CacheEntryBytes int `toml:"cache_entry_bytes" range:"4..64"`   // SRAM of one

	Retry   sim.Duration `toml:"retry_us" range:"1..1e6"`   // from an answer that there is no room to the next try
	Timeout sim.Duration `toml:"timeout_us" range:"1..1e8"` // from a message to its repetition without an answer

	VirtualDeposits bool `toml:"virtual_deposits"` // programs deposit by virtual address, else by physical address

	Host     HostCosts `toml:"host"`
	Firmware Firmware  `toml:"firmware"`
	Memory   Memory    `toml:"memory"`

	Injection *tpil.Spec `toml:"-"` // the platform's library; nil: combined stores only
}

// HostCosts are the library's CPU times besides stores to the interface and copies.
type HostCosts struct {
	Send    sim.Duration `toml:"send_us" range:"0..1000"`    // enter a send, build the header of a fragment
	Receive sim.Duration `toml:"receive_us" range:"0..1000"` // take a message from the FIFO, call its handler
}

// Firmware are the times of the control program's steps (Tables 5.1 and 5.2).
type Firmware struct {
	Detect     sim.Duration `toml:"detect_us" range:"0..1000"`      // find a new message, with one channel
	Channel    sim.Duration `toml:"channel_us" range:"0..1000"`     // for each further channel
	SetValues  sim.Duration `toml:"set_values_us" range:"0..1000"`  // sequence number and token
	Scoreboard sim.Duration `toml:"scoreboard_us" range:"0..1000"`  // enter a message
	Decode     sim.Duration `toml:"decode_us" range:"0..1000"`      // header of an arriving packet
	Sequence   sim.Duration `toml:"sequence_us" range:"0..1000"`    // check of the number
	Capacity   sim.Duration `toml:"capacity_us" range:"0..1000"`    // check of the room at the endpoint
	Answer     sim.Duration `toml:"answer_us" range:"0..1000"`      // make an ACK or a NACK
	TakeAnswer sim.Duration `toml:"take_answer_us" range:"0..1000"` // handle one
	Pointer    sim.Duration `toml:"pointer_us" range:"0..1000"`     // advance the queue pointer, to the host's order of bytes
}

// Memory are the times of remote memory operations (Table 5.3), beside those of Firmware.
type Memory struct {
	Hit       sim.Duration `toml:"hit_us" range:"0..1000"`       // search the cache for a page that is there
	Miss      sim.Duration `toml:"miss_us" range:"0..1000"`      // for one that is not
	Translate sim.Duration `toml:"translate_us" range:"0..1000"` // the host's driver translates one page and writes it into the interface
	Page      sim.Duration `toml:"page_us" range:"0..1000"`      // each further page of the same request
	Lock      sim.Duration `toml:"lock_us" range:"0..1000"`      // the processor's part of a lock update, beside translation and DMA
	Notify    sim.Duration `toml:"notify_us" range:"0..1000"`    // tell the host of a deposit
}

// Validate returns an error that names the first field out of range, or the rule that a
// combination of options breaks.
func (s *Spec) Validate() error {
	if err := bounds.Check("grim", s); err != nil {
		return err
	}
	pages := (s.FragmentBytes-1)/host.PageBytes + 2
	switch {
	case s.FragmentBytes > s.MTUBytes:
		return bounds.Wrong("grim.fragment_bytes", s.FragmentBytes, "at most mtu_bytes = %d: a fragment is a packet", s.MTUBytes)
	case s.SenderCutThrough && 2*s.SegmentBytes > s.FragmentBytes:
		return bounds.Wrong("grim.segment_bytes", s.SegmentBytes,
			"at most half of fragment_bytes = %d with sender_cut_through: a fragment of one segment leaves nothing to send while the rest comes", s.FragmentBytes)
	case s.ReceiverCutThrough && !s.Overlap:
		return bounds.Wrong("grim.receiver_cut_through", true, "overlap = true: the header is decoded before the rest has come")
	case s.ChannelBytes < s.FragmentBytes+s.HeaderBytes:
		return bounds.Wrong("grim.channel_bytes", s.ChannelBytes, "at least a fragment and its header, %d B", s.FragmentBytes+s.HeaderBytes)
	case s.FIFOBytes < 2*s.slot(s.FragmentBytes):
		return bounds.Wrong("grim.fifo_bytes", s.FIFOBytes, "at least two fragments with their records, %d B: otherwise one may never fit", 2*s.slot(s.FragmentBytes))
	case s.CachePages < pages:
		return bounds.Wrong("grim.cache_pages", s.CachePages, "at least the %d pages of a fragment: its own translations must not replace one another", pages)
	}
	return nil
}

// slot returns the bytes that an active message of n bytes takes in the FIFO.
func (s *Spec) slot(n int) int { return (n + s.RecordBytes + 7) &^ 7 }

// Payload returns the largest payload of a packet, bytes.
func (s *Spec) Payload() int { return s.FragmentBytes }

// Shape returns a card whose request queue is the scoreboard; Build reserves the channels.
func (s *Spec) Shape(card ni.Spec, probeWords int) ni.Spec {
	card.RequestSlots, card.RequestBytes = s.Scoreboard, scoreboardBytes
	card.ReceiveBuffers, card.BufferBytes = s.ReceiveBuffers, s.FragmentBytes+s.HeaderBytes+4*probeWords
	return card
}

// scoreboardBytes is the SRAM of an entry: address, length, number, time.
const scoreboardBytes = 16

// Traits returns the properties of the layer.
func (s *Spec) Traits() *comm.Traits {
	return &comm.Traits{
		Name: "grim", Title: "GRIM: active messages and remote memory, reliable in the interface",
		Model: comm.SendReceive, Requests: true, Control: "Combined",
		IntranodeProtection: true, InternodeProtection: true, Multiprogramming: true,
		Overflow: "Tolerated", Errors: "Tolerated", Management: "Static",
		SendPath: "PIO(WC)", ReceivePath: "DMA", Protection: "PIO+Copy", Reliability: "Firmware", Notice: "Polling",
		Promises: comm.Kept, Synchronous: true, Consumes: true, InPlace: true, Anyone: true,
	}
}
