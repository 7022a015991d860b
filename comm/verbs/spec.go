package verbs

import (
	"cmp"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/verbs/dcqcn"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
)

// Spec is the layer's part of a platform profile: what a queue pair holds, how entries and packets
// look, and the times of host and card.
type Spec struct {
	MTU           int `toml:"mtu_bytes" range:"pow2 256..16384"` // most payload of a packet
	HeaderBytes   int `toml:"header_bytes" range:"20..256"`      // of a packet on the wire, with all that is not payload, and the gap
	ExtendedBytes int `toml:"extended_bytes" range:"0..64"`      // more of the packet that names remote memory, the first of an operation
	AckBytes      int `toml:"ack_bytes" range:"20..256"`         // of an acknowledgement on the wire

	EntryBytes      int `toml:"entry_bytes" range:"16..256"`       // of a work queue entry, without data
	InlineBytes     int `toml:"inline_bytes" range:"0..1024"`      // most data of a message in its entry
	BlueFlameBytes  int `toml:"blueflame_bytes" range:"0..1024"`   // longest entry that the CPU stores into the card; longer ones are fetched
	FetchEntries    int `toml:"fetch_entries" range:"1..64"`       // entries that the card reads at once, if they are there
	CompletionBytes int `toml:"completion_bytes" range:"16..128"`  // of a completion queue entry
	SendDepth       int `toml:"send_depth" range:"2..65536"`       // entries of a send queue
	ReceiveDepth    int `toml:"receive_depth" range:"1..65536"`    // receive buffers of a process
	MessageBytes    int `toml:"message_bytes" range:"64..1048576"` // of each of them

	Window   int `toml:"window" range:"1..1024"`           // reads and atomics of a queue pair under way at a time
	Packets  int `toml:"send_packets" range:"1..1024"`     // packets of a queue pair between their fetch and the end of their injection
	AckEvery int `toml:"ack_every" range:"1..65536"`       // packets after which an acknowledgement is asked for; one is for each message
	Buffers  int `toml:"receive_buffers" range:"1..65536"` // packets that the card's receive pool holds

	Selective       int          `toml:"selective_packets,omitempty" range:"0..65536"` // behind a gap that the card keeps track of (selective repeat); 0: none (go-back-N)
	Timeout         int          `toml:"timeout" range:"0..31"`                        // 4.096 µs · 2^timeout without an acknowledgement: packets are sent again
	FirstTimeout    int          `toml:"first_timeout,omitempty" range:"0..31"`        // the same of the first time, doubled until timeout (adaptive retransmission); 0: timeout
	Retries         int          `toml:"retries" range:"0..7"`                         // after that many timeouts, and one more, the queue pair fails
	NotReady        sim.Duration `toml:"not_ready_us" range:"1..1e6"`                  // until a message is sent again for which the receiver had no buffer
	NotReadyRetries int          `toml:"not_ready_retries" range:"0..7"`               // times in a row; 7: any number

	Contexts     int `toml:"contexts" range:"1..1048576"`              // queue pairs whose state is cached in the card
	ContextBytes int `toml:"context_bytes" range:"16..4096"`           // read from host memory when it is not
	Translations int `toml:"translations" range:"1..16777216"`         // pages whose addresses are cached
	CacheWays    int `toml:"cache_ways" range:"1..1048576"`            // items of a set, in both caches
	Misses       int `toml:"cache_misses" range:"1..1024"`             // items that the card reads at a time, for both caches
	PageBytes    int `toml:"page_bytes" range:"pow2 4096..1073741824"` // of memory as it is registered

	// DCQCN is the congestion control of a pair; absent: none.
	DCQCN *dcqcn.Spec `toml:"dcqcn"`

	Host HostCosts `toml:"host"`
	Card Times     `toml:"card"`
}

// HostCosts are the library's CPU times besides its stores to the card.
type HostCosts struct {
	Post sim.Duration `toml:"post_ns" range:"0..1e5"` // make an entry and ring
	Poll sim.Duration `toml:"poll_ns" range:"0..1e5"` // take a completion
}

// Times are those of the card's parts. A queue pair is served by one transmit unit and one receive
// unit, so their times bound its rate.
type Times struct {
	Units    int          `toml:"units" range:"1..64"`        // of each kind
	Entry    sim.Duration `toml:"entry_ns" range:"0..1e5"`    // of a transmit unit for an entry
	Packet   sim.Duration `toml:"packet_ns" range:"0..1e5"`   // of a transmit unit for each of its packets
	Answered sim.Duration `toml:"answered_ns" range:"0..1e5"` // of a transmit unit after a request for an answer with data, or after the first packet of an answer
	Ack      sim.Duration `toml:"ack_ns" range:"0..1e5"`      // of a transmit unit for an acknowledgement, which does not wait for it
	Receive  sim.Duration `toml:"receive_ns" range:"0..1e5"`  // of a receive unit for a packet
	Pipeline sim.Duration `toml:"pipeline_ns" range:"0..1e5"` // a packet's way through the card besides, in each direction
	Atomic   sim.Duration `toml:"atomic_ns" range:"0..1e5"`   // an atomic operation, beside its read of memory
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error {
	err := bounds.Check("verbs", s)
	if s.BlueFlameBytes > 0 && s.BlueFlameBytes < s.EntryBytes {
		err = cmp.Or(err, bounds.Wrong("verbs.blueflame_bytes", s.BlueFlameBytes, "0, or at least entry_bytes = %d", s.EntryBytes))
	}
	if ways := min(s.CacheWays, s.Contexts); ways > 0 && s.Contexts%ways != 0 {
		err = cmp.Or(err, bounds.Wrong("verbs.contexts", s.Contexts, "a multiple of cache_ways = %d, or less", s.CacheWays))
	}
	if ways := min(s.CacheWays, s.Translations); ways > 0 && s.Translations%ways != 0 {
		err = cmp.Or(err, bounds.Wrong("verbs.translations", s.Translations, "a multiple of cache_ways = %d, or less", s.CacheWays))
	}
	if s.DCQCN != nil {
		err = cmp.Or(err, s.DCQCN.Validate())
	}
	return err
}

// Traits returns the properties of the layer, in the words of the comparison of user-level
// communication, which does not cover it.
func (s *Spec) Traits() *comm.Traits {
	return &comm.Traits{
		Name: "verbs", Title: "RDMA verbs: queue pairs, one-sided operations, reliable in hardware",
		Model: comm.DirectDeposit, Control: "Combined",
		IntranodeProtection: true, InternodeProtection: true, Multiprogramming: true,
		Overflow: "Prevented", Errors: "Tolerated", Management: "Static",
		SendPath: "DMA+v2p trans", ReceivePath: "DMA+v2p trans", Protection: "v2p trans", Reliability: "Firmware", Notice: "Polling",
		Promises: comm.Kept, Consumes: true, InPlace: true, Anyone: true, Describes: true, Remote: true, Overtaking: true, MaxBytes: s.MessageBytes,
	}
}

// Payload returns the most data that a packet carries, bytes.
func (s *Spec) Payload() int { return s.MTU }

// Shape returns the card with the layer's receive pool.
func (s *Spec) Shape(card ni.Spec, probeWords int) ni.Spec {
	card.ReceiveBuffers, card.BufferBytes = s.Buffers, s.MTU+s.HeaderBytes+s.ExtendedBytes+4*probeWords
	return card
}

// timeout returns the time without an acknowledgement after which packets are sent again, which has happened so many times
// in a row.
func (s *Spec) timeout(tries int) sim.Duration {
	k := s.Timeout
	if s.FirstTimeout > 0 {
		k = min(k, s.FirstTimeout+tries)
	}
	return 4096 * sim.Nanosecond << k
}

// gaveUp reports whether so many times in a row are enough: together they are as long as Retries, and one more, without
// adaptive retransmission.
func (s *Spec) gaveUp(tries int) bool {
	left := sim.Duration(s.Retries+1) * (4096 * sim.Nanosecond << s.Timeout)
	for i := range tries {
		left -= s.timeout(i)
	}
	return left <= 0
}
