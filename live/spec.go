package live

import (
	"slices"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/live/stamps"
)

// Spec says what to measure.
type Spec struct {
	Pattern  Pattern         `json:"pattern"`
	Protocol stamps.Protocol `json:"protocol"`
	Sizes    []int64         `json:"sizes_bytes"` // of messages, headers of the network not counted; none: some usual ones
	// Count is the number of round trips of each size, or of messages from each sender to each
	// receiver.
	Count int `json:"count" range:"1..1000000000"`
	// Rate is how many messages a second each sender sends in an open loop. What a stall delays is
	// late, and its wait counts.
	Rate  float64 `json:"rate_per_second" range:"1..1e6 messages a second"`
	Wait  Wait    `json:"wait"`                             // of receivers
	Every int     `json:"stamped_every" range:"1..1000000"` // one message in so many is stamped and recorded
	Warm  int     `json:"warm" range:"0..1000000"`          // messages before those that count
	CPUs  []int   `json:"cpus"`                             // of the ends, by node; empty: any
	// Congestion is the congestion control of TCP; "": the host's own.
	Congestion string `json:"congestion,omitempty"`
	Seed       uint64 `json:"seed"`
}

// Pattern is how nodes exchange messages.
type Pattern = names.Word[patterns]

type patterns struct{}

// Words implements names.Enumeration.
func (patterns) Words() names.Words { return names.NewWords("pattern", PingPong, Stream, AllToAll) }

// The patterns.
const (
	PingPong = "pingpong" // a message and its answer, one after the other
	Stream   = "stream"   // from node 0 to node 1, in an open loop
	AllToAll = "alltoall" // from each node to each other in turn, in an open loop
)

// Wait is how a receiver waits for a message.
type Wait = names.Word[waits]

type waits struct{}

// Words implements names.Enumeration.
func (waits) Words() names.Words { return names.NewWords("way to wait", Block, Spin) }

// The ways to wait.
const (
	Block = "block" // in the kernel, which wakes the thread
	Spin  = "spin"  // in a loop
)

// Sizes of messages.
const (
	Least = headerBytes
	Most  = 60000 // of a datagram, with room for headers
)

// Default measures ping-pongs of a few sizes.
func Default() Spec {
	return Spec{
		Pattern: PingPong, Protocol: stamps.UDP, Count: 2000, Rate: 1000,
		Wait: Block, Every: 1, Warm: 100, Seed: 1,
	}
}

// Validate returns an error that names the first field that is wrong.
func (s *Spec) Validate() error {
	if err := bounds.Check("", s); err != nil {
		return err
	}
	for i, n := range s.Sizes {
		if n < Least || n > Most {
			return bounds.Wrong("sizes_bytes", n, "%d to %d bytes", Least, Most)
		}
		if slices.Contains(s.Sizes[:i], n) {
			return bounds.Wrong("sizes_bytes", n, "each size once")
		}
	}
	if s.Congestion != "" && s.Protocol != stamps.TCP {
		return bounds.Wrong("congestion", s.Congestion, "none: only TCP has congestion control")
	}
	return nil
}

// filled returns the specification with sizes.
func (s Spec) filled() Spec {
	if len(s.Sizes) == 0 {
		s.Sizes = []int64{64, 512, 1024, 4096}
	}
	return s
}

// idle is the specification of round trips one after the other, whose latencies are the baseline.
func (s Spec) idle() Spec {
	s.Pattern, s.Count, s.Warm, s.Every = PingPong, idleTrips, idleTrips/10, 1
	return s
}

// idleTrips is the number of round trips of a baseline of each size.
const idleTrips = 500

// bufferKB is what sockets ask for; a kernel may give less.
const bufferKB = 4096

// options are those of the sockets of messages.
func (s *Spec) options() stamps.Options {
	return stamps.Options{Sending: true, Arriving: true, Spin: s.Wait == Spin, Congestion: s.Congestion, BufferKB: bufferKB}
}
