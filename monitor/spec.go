package monitor

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/internal/bounds"
)

// Build is a firmware build: which parts of the monitor are compiled in. The
// published perturbation experiments compare five of them.
type Build uint8

// Parts, and the five builds made of them.
const (
	sendPart  Build = 1 << iota // T1 to T4, packet header, Source and LANai bins
	recvPart                    // T5, T6, Net and Dest bins; without a header from the sender Net is paid for but cannot be filed
	clockPart                   // protocol and conversion

	Off   Build = 0
	Send        = sendPart
	Recv        = recvPart
	Clock       = clockPart
	Full        = sendPart | recvPart | clockPart
)

var builds = []struct {
	name  string
	build Build
}{{"off", Off}, {"full", Full}, {"send", Send}, {"recv", Recv}, {"clock", Clock}}

// ParseBuild returns the build of a name.
func ParseBuild(name string) (Build, error) {
	var names []string
	for _, b := range builds {
		if b.name == name {
			return b.build, nil
		}
		names = append(names, b.name)
	}
	return Off, fmt.Errorf("monitor build %q is not known, want one of %s", name, strings.Join(names, ", "))
}

func (b Build) String() string {
	for _, k := range builds {
		if k.build == b {
			return k.name
		}
	}
	return fmt.Sprintf("build(%d)", uint8(b))
}

// Spec is the monitor's part of a platform profile.
type Spec struct {
	HistogramBytes  int     `toml:"histogram_bytes"`   // SRAM budget of the histograms
	DeferredSlots   int     `toml:"deferred_slots"`    // samples that wait for an idle moment
	DescriptorWords int     `toml:"descriptor_words"`  // words that a request carries: tag, kind, span
	HeaderWords     int     `toml:"header_words"`      // words that a packet carries: time stamp, tag
	RoundSeconds    float64 `toml:"round_seconds"`     // between global clock rounds
	TraceRingBytes  int     `toml:"trace_ring_bytes"`  // SRAM of the packet trace, in runs that trace
	TraceBatchBytes int     `toml:"trace_batch_bytes"` // of it, taken to host memory at once
	Cycles          Cycles  `toml:"cycles"`
}

// Cycles are what each act of the monitor costs the interface processor.
type Cycles struct {
	NoteRequest int `toml:"note_request"` // read and keep T1, tag and kind
	NoteFetched int `toml:"note_fetched"` // T2
	WriteHeader int `toml:"write_header"` // T3, tag into the outgoing header
	NoteSent    int `toml:"note_sent"`    // T4
	StripHeader int `toml:"strip_header"` // take tag and time stamp out of an arriving header, find its row
	NoteArrived int `toml:"note_arrived"` // T5, read after the header has been handled
	Convert     int `toml:"convert"`      // map both clocks to global time, error bound
	Observe     int `toml:"observe"`      // keep the smallest one-way residual for the estimator
	NoteDone    int `toml:"note_done"`    // T6
	Defer       int `toml:"defer"`        // put a sample aside
	Bin         int `toml:"bin"`          // bin one latency: index, count, sum
	Square      int `toml:"square"`       // add one square, when variance is on
	ClockReply  int `toml:"clock_reply"`  // answer a query
	ClockTake   int `toml:"clock_take"`   // take a reply into the estimate
	ClockAdopt  int `toml:"clock_adopt"`  // adopt one table entry
	Interpolate int `toml:"interpolate"`  // re-evaluate one entry, about once a second
	TraceNumber int `toml:"trace_number"` // give a traced packet its number
	TraceRecord int `toml:"trace_record"` // append one trace record
	TraceDrain  int `toml:"trace_drain"`  // begin, and end, the transfer of a piece of the trace
}

// Validate reports the first field that is out of range.
func (s *Spec) Validate() error {
	c := &s.Cycles
	return bounds.Check("monitor",
		bounds.Number("histogram_bytes", s.HistogramBytes, 0, 1<<30),
		bounds.Number("deferred_slots", s.DeferredSlots, 0, 1<<16),
		bounds.Number("descriptor_words", s.DescriptorWords, 0, 16),
		bounds.Number("header_words", s.HeaderWords, 0, 16),
		bounds.Number("round_seconds", s.RoundSeconds, 1e-4, 1e6),
		bounds.Number("trace_ring_bytes", s.TraceRingBytes, 2*recordBytes, 1<<30),
		bounds.Number("trace_batch_bytes", s.TraceBatchBytes, recordBytes, float64(s.TraceRingBytes)),
		bounds.Number("cycles.note_request", c.NoteRequest, 0, 1e5),
		bounds.Number("cycles.note_fetched", c.NoteFetched, 0, 1e5),
		bounds.Number("cycles.write_header", c.WriteHeader, 0, 1e5),
		bounds.Number("cycles.note_sent", c.NoteSent, 0, 1e5),
		bounds.Number("cycles.strip_header", c.StripHeader, 0, 1e5),
		bounds.Number("cycles.note_arrived", c.NoteArrived, 0, 1e5),
		bounds.Number("cycles.convert", c.Convert, 0, 1e5),
		bounds.Number("cycles.observe", c.Observe, 0, 1e5),
		bounds.Number("cycles.note_done", c.NoteDone, 0, 1e5),
		bounds.Number("cycles.defer", c.Defer, 0, 1e5),
		bounds.Number("cycles.bin", c.Bin, 0, 1e5),
		bounds.Number("cycles.square", c.Square, 0, 1e5),
		bounds.Number("cycles.clock_reply", c.ClockReply, 0, 1e5),
		bounds.Number("cycles.clock_take", c.ClockTake, 0, 1e5),
		bounds.Number("cycles.clock_adopt", c.ClockAdopt, 0, 1e5),
		bounds.Number("cycles.interpolate", c.Interpolate, 0, 1e5),
		bounds.Number("cycles.trace_number", c.TraceNumber, 0, 1e5),
		bounds.Number("cycles.trace_record", c.TraceRecord, 0, 1e5),
		bounds.Number("cycles.trace_drain", c.TraceDrain, 0, 1e5),
	)
}
