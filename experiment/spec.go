package experiment

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/nx"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/patterns"
)

// Build is a firmware build; builds differ in what the monitor does.
type Build = monitor.Build

// The five firmware builds.
const (
	BuildOff   = monitor.Off   // no monitor code at all
	BuildFull  = monitor.Full  // everything
	BuildSend  = monitor.Send  // sending part: t1 to t4, the header words, Source and LANai bins
	BuildRecv  = monitor.Recv  // receiving part: t5, t6, Net and Dest bins, with a clock table of zeros
	BuildClock = monitor.Clock // the clock protocol and conversion only
)

// Builds lists the firmware builds in the order of the published comparison.
func Builds() []Build { return monitor.Builds() }

// Trace names what a run records one by one beside its histograms.
type Trace = monitor.Trace

// What can be traced.
const (
	TracePackets = monitor.TracePackets
	TraceSpans   = monitor.TraceSpans
	TraceAll     = monitor.TraceAll
)

// Resource names something that packets contend for. A run can be given it
// without limit, so that nothing waits for it. A latency that then falls to its
// baseline was due to that resource.
type Resource = names.Word[resources]

// The resources that can be freed of contention.
const (
	CPU    Resource = "cpu"    // the host processor as a server of remote requests
	MemBus Resource = "membus" // the memory bus
	PCI    Resource = "pci"    // the I/O bus
	HDMA   Resource = "hdma"   // the host DMA engine
	SRAM   Resource = "sram"   // the interface's internal bus
	LANai  Resource = "lanai"  // the interface processor
	Slots  Resource = "slots"  // requests that the control program takes up at once
	SDMA   Resource = "sdma"   // the engine that feeds the wire
	Ports  Resource = "ports"  // links and switch ports
)

type resources struct{}

// Words lists them from the host outwards.
func (resources) Words() names.Words {
	return names.NewWords("resource", "cpu", "membus", "pci", "hdma", "sram", "lanai", "slots", "sdma", "ports")
}

// Estimator is a way to find the offset and rate of a remote clock.
type Estimator = cluster.Estimator

// The two estimators.
const (
	EstimatorPublished = cluster.Published
	EstimatorImproved  = cluster.Improved
)

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

	monitor.Options

	// Gang lets all nodes change between programs at the same instants.
	Gang bool `json:"gang"`

	Broadcast BroadcastName `json:"broadcast" optional:"yes"` // of programs that pass messages; "": separate

	Uncontended []Resource `json:"uncontended"` // resources without limit, each at most once

	Clock   ClockSpec   `json:"clock"`
	Memory  MemorySpec  `json:"memory"`
	Pattern PatternSpec `json:"pattern"`
	Faults  FaultSpec   `json:"faults"`
}

// ClockSpec says how clocks drift and how global time is kept.
type ClockSpec = cluster.Clock

// BroadcastName is the name of a way to send to everybody.
type BroadcastName = names.Word[nx.Broadcast]

// MemorySpec says how shared virtual memory behaves.
type MemorySpec struct {
	Homes   names.Word[svm.Homes]   `json:"homes" optional:"yes"`   // "": the workload's own
	Service names.Word[svm.Service] `json:"service" optional:"yes"` // "": the platform's own
	// Check poisons slices of shared memory that are used past the next
	// synchronization.
	Check bool `json:"check"`
}

// PatternSpec says what a synthetic pattern sends.
type PatternSpec = patterns.Options

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
		Options:  monitor.Options{Build: BuildFull},
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
	case s.Variance && s.Build == BuildOff:
		return wrong("variance", s.Variance, "a monitor build other than off")
	case len(s.Phases) > 0 && s.Build == BuildOff:
		return wrong("phases", strings.Join(s.Phases, ","), "a monitor build other than off")
	case s.Trace != "" && s.Build != BuildFull:
		return wrong("trace", s.Trace, "the monitor build full beside it, not %s", s.Build)
	}
	return cmp.Or(
		bounds.Check("", s),
		once("uncontended", "resource", s.Uncontended),
		s.validatePattern(),
		s.validateBroadcast(),
		s.validateSenders(),
		s.Faults.Validate("faults", cmp.Or(s.Nodes, MaxNodes)),
	)
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

// isFile reports whether a platform is named by a file.
func isFile(platform string) bool {
	return strings.HasSuffix(platform, ".toml") || strings.ContainsAny(platform, `/\`)
}
