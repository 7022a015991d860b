package perftest

import (
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
)

// Operation is what is measured.
type Operation = names.Word[operations]

type operations struct{}

// Words implements names.Enumeration.
func (operations) Words() names.Words {
	return names.NewWords("operation", Write, Read, Send, FetchAdd, CompareSwap)
}

// The operations.
const (
	Write       = "write"
	Read        = "read"
	Send        = "send"
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
	Bytes       int64     `json:"bytes" range:"1..1073741824"`
	Pairs       int64     `json:"queue_pairs" range:"1..16384"`
	Outstanding int64     `json:"outstanding" range:"1..65536"` // of a pair, for bandwidth
	Count       int64     `json:"count" range:"1..100000000"`   // operations, or round trips
}

// Result is a result. Of latency the time is the median; of bandwidth it is the mean between completions.
type Result struct {
	Us, LowUs, HighUs float64 // with its quarters
	PerSecond         float64
	MiBps             float64 // 2^20 bytes a second
}

// Validate returns an error that names the first field that is wrong.
func (t *Test) Validate() error {
	if err := bounds.Check("", t); err != nil {
		return err
	}
	if t.atomic() && t.Bytes != 8 {
		return bounds.Wrong("bytes", t.Bytes, "8 for an atomic operation")
	}
	return nil
}

func (t *Test) atomic() bool { return t.Operation == FetchAdd || t.Operation == CompareSwap }

// trips is how many of the latencies that are wanted a measured time has.
func (t *Test) trips() float64 {
	if t.Operation == Write || t.Operation == Send {
		return 2
	}
	return 1
}
