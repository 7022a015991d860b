package experiment

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
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
//
// A percentage behind full is a sample: that part of the messages in full, in windows, and the others fast.
type Detail string

// Details. The zero value is full.
const (
	DetailFull Detail = "full" // interfaces, firmware, network, packets
	DetailFast Detail = "fast" // LogGP: costs of messages by size
)

// Words returns the details, with one sample.
func (Detail) Words() names.Words { return names.NewWords("detail", "full", "fast", "full:10%") }

// Check returns an error unless d is one of them, or another sample.
func (d Detail) Check() error {
	if f := d.fraction(); f > 0 && f <= 1 {
		return nil
	}
	if d.sampled() {
		return wrong("detail", d, "full: and a percentage of the messages above 0 to 100, as %s:10%%", DetailFull)
	}
	return d.Words().Check(string(d))
}

func (d Detail) String() string { return string(d) }

// UnmarshalText takes a detail, or "".
func (d *Detail) UnmarshalText(name []byte) error {
	err := Detail(name).Check()
	if len(name) == 0 || err == nil {
		*d, err = Detail(name), nil
	}
	return err
}

// sampled reports whether d is a sample.
func (d Detail) sampled() bool { return strings.HasPrefix(string(d), string(DetailFull)+":") }

// fraction returns which part of the messages is in full, 0 if d is no sample.
func (d Detail) fraction() float64 {
	number, percent := strings.CutSuffix(strings.TrimPrefix(string(d), string(DetailFull)+":"), "%")
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || !percent || !d.sampled() {
		return 0
	}
	return f / 100
}

// costs reports whether messages have costs by size, all of them or some.
func (d Detail) costs() bool { return d == DetailFast || d.sampled() }

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
	// Workload names a program, or several at once joined by "+".
	Workload string `json:"workload" work:"yes" flag:"- an argument"`
	// Size is in the workload's unit (fft: complex points). 0 is the workload's own.
	Size int64 `json:"size" range:"0.." work:"yes" flag:"size" help:"problem size in the workload's unit, K, M and G allowed (default: the workload's own)"`
	// Platform is the name of a profile, or the path of a .toml file.
	Platform string `json:"platform" work:"no" flag:"platform" help:"hardware profile: a name or a .toml file"`
	Layer    string `json:"layer" work:"no" flag:"layer" help:"communication layer (default: the platform's own)"`
	Nodes    int    `json:"nodes" range:"0|2..1024" work:"no" flag:"nodes" help:"nodes, 2 to 1024 (default: the platform's own; of goal a node a rank)"`
	Seed     uint64 `json:"seed" range:"0.." work:"no" flag:"seed" help:"seed of all random numbers"`
	Detail   Detail `json:"detail,omitempty" optional:"yes" work:"no" flag:"detail" help:"how finely communication is modelled: %s (default: full)" group:"What is changed"`

	monitor.Options `group:"Monitor"`

	// Gang lets all nodes switch between programs at the same instants.
	Gang bool `json:"gang" work:"no" flag:"gang" help:"switch between programs at the same instants on all nodes" group:"What is changed"`

	Broadcast BroadcastName `json:"broadcast" optional:"yes" work:"no" flag:"broadcast" help:"how a node sends to all others: %s (default: separate)" group:"Program"`

	// Uncontended are resources without limit, each at most once.
	Uncontended []Resource `json:"uncontended" work:"no" flag:"uncontended" help:"resources with infinite capacity, see sigview help resources: %s" group:"What is changed"`

	// FreeAt are the nodes at which they are; none: at all, and in the network.
	FreeAt []int `json:"free_at,omitempty" work:"no" flag:"free-at" help:"nodes at which --uncontended resources are free (default: all)" group:"What is changed"`

	// FreePort is a port of a switch with infinite capacity; "": none.
	FreePort string `json:"free_port,omitempty" work:"no" flag:"free-port" help:"port of a switch with infinite capacity, as switch>node0" group:"What is changed"`

	// Quick is a program of several whose processes compute twice as fast as the host; "": none.
	Quick string `json:"quick,omitempty" work:"no" flag:"quick-program" help:"program of several that computes twice as fast" group:"What is changed"`

	// Policies act on what the monitor finds while the program runs, each at most once.
	Policies []Policy `json:"policies,omitempty" work:"no" flag:"policy" help:"what acts on findings while the program runs (default: nothing): %s" group:"What is changed"`

	Clock   ClockSpec   `json:"clock" work:"no" group:"Clocks"`
	Memory  MemorySpec  `json:"memory" work:"no" group:"Program"`
	Pattern PatternSpec `json:"pattern" work:"yes" group:"Program"`

	Schedule ScheduleSpec `json:"schedule,omitzero" group:"Program"`

	Job JobSpec `json:"job,omitzero" work:"yes" group:"Jobs of data centres"`

	Faults FaultSpec `json:"faults" work:"no" group:"Faults"`

	// Others change the hosts, cards and settings of the layer of some nodes.
	Others map[int]platform.Overlay `json:"-" work:"no" flag:"- for tests"`
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
	Homes   names.Word[svm.Homes]   `json:"homes" optional:"yes" flag:"homes" help:"homes of shared pages: %s (default: the workload's own)"`
	Service names.Word[svm.Service] `json:"service" optional:"yes" flag:"service" help:"how a home learns of requests: %s (default: the platform's own)"`
	// Check poisons slices of shared memory that are used past the next
	// synchronization.
	Check bool `json:"check" flag:"check-slices" help:"poison slices of shared memory after the next synchronization, to find stale uses"`
}

// PatternSpec says what a synthetic pattern sends.
type PatternSpec = patterns.Options

// JobSpec says what a job of a data centre does. A program has some of the options only; the zero value of one
// is the program's own choice.
type JobSpec struct {
	Algorithm  names.Word[allreduce.Algorithm] `json:"algorithm,omitempty" optional:"yes" flag:"algorithm" help:"for allreduce: the way of the numbers: %s (default: ring)"`
	Steps      int                             `json:"steps,omitempty" range:"0..10000" flag:"steps" help:"for allreduce and paramserver: sums, one after another (default: 4)"`
	ChunkBytes int                             `json:"chunk_bytes,omitempty" range:"0..1048576" flag:"chunk" help:"for allreduce and paramserver: bytes of the longest message, K allowed (default: 16K)"`
	ComputeUs  float64                         `json:"compute_us,omitempty" range:"0..1e7" flag:"compute" help:"what a node computes before each sum, operation or command"`
	Servers    int                             `json:"servers,omitempty" range:"0..1023" flag:"servers" help:"for paramserver, kv and blocks: servers, the first ones of the nodes (default: 1)"`
	Items      int                             `json:"items,omitempty" range:"0..1000000" flag:"items" help:"for kv: keys (default: 1000); for blocks: blocks of each initiator (default: 256)"`
	ItemBytes  int                             `json:"item_bytes,omitempty" range:"0..1048576" flag:"item-size" help:"for kv: bytes of a value (default: 128); for blocks: of a block (default: 4K)"`
	Reads      int                             `json:"reads,omitempty" range:"0..100" flag:"reads" help:"for kv and blocks: gets or reads relative to other operations (default: 90 or 70)"`
	Writes     int                             `json:"writes,omitempty" range:"0..100" flag:"writes" help:"for kv and blocks: puts or writes relative to other operations (default: 5 or 30)"`
	Atomics    int                             `json:"atomics,omitempty" range:"0..100" flag:"atomics" help:"for kv: additions to counters relative to other operations (default: 5)"`
	Zipf       float64                         `json:"zipf,omitempty" range:"0..3" flag:"zipf" help:"for kv: exponent of a Zipf law over the keys"`
	Access     names.Word[kv.Access]           `json:"access,omitempty" optional:"yes" flag:"access" help:"for kv: how clients reach the servers' memory: %s (default: one-sided where the layer can)"`
	Depth      int                             `json:"depth,omitempty" range:"0..256" flag:"depth" help:"for blocks: commands of an initiator under way (default: 8)"`
	DeviceUs   float64                         `json:"device_us,omitempty" range:"0..1e6" flag:"device-latency" help:"for blocks: latency of a device (default: 80us)"`
	DeviceMBps float64                         `json:"device_mbps,omitempty" range:"0..100000" flag:"device-rate" help:"for blocks: MB/s that a device moves (default: 3000)"`
}

// GOAL is the workload that replays a schedule.
const GOAL = "goal"

// ScheduleSpec is the schedule that the workload goal replays.
type ScheduleSpec struct {
	File string `json:"file" work:"no" flag:"schedule" help:"for goal: file with the schedule"`
	// SHA256 is the file's checksum; "": whatever the file holds. See Pinned.
	SHA256 string `json:"sha256" work:"yes" flag:"- of the file"`
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
