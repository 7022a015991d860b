package histo

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/trace"
)

// Dims is a set of optional arrays. Counts and sums per tag, size and stage
// always exist.
type Dims uint8

// The optional arrays.
const (
	SumsByKind     Dims = 1 << iota // counts and sums for each packet kind
	LatencyBySize                   // latency bins per tag, size row and stage
	LatencyByKind                   // latency bins per tag, kind and stage
	Pairs                           // counts and sums per tag, peer, size class and stage
	SumsBySequence                  // counts and sums per tag, sequence, size and stage

	AllDims = SumsByKind | LatencyBySize | LatencyByKind | Pairs | SumsBySequence
)

// Spec describes what the arrays of one interface distinguish and how much SRAM
// they may take.
type Spec struct {
	BudgetBytes int          `range:"4..1073741824 bytes"` // SRAM for all arrays together
	TickHz      int64        `range:"1..1e12 Hz"`          // frequency of the clock that latencies are counted in
	Tags        int          `range:"1..256"`              // program tags 0 … Tags−1
	Nodes       int          `range:"1..65536"`            // peers 0 … Nodes−1
	Kinds       []trace.Kind // kinds with histograms; each must carry a host request
	Later       []trace.Kind // those of Kinds whose later packets of a message are separate from first ones

	// Sequences are told apart by the predecessor's size class. Other packets of their
	// kinds count as without a predecessor.
	Sequences []trace.Sequence

	MaxBytes   int                    `range:"1..65536 bytes"`    // largest payload of a packet; larger ones count as oversize
	SizeBytes  int                    `range:"1..MaxBytes bytes"` // width of a size bin
	LatencyNs  [trace.NumStages]int64 `range:"1..1e9 ns"`         // width of a latency bin
	LatencyTop int                    `range:"16..16384 bins"`    // latency bins wanted per row, the open top bin included

	Dims     Dims
	Variance bool // keep sums of squares too: two more words per sum
}

// Published returns the dimensions of the SHRIMP monitor: 180 KB, size bins of
// eight words up to a 4 KB packet, latency bins of 1 µs and for Net of 2 µs, a
// 33 MHz clock. The number of latency bins per row is not published: the Spec
// asks for 256 and the budget decides. The caller fills in Tags, Nodes and
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

// maxSquaredHz prevents sums of squared ticks from exceeding 64 bits within a
// run.
const maxSquaredHz = 1_000_000_000

// validate returns an error that names the first field out of range. The ranges
// keep index and reciprocal arithmetic within 64 bits.
func (s Spec) validate() error {
	if err := bounds.Check("histo", &s); err != nil {
		return err
	}
	for stage, ns := range s.LatencyNs {
		// A bin narrower than a tick would stay empty.
		if s.TickHz < (1_000_000_000+ns-1)/ns {
			return bounds.Wrong(fmt.Sprintf("histo.LatencyNs[%v]", trace.Stage(stage)), ns, "at least a tick of the %d Hz clock", s.TickHz)
		}
	}
	if s.Dims&^AllDims != 0 {
		return bounds.Wrong("histo.Dims", fmt.Sprintf("%#x", uint8(s.Dims)), "bits of %#x", uint8(AllDims))
	}
	if s.Variance && s.TickHz > maxSquaredHz {
		return bounds.Wrong("histo.TickHz", s.TickHz, "at most %d Hz with Variance, or the sums of squares overflow", maxSquaredHz)
	}
	return s.validateKinds()
}

// validateKinds checks the lists of kinds, which have no ranges: each kind once, later packets and sequences of
// kinds that have histograms.
func (s Spec) validateKinds() error {
	if len(s.Kinds) == 0 {
		return bounds.Wrong("histo.Kinds", "empty", "at least one packet kind")
	}
	for i, k := range s.Kinds {
		switch field := fmt.Sprintf("histo.Kinds[%d]", i); {
		case !k.CarriesRequest():
			return bounds.Wrong(field, k, "a kind that carries a host request; others are always counted apart")
		case slices.Contains(s.Kinds[:i], k):
			return bounds.Wrong(field, k, "each kind once")
		}
	}
	for i, k := range s.Later {
		switch field := fmt.Sprintf("histo.Later[%d]", i); {
		case !slices.Contains(s.Kinds, k):
			return bounds.Wrong(field, k, "one of Kinds")
		case slices.Contains(s.Later[:i], k):
			return bounds.Wrong(field, k, "each kind once")
		}
	}
	for i, q := range s.Sequences {
		switch field := fmt.Sprintf("histo.Sequences[%d]", i); {
		case !slices.Contains(s.Kinds, q.Kind) || q.After != trace.SameMessage && !slices.Contains(s.Kinds, q.After):
			return bounds.Wrong(field, q, "two of Kinds, or one after the same message")
		case slices.Contains(s.Sequences[:i], q):
			return bounds.Wrong(field, q, "each sequence once")
		}
	}
	return nil
}

func (s Spec) clone() Spec {
	s.Kinds = slices.Clone(s.Kinds)
	s.Later = slices.Clone(s.Later)
	s.Sequences = slices.Clone(s.Sequences)
	return s
}
