package histo

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/trace"
)

// Dims is a set of optional arrays. Counts and sums per tag, size and stage
// are always kept.
type Dims uint8

// The optional arrays.
const (
	SumsByKind    Dims = 1 << iota // counts and sums apart for each packet kind
	LatencyBySize                  // latency bins per tag, size row and stage
	LatencyByKind                  // latency bins per tag, kind and stage
	Pairs                          // counts and sums per tag, peer, size class and stage

	AllDims = SumsByKind | LatencyBySize | LatencyByKind | Pairs
)

// Spec says what the arrays of one interface must tell apart and how much
// SRAM they may take.
type Spec struct {
	BudgetBytes int          // SRAM for all arrays together
	TickHz      int64        // frequency of the clock that latencies are counted in
	Tags        int          // program tags 0 … Tags−1
	Nodes       int          // peers 0 … Nodes−1
	Kinds       []trace.Kind // kinds to tell apart; each has to carry a host request
	Later       []trace.Kind // those of Kinds whose later packets of a message are kept apart from first ones

	MaxBytes   int                    // largest payload of a packet; larger ones count as oversize
	SizeBytes  int                    // width of a size bin
	LatencyNs  [trace.NumStages]int64 // width of a latency bin
	LatencyTop int                    // latency bins wanted per row, the open top bin included

	Dims     Dims
	Variance bool // keep sums of squares too; two more words touched per sum
}

// Published returns the dimensions of the SHRIMP monitor: 180 KB, size bins of
// eight words up to a 4 KB packet, latency bins of 1 µs and for Net of 2 µs, a
// 33 MHz clock. How many latency bins a row had is not published; 256 are
// asked for here and the budget decides. The caller fills in Tags, Nodes and
// Kinds.
func Published() Spec {
	return Spec{
		BudgetBytes: 180 * 1024,
		TickHz:      33_000_000,
		MaxBytes:    4096,
		SizeBytes:   32,
		LatencyNs: [trace.NumStages]int64{
			trace.Source: 1000, trace.LANai: 1000, trace.Net: 2000, trace.Dest: 1000,
		},
		LatencyTop: 256,
		Dims:       AllDims,
	}
}

// Limits that keep index and reciprocal arithmetic within 64 bits.
const (
	maxTags       = 256
	maxNodes      = 1 << 16
	maxBytes      = 1 << 16
	maxLatencyTop = 1 << 14
	maxLatencyNs  = 1_000_000_000
	maxTickHz     = 1_000_000_000_000
	maxBudget     = 1 << 30
	minLatencyTop = 16

	// Squares of ticks of a finer clock would fill 64 bits within a run.
	maxSquaredHz = 1_000_000_000
)

func (s Spec) validate() error {
	ints := []struct {
		field      string
		value      int64
		low, high  int64
		whatItIsOf string
	}{
		{"BudgetBytes", int64(s.BudgetBytes), 4, maxBudget, "bytes"},
		{"TickHz", s.TickHz, 1, maxTickHz, "Hz"},
		{"Tags", int64(s.Tags), 1, maxTags, "program tags"},
		{"Nodes", int64(s.Nodes), 1, maxNodes, "nodes"},
		{"MaxBytes", int64(s.MaxBytes), 1, maxBytes, "bytes"},
		{"SizeBytes", int64(s.SizeBytes), 1, int64(s.MaxBytes), "bytes"},
		{"LatencyTop", int64(s.LatencyTop), minLatencyTop, maxLatencyTop, "bins"},
	}
	for _, f := range ints {
		if f.value < f.low || f.value > f.high {
			return fmt.Errorf("histo: %s: %d, want %d to %d %s", f.field, f.value, f.low, f.high, f.whatItIsOf)
		}
	}
	for stage, ns := range s.LatencyNs {
		name := fmt.Sprintf("LatencyNs[%v]", trace.Stage(stage))
		if ns < 1 || ns > maxLatencyNs {
			return fmt.Errorf("histo: %s: %d, want 1 to %d ns", name, ns, int64(maxLatencyNs))
		}
		if s.TickHz < (1_000_000_000+ns-1)/ns {
			return fmt.Errorf("histo: %s: %d ns is shorter than a tick of the %d Hz clock", name, ns, s.TickHz)
		}
	}
	if s.Dims&^AllDims != 0 {
		return fmt.Errorf("histo: Dims: %#x has bits outside %#x", uint8(s.Dims), uint8(AllDims))
	}
	if s.Variance && s.TickHz > maxSquaredHz {
		return fmt.Errorf("histo: TickHz: %d, want at most %d Hz with Variance, or the sums of squares overflow", s.TickHz, int64(maxSquaredHz))
	}
	return s.validateKinds()
}

func (s Spec) validateKinds() error {
	if len(s.Kinds) == 0 {
		return fmt.Errorf("histo: Kinds: empty, want at least one packet kind")
	}
	for i, k := range s.Kinds {
		if !k.CarriesRequest() {
			return fmt.Errorf("histo: Kinds[%d]: %v carries no host request; such packets are always counted apart", i, k)
		}
		if slices.Contains(s.Kinds[:i], k) {
			return fmt.Errorf("histo: Kinds[%d]: %v is listed twice", i, k)
		}
	}
	for i, k := range s.Later {
		if !slices.Contains(s.Kinds, k) {
			return fmt.Errorf("histo: Later[%d]: %v is not among Kinds", i, k)
		}
		if slices.Contains(s.Later[:i], k) {
			return fmt.Errorf("histo: Later[%d]: %v is listed twice", i, k)
		}
	}
	return nil
}

func (s Spec) clone() Spec {
	s.Kinds = slices.Clone(s.Kinds)
	s.Later = slices.Clone(s.Later)
	return s
}
