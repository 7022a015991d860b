package experiment

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/svm"
)

// Build names one of the firmware builds that differ in what the monitor does.
type Build = string

// The five firmware builds.
const (
	BuildOff   Build = "off"   // no monitor code at all
	BuildFull  Build = "full"  // everything
	BuildSend  Build = "send"  // sending part: t1 to t4, the header words, Source and LANai bins
	BuildRecv  Build = "recv"  // receiving part: t5, t6, Net and Dest bins, with a clock table of zeros
	BuildClock Build = "clock" // the clock protocol and conversion only
)

// Builds lists the firmware builds in the order of the published comparison.
func Builds() []string { return []string{BuildOff, BuildFull, BuildSend, BuildRecv, BuildClock} }

// Trace says what a run records one by one beside its histograms.
type Trace string

// What can be traced. Packets cost the interface processor, spans the hosts.
const (
	TraceNone    Trace = ""
	TracePackets Trace = "packets" // every packet with its six instants
	TraceSpans   Trace = "spans"   // operations of upper layers, phases of programs
	TraceAll     Trace = "all"     // both: packets divide the stages of operations further
)

// Traces lists what can be traced.
func Traces() []string { return []string{string(TraceAll), string(TracePackets), string(TraceSpans)} }

// Packets reports whether packets are traced.
func (t Trace) Packets() bool { return t == TracePackets || t == TraceAll }

// Spans reports whether operations are.
func (t Trace) Spans() bool { return t == TraceSpans || t == TraceAll }

// Resource names something that packets contend for. A run can be given it
// without limit, so that nothing waits for it. A latency that then falls to its
// baseline was due to that resource.
type Resource = string

// The resources that can be freed of contention.
const (
	PCI    Resource = "pci"    // the I/O bus
	MemBus Resource = "membus" // the memory bus
	SRAM   Resource = "sram"   // the interface's internal bus
	HDMA   Resource = "hdma"   // the host DMA engine
	SDMA   Resource = "sdma"   // the engine that feeds the wire
	LANai  Resource = "lanai"  // the interface processor
	Ports  Resource = "ports"  // links and switch ports
	Slots  Resource = "slots"  // requests that the control program takes up at once
	CPU    Resource = "cpu"    // the host processor as a server of remote requests
)

// Resources lists them from the host outwards.
func Resources() []string { return []string{CPU, MemBus, PCI, HDMA, SRAM, LANai, Slots, SDMA, Ports} }

// The two ways to find the offset and rate of a remote clock.
const (
	EstimatorPublished = cluster.Published
	EstimatorImproved  = cluster.Improved
)

// Estimators lists them.
func Estimators() []string { return []string{EstimatorPublished, EstimatorImproved} }

// OscillatorSets lists the sets of clock oscillators.
func OscillatorSets() []string { return []string{cluster.Reference, cluster.Harsh} }

// HomePolicies lists the ways to give shared pages a home.
func HomePolicies() []string { return svm.HomePolicies() }

// ServiceModes lists the ways in which a home learns of a remote request.
func ServiceModes() []string { return svm.Services() }

// Limits of a run's specification.
const (
	MinNodes = 2
	MaxNodes = 1024
)

// RunSpec says everything about one monitored run. It is stored in the run's
// manifest. The zero value of a field means the platform's or the workload's
// own choice where the comment says so.
type RunSpec struct {
	Workload string `json:"workload"`                // several at once are joined by "+"
	Size     int64  `json:"size" range:"0.."`        // in the workload's unit (fft: complex points); 0: the workload's own
	Platform string `json:"platform"`                // name of a profile, or path of a .toml file
	Layer    string `json:"layer"`                   // communication layer; "": the platform's own
	Nodes    int    `json:"nodes" range:"0|2..1024"` // 0: the platform's own
	Seed     uint64 `json:"seed" range:"0.."`

	Monitor  Build `json:"monitor"`
	Variance bool  `json:"variance"` // sums of squares too, with their own cycles
	Trace    Trace `json:"trace"`    // records of single packets and operations; wants the full build
	// Phases, when not empty, are the phases of the programs in which the monitor
	// records, each node by its own program.
	Phases []string `json:"phases"`

	// Gang lets all nodes change between programs at the same instants.
	Gang bool `json:"gang"`

	Broadcast string `json:"broadcast"` // one of Broadcasts, for programs that pass messages; "": the first

	Uncontended []Resource `json:"uncontended"` // resources without limit, each at most once

	Clock   ClockSpec   `json:"clock"`
	Memory  MemorySpec  `json:"memory"`
	Pattern PatternSpec `json:"pattern"`
	Faults  FaultSpec   `json:"faults"`
}

// ClockSpec says how clocks drift and how global time is kept.
type ClockSpec = cluster.Clock

// MemorySpec says how shared virtual memory behaves.
type MemorySpec struct {
	Homes   string `json:"homes"`   // one of HomePolicies; "": the workload's own
	Service string `json:"service"` // one of ServiceModes; "": the platform's own
	// Check poisons slices of shared memory that are used past the next
	// synchronization.
	Check bool `json:"check"`
}

// PatternSpec says what a synthetic pattern sends. The zero value of a field means
// the pattern's own choice.
type PatternSpec struct {
	MessageBytes int     `json:"message_bytes" range:"0.."` // a multiple of 4
	Count        int     `json:"count" range:"0.."`         // what it counts is the pattern's; see its description
	GapUs        float64 `json:"gap_us" range:"0..1e6"`     // a sender's pause before each message
	Skew         float64 `json:"skew" range:"0.."`          // random: exponent of a Zipf law; hotspot: share of node 0
}

// FaultSpec says what goes wrong. Stalls and the loss of acknowledgements begin
// with the program.
type FaultSpec = fabric.Faults

// Stall keeps a node's interface from taking packets off its link.
type Stall = fabric.Stall

// DefaultRun returns the specification of a run of this workload on the
// platform of the published measurements, under the full monitor.
func DefaultRun(workload string) RunSpec {
	return RunSpec{
		Workload: workload,
		Platform: DefaultPlatform,
		Seed:     DefaultSeed,
		Monitor:  BuildFull,
		Clock:    ClockSpec{Estimator: EstimatorImproved, Oscillators: cluster.Reference},
	}
}

// Defaults of specifications.
const (
	DefaultPlatform = "shrimp"
	DefaultSeed     = 1
)

// FieldError is a value of a specification that is not allowed.
type FieldError = bounds.Error

func wrong(field string, value any, want string, args ...any) error {
	return bounds.Wrong(field, value, want, args...)
}

// Programs returns the names of the workloads that run at the same time.
func (s RunSpec) Programs() []string { return strings.Split(s.Workload, "+") }

// MaxPrograms is the largest number of programs that run at the same time; the
// histograms tell them apart.
const MaxPrograms = 4

// Validate checks everything that can be checked without building the cluster.
// A size that a workload cannot divide among the nodes is an error of the run.
// Errors are *FieldError or *names.Error.
func (s RunSpec) Validate(known Catalogue) error {
	programs := s.Programs()
	for _, name := range programs {
		if err := known.check(name, s.Platform, s.Layer); err != nil {
			return err
		}
	}
	switch {
	case len(programs) > MaxPrograms:
		return wrong("workload", s.Workload, "at most %d programs at once", MaxPrograms)
	case s.Size > 0 && len(programs) > 1:
		return wrong("size", s.Size, "no size for several programs at once: each has its own unit")
	case s.Variance && s.Monitor == BuildOff:
		return wrong("variance", s.Variance, "a monitor build other than off")
	case len(s.Phases) > 0 && s.Monitor == BuildOff:
		return wrong("phases", strings.Join(s.Phases, ","), "a monitor build other than off")
	case s.Trace != TraceNone && s.Monitor != BuildFull && slices.Contains(Builds(), s.Monitor):
		return wrong("trace", s.Trace, "the monitor build full beside it, not %s", s.Monitor)
	}
	return cmp.Or(
		bounds.Check("", s),
		names.Check("monitor build", s.Monitor, Builds()),
		optional("trace", string(s.Trace), Traces()),
		eachOnce("uncontended", "resource", s.Uncontended, Resources()),
		validateClock(s.Clock),
		optional("home policy", s.Memory.Homes, HomePolicies()),
		optional("service mode", s.Memory.Service, ServiceModes()),
		s.validatePattern(),
		s.validateBroadcast(),
		s.validateSenders(),
		s.Faults.Validate("faults", cmp.Or(s.Nodes, MaxNodes)),
	)
}

// optional is names.Check for a field that may be empty.
func optional(what, word string, known []string) error {
	if word == "" {
		return nil
	}
	return names.Check(what, word, known)
}

// eachOnce refuses words that are not known, and those given twice.
func eachOnce(field, what string, given, known []string) error {
	for _, w := range given {
		if err := names.Check(what, w, known); err != nil {
			return err
		}
	}
	return once(field, what, given)
}

// once refuses a value that is given twice.
func once[V comparable](field, what string, given []V) error {
	for i, v := range given {
		if slices.Contains(given[:i], v) {
			return wrong(field, v, "each %s once", what)
		}
	}
	return nil
}

// validateSenders refuses a free S engine where it means nothing: its packets
// share a link, unless ports are free too, and overtake one another, which no
// protocol could tell from loss.
func (s RunSpec) validateSenders() error {
	if !slices.Contains(s.Uncontended, SDMA) {
		return nil
	}
	if !slices.Contains(s.Uncontended, Ports) {
		return wrong("uncontended", SDMA, "ports beside sdma: the engine feeds one link")
	}
	if s.Faults.Any() {
		return wrong("uncontended", SDMA, "no faults beside sdma: packets overtake one another")
	}
	return nil
}

func validateClock(c ClockSpec) error {
	return cmp.Or(
		names.Check("estimator", c.Estimator, Estimators()),
		names.Check("oscillator set", c.Oscillators, OscillatorSets()),
	)
}

// isFile reports whether a platform is named by a file.
func isFile(platform string) bool {
	return strings.HasSuffix(platform, ".toml") || strings.ContainsAny(platform, `/\`)
}
