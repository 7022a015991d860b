package monitor

import (
	"cmp"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
)

// Build is a firmware build: which parts of the monitor are compiled in. The
// published perturbation experiments compare five of them.
type Build uint8

// Parts, and the five builds made of them.
const (
	sendPart  Build = 1 << iota // T1 to T4, packet header, Source and LANai bins
	recvPart                    // T5, T6, Net and Dest bins; without a header from the sender Net takes its cycles but is not binned
	clockPart                   // protocol and conversion

	Off   Build = 0
	Send        = sendPart
	Recv        = recvPart
	Clock       = clockPart
	Full        = sendPart | recvPart | clockPart
)

var builds = names.NewEnumOf("monitor build", []Build{Off, Full, Send, Recv, Clock}, "off", "full", "send", "recv", "clock")

// Builds lists the builds in the order of the published comparison.
func Builds() []Build { return builds.Values() }

// Words returns the names of the builds.
func (Build) Words() names.Words { return builds.Words() }

// String returns the name of the build.
func (b Build) String() string { return builds.Name(b) }

// MarshalText writes the name.
func (b Build) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads a build by its name.
func (b *Build) UnmarshalText(name []byte) error { return builds.Set(b, name) }

// BuildName is the name of a build.
type BuildName = names.Word[Build]

// Trace names what a run records one by one beside its histograms.
type Trace = names.Word[traces]

// What can be traced; "" is nothing. Packets cost the interface processor, spans the hosts.
const (
	TracePackets Trace = "packets" // every packet with its six instants
	TraceSpans   Trace = "spans"   // operations of upper layers, phases of programs
	TraceAll     Trace = "all"     // both: packets divide the stages of operations further
	TraceWaits   Trace = "waits"   // both, and what each packet and process waits for; only a simulation can
)

type traces struct{}

func (traces) Words() names.Words { return names.NewWords("trace", "all", "packets", "spans", "waits") }

// Options say what the monitor of a run records.
type Options struct {
	Build    Build `json:"monitor" work:"yes" flag:"monitor" help:"firmware build: %s"`
	Variance bool  `json:"variance" work:"no" flag:"variance" help:"also keep sums of squares, which costs the interface cycles"`
	// Trace needs the full build.
	Trace Trace `json:"trace" optional:"yes" work:"no" flag:"trace" bare:"all" help:"record single packets and operations: %s"`
	// Only, if it selects, limits the trace of packets.
	Only Selection `json:"trace_only,omitzero" work:"no" flag:"trace-only" help:"trace only packets with these properties: %s"`
	Ring Ring      `json:"trace_ring" work:"no"`
	// Bins, if not 0, is the width of bins in host memory: records of packets are drained
	// and binned there, whether packets are traced or not.
	Bins sim.Duration `json:"bins_ps,omitzero" range:"0|1000..1e12 (1ns to 1s)" work:"no" flag:"bins" help:"also keep histograms with bins of this width in host memory, from drained records of packets"`
	// Phases, if any, are the phases of the programs in which the monitor records,
	// each node by its own program.
	Phases []string `json:"phases" work:"yes" flag:"phases" help:"record only within these phases of the program, which sigview workloads NAME lists"`
}

// Ring sets the ring of the packet trace in SRAM, in bytes. 0 is the platform's own; of a
// ring of another size the mark is at three quarters.
type Ring struct {
	Bytes int64 `json:"bytes" range:"0|64..1073741824" flag:"trace-ring" help:"bytes of interface memory for records of packets, K and M allowed (default: the platform's own)"`
	Batch int64 `json:"batch_bytes" range:"0|32..1073741824" flag:"trace-batch" help:"bytes of records moved to the host at once, when the interface is idle (default: the platform's own)"`
	// High is the fill at which a transfer does not wait for an idle processor.
	High int64 `json:"high_bytes" range:"0|32..1073741824" flag:"trace-high" help:"bytes of waiting records at which the interface moves them although it is not idle (default: the platform's own)"`
}

// Apply enters the sizes that are set.
func (r Ring) Apply(s *Spec) {
	if r.Bytes > 0 {
		s.TraceRingBytes = int(r.Bytes)
		s.TraceHighBytes = max(s.TraceRingBytes*3/4, recordBytes)
		s.TraceBatchBytes = min(s.TraceBatchBytes, max(s.TraceRingBytes/4, recordBytes))
	}
	s.TraceBatchBytes = cmp.Or(int(r.Batch), s.TraceBatchBytes)
	s.TraceHighBytes = cmp.Or(int(r.High), s.TraceHighBytes)
}

// TracesPackets reports whether packets are traced.
func (o *Options) TracesPackets() bool {
	return o.Trace == TracePackets || o.Trace == TraceAll || o.Trace == TraceWaits
}

// Drains reports whether records of packets are drained to the host.
func (o *Options) Drains() bool { return o.TracesPackets() || o.Bins > 0 }

// TracesSpans reports whether operations are.
func (o *Options) TracesSpans() bool {
	return o.Trace == TraceSpans || o.Trace == TraceAll || o.Trace == TraceWaits
}

// TracesWaits reports whether waiting is.
func (o *Options) TracesWaits() bool { return o.Trace == TraceWaits }

// Spec is the monitor's part of a platform profile.
type Spec struct {
	HistogramBytes int `toml:"histogram_bytes" range:"0..1073741824"` // SRAM budget of the histograms
	// BinNs and Bins, if not 0, are the width and the number of the latency bins of all stages. Those of
	// the published monitor are 1 µs, of Net 2 µs, and 256.
	BinNs         int64 `toml:"bin_ns,omitempty" range:"0..1000000 ns"`
	Bins          int   `toml:"bins,omitempty" range:"0|16..16384"`
	DeferredSlots int   `toml:"deferred_slots" range:"0..65536"` // samples that wait for an idle processor
	// SampleEvery, if not 0, is of how many packets one is recorded.
	SampleEvery     int     `toml:"sample_every,omitempty" range:"0..1000000"`
	DescriptorWords int     `toml:"descriptor_words" range:"0..16"`  // words that a request carries: tag, kind, span
	HeaderWords     int     `toml:"header_words" range:"0..16"`      // words that a packet carries: time stamp, tag
	RoundSeconds    float64 `toml:"round_seconds" range:"1e-4..1e6"` // between global clock rounds
	// SRAM of the packet trace, in runs that trace; how full it is when transfers to host
	// memory no longer wait for an idle processor; and how much is transferred at once.
	TraceRingBytes  int `toml:"trace_ring_bytes" range:"64..1073741824"`
	TraceHighBytes  int `toml:"trace_high_bytes" range:"32..trace_ring_bytes"`
	TraceBatchBytes int `toml:"trace_batch_bytes" range:"32..trace_high_bytes"`
	// HandOver makes T4 the start of the insertion, as a driver sees it that hands packets to a
	// card; otherwise it is the end.
	HandOver bool   `toml:"hand_over,omitempty"`
	Cycles   Cycles `toml:"cycles"`
}

// recordBytes is the size of a record in SRAM: eight words. They are the
// packet's number; the other node (10 bits), flags and how many records were lost
// before this one (20 bits); the span; size with kind and tag; and four words of
// instants: at the sender T1 and, in 24 bits each, how much later the request was taken
// up and T2 to T4 were; at the receiver T3, T5, T6 and the bound of Net's error.
const recordBytes = 32

// Cycles are the interface processor's cycles for each step of the monitor.
type Cycles struct {
	NoteRequest     int `toml:"note_request" range:"0..1e5"`     // read and keep T1, tag and kind
	NotePredecessor int `toml:"note_predecessor" range:"0..1e5"` // find the packet that a packet follows, if the layout has sequences
	NoteFetched     int `toml:"note_fetched" range:"0..1e5"`     // T2
	WriteHeader     int `toml:"write_header" range:"0..1e5"`     // T3, tag into the outgoing header
	NoteSent        int `toml:"note_sent" range:"0..1e5"`        // T4
	StripHeader     int `toml:"strip_header" range:"0..1e5"`     // read tag and time stamp of an arriving header, find its row
	NoteArrived     int `toml:"note_arrived" range:"0..1e5"`     // T5
	Convert         int `toml:"convert" range:"0..1e5"`          // map both clocks to global time, error bound
	Observe         int `toml:"observe" range:"0..1e5"`          // keep the smallest one-way residual for the estimator
	NoteDone        int `toml:"note_done" range:"0..1e5"`        // T6
	Defer           int `toml:"defer" range:"0..1e5"`            // queue a sample
	Bin             int `toml:"bin" range:"0..1e5"`              // bin one latency: index, count, sum
	Square          int `toml:"square" range:"0..1e5"`           // add one square, when variance is on
	ClockReply      int `toml:"clock_reply" range:"0..1e5"`      // answer a query
	ClockTake       int `toml:"clock_take" range:"0..1e5"`       // add a reply to the estimate
	ClockAdopt      int `toml:"clock_adopt" range:"0..1e5"`      // adopt one table entry
	Interpolate     int `toml:"interpolate" range:"0..1e5"`      // re-evaluate one entry, about once a second
	TraceTest       int `toml:"trace_test" range:"0..1e5"`       // decide whether a packet is traced, at each end, in runs that select packets
	TraceTaken      int `toml:"trace_taken" range:"0..1e5"`      // note when a request is taken up
	TraceNumber     int `toml:"trace_number" range:"0..1e5"`     // give a traced packet its number
	TraceRecord     int `toml:"trace_record" range:"0..1e5"`     // append one trace record
	TraceDrain      int `toml:"trace_drain" range:"0..1e5"`      // begin and end the transfer of a piece of the trace
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error { return bounds.Check("monitor", s) }
