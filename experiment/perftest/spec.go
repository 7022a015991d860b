package perftest

import (
	"github.com/sigview/sigview/comm/verbs"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
)

// Operation is what is measured.
type Operation = names.Word[operations]

type operations struct{}

// Words implements names.Enumeration.
func (operations) Words() names.Words {
	return names.NewWords("operation", Write, Read, Send, SendUD, FetchAdd, CompareSwap)
}

// The operations.
const (
	Write       = "write"
	Read        = "read"
	Send        = "send"
	SendUD      = "send-ud" // a datagram
	FetchAdd    = "fetch-add"
	CompareSwap = "compare-swap"
)

// Measure is what of it.
type Measure = names.Word[measures]

type measures struct{}

// Words implements names.Enumeration.
func (measures) Words() names.Words { return names.NewWords("measure", Latency, Bandwidth) }

// The measures.
const (
	Latency   = "latency"
	Bandwidth = "bandwidth"
)

// Test is one measurement.
type Test struct {
	Operation   Operation `json:"operation"`
	Measure     Measure   `json:"measure"`
	Bytes       int64     `json:"bytes" range:"1..67108864"`
	Pairs       int64     `json:"queue_pairs" range:"1..16384"` // of all threads
	Threads     int64     `json:"threads" range:"1..1024"`      // of a side, which post on pairs of their own
	Outstanding int64     `json:"outstanding" range:"1..65536"` // of a pair, or of a thread of a swarm, for bandwidth
	Swarm       bool      `json:"swarm"`                        // threads draw the pair of each operation, and both sides send, as rc-swarm of rdma_bench does
	Count       int64     `json:"count" range:"1..100000000"`   // operations, of both sides of a swarm, or round trips
}

// Result is what was measured: of latency the times, of bandwidth the rates.
type Result struct {
	MinUs, MaxUs, TypicalUs, AverageUs, DeviationUs, P99Us, P999Us float64 // typical is the median

	PerSecond float64 // of a side
	MiBps     float64 // 2^20 bytes a second
	Lost      uint64  // datagrams that have found no receive buffer, of all that were sent
	Cards     [2]verbs.Stats
}

// Validate returns an error that names the first field that is wrong.
func (t *Test) Validate() error {
	if err := bounds.Check("", t); err != nil {
		return err
	}
	if t.atomic() && t.Bytes != 8 {
		return bounds.Wrong("bytes", t.Bytes, "8 for an atomic operation")
	}
	switch {
	case t.Measure == Latency && (t.Pairs != 1 || t.Outstanding != 1):
		return bounds.Wrong("queue_pairs", t.Pairs, "1 for latency, with 1 outstanding")
	case t.Threads > t.Pairs:
		return bounds.Wrong("threads", t.Threads, "at most queue_pairs = %d, because each has pairs of its own", t.Pairs)
	case t.Swarm && (t.Measure == Latency || t.messages()):
		return bounds.Wrong("swarm", t.Swarm, "false for latency, and for send and send-ud")
	}
	return nil
}

func (t *Test) atomic() bool { return Atomic(t.Operation) }

// Count is how many operations, or round trips, are measured: as many as perftest's, of long ones fewer, because
// the model repeats itself.
func Count(m Measure, bytes int64) int64 {
	most := int64(1000)
	if m == Bandwidth {
		most = 5000
	}
	return min(most, max(20, 64<<20/bytes))
}

// Atomic reports whether an operation is one on a word of eight bytes.
func Atomic(o Operation) bool { return o == FetchAdd || o == CompareSwap }

// latencies returns how many latencies one measured time contains: 2 for round trips, else 1.
func (t *Test) latencies() float64 {
	if t.Operation == Write || t.messages() {
		return 2
	}
	return 1
}

// messages reports whether the other side receives.
func (t *Test) messages() bool { return t.Operation == Send || t.Operation == SendUD }
