package experiment

import (
	"reflect"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm/nx"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/allreduce"
	"github.com/sigview/sigview/workloads/kv"
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
	TraceWaits   = monitor.TraceWaits
)

// Selection says which packets are traced.
type Selection = monitor.Selection

// SelectionForm says how a selection is written.
const SelectionForm = monitor.SelectionForm

// SelectionKeys lists the properties by which packets are selected.
func SelectionKeys() []string { return monitor.SelectionKeys() }

// Resource names something that packets contend for. A run can have it uncontended,
// with infinite capacity. If a latency then falls to its baseline, contention for that
// resource had raised it.
type Resource = trace.Resource

// The resources that can be uncontended.
const (
	CPU    = trace.CPU
	MemBus = trace.MemBus
	PCI    = trace.PCI
	HDMA   = trace.HDMA
	SRAM   = trace.SRAM
	LANai  = trace.Processor
	Slots  = trace.Slots
	SDMA   = trace.SDMA
	Ports  = trace.Ports
)

// Estimator is a way to find the offset and rate of a remote clock.
type Estimator = cluster.Estimator

// The two estimators.
const (
	EstimatorPublished = cluster.Published
	EstimatorImproved  = cluster.Improved
)

// Detail says how finely communication is modelled.
type Detail = names.Word[details]

// Details. The zero value is full.
const (
	DetailFull Detail = "full" // interfaces, firmware, network, packets
	DetailFast Detail = "fast" // LogGP: costs of messages by size
)

type details struct{}

func (details) Words() names.Words { return names.NewWords("detail", "full", "fast") }

// Limits of a run's specification.
const (
	MinNodes = 2
	MaxNodes = 1024
)

// RunSpec specifies one monitored run. It is stored in the run's manifest. The zero value
// of a field means the platform's or the workload's own choice where the comment says so.
// The tag work says whether a field is of what the programs do, so that runs that differ in
// it are not to be compared (see Work), or of how it is done.
type RunSpec struct {
	Workload string `json:"workload" work:"yes"`               // several at once are joined by "+"
	Size     int64  `json:"size" range:"0.." work:"yes"`       // in the workload's unit (fft: complex points); 0: the workload's own
	Platform string `json:"platform" work:"no"`                // name of a profile, or path of a .toml file
	Layer    string `json:"layer" work:"no"`                   // communication layer; "": the platform's own
	Nodes    int    `json:"nodes" range:"0|2..1024" work:"no"` // 0: the platform's own
	Seed     uint64 `json:"seed" range:"0.." work:"no"`
	Detail   Detail `json:"detail,omitempty" optional:"yes" work:"no"` // "": full

	monitor.Options

	// Gang lets all nodes switch between programs at the same instants.
	Gang bool `json:"gang" work:"no"`

	Broadcast BroadcastName `json:"broadcast" optional:"yes" work:"no"` // of programs that pass messages; "": separate

	Uncontended []Resource `json:"uncontended" work:"no"` // resources without limit, each at most once

	// Policies act on what the monitor finds while the program runs, each at most once.
	Policies []Policy `json:"policies,omitempty" work:"no"`

	Clock   ClockSpec   `json:"clock" work:"no"`
	Memory  MemorySpec  `json:"memory" work:"no"`
	Pattern PatternSpec `json:"pattern" work:"yes"`

	Schedule ScheduleSpec `json:"schedule,omitzero"`

	Job JobSpec `json:"job,omitzero" work:"yes"`

	Faults FaultSpec `json:"faults" work:"no"`
}

// Work returns the fields of a run's specification, by their JSON names, that say what work
// is done.
func Work() []string {
	work, _ := analysis.Work(reflect.TypeFor[RunSpec]())
	return work
}

// Policy is a way to act on findings while the program runs.
type Policy = names.Word[policies]

// The policies.
const (
	MigrateHomes Policy = "homes"    // pages of shared memory get the node that uses them as home
	Throttle     Policy = "throttle" // senders keep fewer packets in flight to a port that they swamp
	Coschedule   Policy = "gang"     // nodes switch between programs at the same instants if that helps
)

type policies struct{}

func (policies) Words() names.Words { return names.NewWords("policy", "homes", "throttle", "gang") }

// ClockSpec says how clocks drift and how global time is kept.
type ClockSpec = cluster.Clock

// BroadcastName is the name of a way of broadcast.
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

// JobSpec says what a job of a data centre does. A program has some of the options only; the zero value of one
// is the program's own choice.
type JobSpec struct {
	Algorithm  names.Word[allreduce.Algorithm] `json:"algorithm,omitempty" optional:"yes"`
	Steps      int                             `json:"steps,omitempty" range:"0..10000"`
	ChunkBytes int                             `json:"chunk_bytes,omitempty" range:"0..1048576"`
	ComputeUs  float64                         `json:"compute_us,omitempty" range:"0..1e7"`
	Servers    int                             `json:"servers,omitempty" range:"0..1023"`
	Items      int                             `json:"items,omitempty" range:"0..1000000"`
	ItemBytes  int                             `json:"item_bytes,omitempty" range:"0..1048576"`
	Reads      int                             `json:"reads,omitempty" range:"0..100"`
	Writes     int                             `json:"writes,omitempty" range:"0..100"`
	Atomics    int                             `json:"atomics,omitempty" range:"0..100"`
	Zipf       float64                         `json:"zipf,omitempty" range:"0..3"`
	Access     names.Word[kv.Access]           `json:"access,omitempty" optional:"yes"`
	Depth      int                             `json:"depth,omitempty" range:"0..256"`
	DeviceUs   float64                         `json:"device_us,omitempty" range:"0..1e6"`
	DeviceMBps float64                         `json:"device_mbps,omitempty" range:"0..100000"`
}

// GOAL is the workload that replays a schedule.
const GOAL = "goal"

// ScheduleSpec is the schedule that the workload goal replays.
type ScheduleSpec struct {
	File string `json:"file" work:"no"`
	// SHA256 is the file's checksum; "": whatever the file holds. See Pinned.
	SHA256 string `json:"sha256" work:"yes"`
}

// FaultSpec specifies injected faults. Stalls and the loss of acknowledgements begin
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

// Programs returns the names of the workloads that run at the same time.
func (s RunSpec) Programs() []string { return strings.Split(s.Workload, "+") }

// MaxPrograms is the largest number of programs that run at the same time; the
// histograms tell them apart.
const MaxPrograms = 4
