package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
)

// Build names one of the firmware builds that differ in what the monitor does.
type Build string

// The five firmware builds.
const (
	BuildOff   Build = "off"   // no monitor code at all
	BuildFull  Build = "full"  // everything
	BuildSend  Build = "send"  // sending part: t1 to t4, the header words, Source and LANai bins
	BuildRecv  Build = "recv"  // receiving part: t5, t6, Net and Dest bins, with a clock table of zeros
	BuildClock Build = "clock" // the clock protocol and conversion only
)

// Builds lists the firmware builds in the order of the published comparison.
func Builds() []string {
	return []string{string(BuildOff), string(BuildFull), string(BuildSend), string(BuildRecv), string(BuildClock)}
}

// Trace says what a run records one by one, beside the histograms.
type Trace string

// What can be traced. Packets cost the interface processor, spans the hosts.
const (
	TraceNone    Trace = ""
	TracePackets Trace = "packets" // every packet with its six instants
	TraceSpans   Trace = "spans"   // operations of upper layers, phases of programs
	TraceAll     Trace = "all"     // both: packets divide the stages of operations further
)

// Traces lists what --trace takes.
func Traces() []string { return []string{string(TraceAll), string(TracePackets), string(TraceSpans)} }

// Packets reports whether packets are traced.
func (t Trace) Packets() bool { return t == TracePackets || t == TraceAll }

// Spans reports whether operations are.
func (t Trace) Spans() bool { return t == TraceSpans || t == TraceAll }

// Resource names something that packets contend for and that a run can be
// given without limit, so that nothing ever waits for it. A latency that
// falls back to its baseline without a resource was due to that resource.
type Resource string

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
func Resources() []string {
	return []string{
		string(CPU), string(MemBus), string(PCI), string(HDMA), string(SRAM),
		string(LANai), string(Slots), string(SDMA), string(Ports),
	}
}

// Estimator names a way to find the offset and rate of a remote clock.
type Estimator string

// The two estimators.
const (
	EstimatorPublished Estimator = "published" // midpoint of a round trip, rate from two rounds
	EstimatorImproved  Estimator = "improved"  // delayed probes filtered, regression over rounds, data packets' own timestamps
)

// Estimators lists the estimators.
func Estimators() []string { return []string{string(EstimatorPublished), string(EstimatorImproved)} }

// OscillatorSets lists the sets of clock oscillators: the reference set, and
// the harsh one with wide rates and ten times the wander.
func OscillatorSets() []string { return []string{"reference", "harsh"} }

// HomePolicies lists the ways to give shared pages a home.
func HomePolicies() []string { return []string{"block", "round-robin", "first-touch"} }

// ServiceModes lists the ways in which a home learns of a remote request.
func ServiceModes() []string { return []string{"interrupt", "polling"} }

// Limits of a run's specification.
const (
	MinNodes = 2
	MaxNodes = 1024
)

// RunSpec says everything about one monitored run. It is stored in the run's
// manifest. The zero value of a field means the platform's or the workload's
// own choice where the comment says so.
type RunSpec struct {
	Workload string `json:"workload"` // several at once are joined by "+"
	Size     int64  `json:"size"`     // in the workload's unit (fft: complex points); 0: the workload's own
	Platform string `json:"platform"` // name of a profile, or path of a .toml file
	Layer    string `json:"layer"`    // communication layer; "": the platform's own
	Nodes    int    `json:"nodes"`    // MinNodes to MaxNodes; 0: the platform's own
	Seed     uint64 `json:"seed"`

	Monitor  Build `json:"monitor"`
	Variance bool  `json:"variance"` // sums of squares too, with their own cycles
	Trace    Trace `json:"trace"`    // records of single packets and operations; wants the full build
	// Phases, when there are any, are those of the programs' phases within which
	// the monitor records, each node by its own program.
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
type ClockSpec struct {
	Estimator   Estimator    `json:"estimator"`
	Oscillators string       `json:"oscillators"` // one of OscillatorSets
	Round       sim.Duration `json:"round_ps"`    // time between global rounds; 0: the platform's own
	// NoPriority serves clock packets in the order of all others.
	NoPriority bool `json:"no_priority"`
	// NoInlineChecks leaves the checks for pending events out of long
	// operations, so that instants are read late.
	NoInlineChecks bool `json:"no_inline_checks"`
}

// MemorySpec says how shared virtual memory behaves.
type MemorySpec struct {
	Homes   string `json:"homes"`   // one of HomePolicies; "": the workload's own
	Service string `json:"service"` // one of ServiceModes; "": the platform's own
	// Check poisons slices of shared memory that are used past the next
	// synchronization.
	Check bool `json:"check"`
}

// FaultSpec says what goes wrong. The zero value is a run without faults.
type FaultSpec struct {
	BitError float64 `json:"bit_error"` // probability that an error starts at a byte on its way
	// BurstBytes is the length of an error: 0 or 1 flips a single bit, longer
	// ones replace that many bytes, which CRC-8 misses once in 256 times.
	BurstBytes int     `json:"burst_bytes"`
	DropAck    float64 `json:"drop_ack"` // probability that an acknowledgement is lost
	Stalls     []Stall `json:"stalls"`
}

// Stall keeps a node's interface from taking packets off its link.
type Stall struct {
	Node  int          `json:"node"`
	Start sim.Duration `json:"start_ps"` // after the start of the program
	For   sim.Duration `json:"for_ps"`
}

// Any reports whether anything goes wrong at all.
func (f FaultSpec) Any() bool { return f.BitError > 0 || f.DropAck > 0 || len(f.Stalls) > 0 }

// DefaultRun returns the specification of a run of this workload on the
// platform of the published measurements, under the full monitor.
func DefaultRun(workload string) RunSpec {
	return RunSpec{
		Workload: workload,
		Platform: DefaultPlatform,
		Seed:     DefaultSeed,
		Monitor:  BuildFull,
		Clock:    ClockSpec{Estimator: EstimatorImproved, Oscillators: "reference"},
	}
}

// What is taken when nothing is said.
const (
	DefaultPlatform = "shrimp"
	DefaultSeed     = 1
)

// FieldError is a value of a specification that cannot be.
type FieldError struct {
	Field string // path in the specification, as "faults.stalls[0].node"
	Value string
	Want  string
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("%s is %s, want %s", e.Field, e.Value, e.Want)
}

// Usage marks the error as a mistake in how the program was called.
func (e *FieldError) Usage() bool { return true }

func wrong(field string, value any, want string, args ...any) error {
	return &FieldError{Field: field, Value: fmt.Sprint(value), Want: fmt.Sprintf(want, args...)}
}

// Programs returns the names of the workloads that run at once.
func (s RunSpec) Programs() []string { return strings.Split(s.Workload, "+") }

// MaxPrograms is how many programs may run at once; the histograms tell them
// apart.
const MaxPrograms = 4

// Validate checks everything that can be checked without building the
// cluster; a size that a workload cannot divide among the nodes is found
// then. Errors are *FieldError or *names.Error.
func (s RunSpec) Validate(known Catalogue) error {
	programs := s.Programs()
	for _, name := range programs {
		if err := known.check(name, s.Platform, s.Layer); err != nil {
			return err
		}
	}
	if len(programs) > MaxPrograms {
		return wrong("workload", s.Workload, "at most %d programs at once", MaxPrograms)
	}
	if s.Size < 0 {
		return wrong("size", s.Size, "a positive number")
	}
	if s.Size > 0 && len(programs) > 1 {
		return wrong("size", s.Size, "no size for several programs at once: each has its own unit")
	}
	if s.Nodes != 0 && (s.Nodes < MinNodes || s.Nodes > MaxNodes) {
		return wrong("nodes", s.Nodes, "%d to %d", MinNodes, MaxNodes)
	}
	if err := names.Check("monitor build", string(s.Monitor), Builds()); err != nil {
		return err
	}
	if s.Variance && s.Monitor == BuildOff {
		return wrong("variance", s.Variance, "a monitor build other than off")
	}
	if len(s.Phases) > 0 && s.Monitor == BuildOff {
		return wrong("phases", strings.Join(s.Phases, ","), "a monitor build other than off")
	}
	if s.Trace != TraceNone {
		if err := names.Check("trace", string(s.Trace), Traces()); err != nil {
			return err
		}
		if s.Monitor != BuildFull {
			return wrong("trace", s.Trace, "the monitor build full beside it, not %s", s.Monitor)
		}
	}
	for i, r := range s.Uncontended {
		if err := names.Check("resource", string(r), Resources()); err != nil {
			return err
		}
		if slices.Contains(s.Uncontended[:i], r) {
			return wrong("uncontended", r, "each resource once")
		}
	}
	if err := s.Clock.validate(); err != nil {
		return err
	}
	if err := s.Memory.validate(); err != nil {
		return err
	}
	if err := s.validatePattern(); err != nil {
		return err
	}
	if err := s.validateBroadcast(); err != nil {
		return err
	}
	if err := s.validateSenders(); err != nil {
		return err
	}
	return s.Faults.validate(s.Nodes)
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

func (c ClockSpec) validate() error {
	if err := names.Check("estimator", string(c.Estimator), Estimators()); err != nil {
		return err
	}
	if err := names.Check("oscillator set", c.Oscillators, OscillatorSets()); err != nil {
		return err
	}
	if c.Round < 0 || c.Round > sim.Duration(maxRoundS)*sim.Second {
		return wrong("clock.round", c.Round, "more than 0 and at most %d s", maxRoundS)
	}
	return nil
}

// maxRoundS keeps the time between rounds within a simulated day.
const maxRoundS = 86400

func (m MemorySpec) validate() error {
	if m.Homes != "" {
		if err := names.Check("home policy", m.Homes, HomePolicies()); err != nil {
			return err
		}
	}
	if m.Service != "" {
		return names.Check("service mode", m.Service, ServiceModes())
	}
	return nil
}

// validate checks the faults; nodes is 0 when the platform decides.
func (f FaultSpec) validate(nodes int) error {
	limit := nodes
	if limit == 0 {
		limit = MaxNodes
	}
	if !(f.BitError >= 0 && f.BitError <= 1) {
		return wrong("faults.bit_error", f.BitError, "a probability per byte, 0 to 1")
	}
	if f.BurstBytes < 0 || f.BurstBytes > maxBurst {
		return wrong("faults.burst_bytes", f.BurstBytes, "0 to %d bytes", maxBurst)
	}
	if !(f.DropAck >= 0 && f.DropAck < 1) {
		return wrong("faults.drop_ack", f.DropAck, "a probability per acknowledgement, 0 to below 1")
	}
	for i, s := range f.Stalls {
		path := fmt.Sprintf("faults.stalls[%d].", i)
		switch {
		case s.Node < 0 || s.Node >= limit:
			return wrong(path+"node", s.Node, "0 to %d", limit-1)
		case s.Start < 0:
			return wrong(path+"start", s.Start, "0 or later")
		case s.For <= 0:
			return wrong(path+"for", s.For, "more than 0")
		}
	}
	return nil
}

// maxBurst is the length of the longest error, a page.
const maxBurst = 4096

// isFile reports whether a platform is named by a file.
func isFile(platform string) bool {
	return strings.HasSuffix(platform, ".toml") || strings.ContainsAny(platform, `/\`)
}
