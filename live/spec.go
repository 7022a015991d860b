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
	// Replayed is the directory of the run whose messages are sent again, at times so many times as long
	// after the first one. They say what the sizes are, and the count, which is that of all messages.
	Replayed string  `json:"replayed,omitempty"`
	Stretch  float64 `json:"stretch,omitempty" range:"0|0.001..1e6"`

	schedule *schedule // of that run
}

// Pattern is how nodes exchange messages.
type Pattern = names.Word[patterns]

type patterns struct{}

// Words implements names.Enumeration.
func (patterns) Words() names.Words {
	return names.NewWords("pattern", PingPong, Stream, AllToAll, Replay)
}

// The patterns.
const (
	PingPong = "pingpong" // a message and its answer, one after the other
	Stream   = "stream"   // from node 0 to node 1, in an open loop
	AllToAll = "alltoall" // from each node to each other in turn, in an open loop
	Replay   = "replay"   // as in another run, in an open loop
)

// Wait is how a receiver waits for a message.
type Wait = names.Word[waits]

type waits struct{}

// Words implements names.Enumeration.
func (waits) Words() names.Words { return names.NewWords("way to wait", waitBlock, waitSpin) }

// The ways to wait.
const (
	waitBlock = "block" // in the kernel, which wakes the thread
	waitSpin  = "spin"  // in a loop
)

// Default measures ping-pongs of a few sizes.
func Default() Spec {
	return Spec{
		Pattern: PingPong, Protocol: stamps.UDP, Count: 2000, Rate: 1000,
		Wait: waitBlock, Every: 1, Warm: 100, Seed: 1,
	}
}

// Validate returns an error that names the first field that is wrong.
func (s *Spec) Validate() error {
	if err := bounds.Check("", s); err != nil {
		return err
	}
	for i, n := range s.Sizes {
		// Each message begins with a header, and has to fit a datagram.
		if n < Least || n > Most {
			return bounds.Wrong("sizes_bytes", n, "%d to %d bytes", Least, Most)
		}
		if slices.Contains(s.Sizes[:i], n) {
			return bounds.Wrong("sizes_bytes", n, "each size once")
		}
	}
	switch {
	case s.Pattern == Replay && s.Replayed == "":
		return bounds.Wrong("replay", `""`, "the directory of a run for the pattern %s", Replay)
	// 0 stands for no replay, so that the tag of the field cannot refuse it here.
	case s.Pattern == Replay && s.Stretch == 0:
		return bounds.Wrong("stretch", s.Stretch, "0.001 to 1e6")
	case s.Pattern != Replay && (s.Replayed != "" || s.Stretch != 0):
		return bounds.Wrong("pattern", s.Pattern, "%s, because a run is replayed", Replay)
	}
	if s.Congestion != "" && s.Protocol != stamps.TCP {
		return bounds.Wrong("congestion", s.Congestion, "none: only TCP has congestion control")
	}
	return nil
}

// filled returns the specification with sizes and, between so many nodes, with what is replayed. It returns an
// error if the run that is replayed cannot be read.
func (s Spec) filled(nodes int) (_ Spec, err error) {
	if s.Pattern == Replay {
		// Each node's messages, with times since the first one of all, stretched.
		if s.schedule, err = readSchedule(s.Replayed, nodes, s.Stretch); err != nil {
			return s, err
		}
		// What is replayed has no warm-up: each message counts.
		s.Sizes, s.Count, s.Warm = s.schedule.sizes(), s.schedule.messages(), 0
	}
	if len(s.Sizes) == 0 {
		s.Sizes = []int64{64, 512, 1024, 4096}
	}
	return s, nil
}

// idle is the specification of round trips one after the other, whose latencies are the baseline.
func (s Spec) idle() Spec {
	s.Pattern, s.Count, s.Warm, s.Every = PingPong, idleTrips, idleTrips/10, 1
	s.Replayed, s.Stretch, s.schedule = "", 0, nil
	return s
}

// idleTrips is the number of round trips of a baseline of each size.
const idleTrips = 500

// bufferKB is what sockets ask for, in KB. A kernel may give less; how much it drops then is in Counts.Full.
const bufferKB = 4096

// options are those of the sockets of messages.
func (s *Spec) options() stamps.Options {
	return stamps.Options{Sending: true, Arriving: true, Spin: s.Wait == waitSpin, Congestion: s.Congestion, BufferKB: bufferKB}
}
