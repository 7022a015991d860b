package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/trace"
)

// Run is what a report of one run shows.
type Run struct {
	Manifest  trace.Manifest
	Signature analysis.Signature
	Diagnosis analysis.Diagnosis
	Causes    []causal.Finding // of a trace that tells who waited for whom
	Events    []causal.Event   // that the trace tells
	// Operations is empty unless the run recorded them.
	Operations []analysis.Operation
	Gaps       []trace.GapRow // of a trace of packets
	Online     []trace.OnlineRow
	Congestion analysis.Congestion
	Histograms []trace.HistogramRow
	Phases     []trace.SpanRow // that the timeline names
	Timeline   *Timeline       // nil: none is shown
}

// Of makes the report of a run, whose tables include the baseline.
func Of(run trace.Run) Run {
	s := analysis.Of(run)
	r := Run{
		Manifest: run.Manifest, Signature: s, Diagnosis: analysis.Diagnose(s, analysis.FactsOf(run)),
		Operations: analysis.Operations(run.Spans, run.Steps), Gaps: run.Gaps, Online: run.Online, Histograms: run.Histograms,
		Congestion: analysis.CongestionOf(run),
	}
	if run.Spans != nil {
		for s := range run.Spans {
			r.AddPhases([]trace.SpanRow{s})
		}
	}
	return r
}

// AddPhases adds the phases among the spans that the timeline names: the first of node 0.
func (r *Run) AddPhases(spans []trace.SpanRow) {
	for _, s := range spans {
		if s.Operation == string(trace.OpPhase) && s.Node == 0 && s.Tag == 0 && len(r.Phases) < maxPhases {
			r.Phases = append(r.Phases, s)
		}
	}
}

func (r Run) title() string { return r.Manifest.Title() }

// story is the first line: which packets wait where.
func (r Run) story() string {
	text := r.Diagnosis.Story(func(tag trace.Tag) string { return r.Manifest.Program(tag) })
	if !r.Manifest.Verified {
		text = "RESULT NOT VERIFIED. " + text
	}
	return text
}

func (r Run) blocks(full bool) []block {
	out := []block{heading(1, r.story()), para(r.title() + ": " + outcome(r.Manifest))}
	tags := r.Signature.Tags()
	for _, tag := range tags {
		if len(tags) > 1 {
			out = append(out, heading(2, fmt.Sprintf("%s (tag %d)", r.Manifest.Program(tag), tag)))
		}
		for i, c := range WayCharts(r.Signature, tag) {
			b := figure(c)
			b.Rich = i >= 2
			out = append(out, b)
		}
	}
	if len(r.Causes) > 0 {
		out = append(out, heading(2, "What costs run time"), bullets(r.causes()), para("From the trace: sigview trace shows what they rest on."))
	}
	out = append(out, heading(2, "What deviates"), bullets(r.Diagnosis.Summary))
	if seen := analysis.Seen(r.Manifest.Seen); len(seen) > 0 {
		out = append(out, heading(2, "What the kernel was seen to do"), bullets(seen))
	}
	if len(r.Online) > 0 {
		out = append(out, heading(2, "Found while the program ran"), bullets(analysis.OnlineLines(r.Online)))
	}
	for _, tag := range tags {
		out = append(out, r.packets(tag, full)...)
	}
	out = append(out, r.operations()...)
	out = append(out, r.congestion()...)
	out = append(out, r.runTimes()...)
	if r.Timeline != nil {
		out = append(out, heading(2, "Over time"), picture(r.Timeline.chart(r.Phases, r.Events, r.Manifest.Packets)))
		out[len(out)-2].Rich = true
	}
	if len(r.Events) > 0 {
		v := causal.EventsView(r.Events)
		out = append(out, heading(2, v.Title), view(v))
	}
	if len(r.Gaps) > 0 {
		out = append(out, heading(2, "Gaps in the trace"), view(analysis.GapsView(r.Gaps)))
	}
	return append(out, heading(2, "How it was run"), bullets(append(warned(r.warnings()), facts(r.Manifest)...)))
}

// mostCauses are as many as a report has of a trace.
const mostCauses = 5

// causes are the first findings of the trace, in words.
func (r Run) causes() (out []string) {
	for _, f := range r.Causes[:min(len(r.Causes), mostCauses)] {
		out = append(out, f.Text)
	}
	return out
}

// brief is the way of some packets of the first program, or without a baseline of the one whose packets take most time in all, and
// what costs them most.
func (r Run) brief() []block {
	out := []block{heading(1, r.story()), para(r.title() + ": " + outcome(r.Manifest))}
	if tags := r.Signature.Tags(); len(tags) > 0 {
		if ways := WayCharts(r.Signature, slices.MaxFunc(tags, func(a, b trace.Tag) int { return cmp.Compare(r.taken(a), r.taken(b)) })); len(ways) > 0 {
			out = append(out, figure(ways[0]))
		}
	}
	found := slices.Concat(r.Congestion.Lines(), analysis.Seen(r.Manifest.Seen), r.Diagnosis.Worst(briefItems))
	return append(out, bullets(found[:min(len(found), briefItems)]), bullets(warned(r.warnings())))
}

// taken is the time that the packets of a program took in all, in ns; with a baseline, which says what is long, it is 0.
func (r Run) taken(tag trace.Tag) (ns float64) {
	for _, p := range analysis.Whole(r.Signature.ByClass(), tag) {
		if p.Stat(trace.Source).BaselineNs.OK {
			return 0
		}
		ns += p.TakenNs()
	}
	return ns
}

// packets returns the signature of a program, with its pictures.
func (r Run) packets(tag trace.Tag, full bool) []block {
	sizes := analysis.Whole(r.Signature.BySize(), tag)
	out := []block{
		heading(2, fmt.Sprintf("Performance signature of %s (tag %d)", r.Manifest.Program(tag), tag)),
		figure(SignatureCharts(sizes)...), view(analysis.LatenciesView(analysis.Whole(r.Signature.ByClass(), tag))), sizesTable(sizes, full), r.kinds(tag),
	}
	if tails := tailChart(r.Histograms, tag, r.Manifest.Real()); !tails.Empty() {
		out = append(out, picture(tails))
	}
	out = append(out, pairs(heatCharts(r.Histograms, sizes, tag))...)
	return append(out, pairs(matrixCharts(r.Signature.ByPair(), r.Manifest.Nodes, tag))...)
}

// warnings returns the warnings of the manifest and of the signature, each once.
func (r Run) warnings() []string {
	return analysis.Join(r.Manifest.Warnings, r.Diagnosis.Warnings)
}

func sizesTable(rows []analysis.Packets, full bool) block {
	if full {
		return view(analysis.SizesView(rows))
	}
	v := analysis.SizesView(analysis.Doublings(rows))
	v.Note += " Size bins are grouped by doublings."
	return view(v)
}

func (r Run) kinds(tag trace.Tag) block {
	return view(analysis.KindsView(slices.DeleteFunc(r.Signature.ByKind(), func(p analysis.Packets) bool { return p.Tag != tag })))
}

// operations returns the sections on operations of several packets, in runs that recorded
// them.
func (r Run) operations() []block {
	var whole, phases []analysis.Operation
	for _, o := range r.Operations {
		if o.Operation == string(trace.OpPhase) {
			phases = append(phases, o)
		} else {
			whole = append(whole, o)
		}
	}
	var out []block
	if len(whole) > 0 {
		out = append(out, heading(2, "Operations"), picture(operationsChart(whole, r.operation)), view(analysis.OperationsView(whole, r.operation)))
	}
	if len(phases) > 0 {
		out = append(out, heading(2, "Phases"), view(analysis.PhasesView(phases, r.operation)))
	}
	return out
}

// operation returns the name of an operation, with its program if there are several.
func (r Run) operation(o analysis.Operation) string {
	name := cmp.Or(o.Name, o.Operation)
	if len(r.Manifest.Tags) > 1 {
		name = r.Manifest.Program(o.Tag) + ": " + name
	}
	return name
}

// congestion returns the sections on ports and flows, of networks whose switches have buffers.
func (r Run) congestion() (out []block) {
	if ports := r.Congestion.PortsView(); len(ports.Rows) > 0 {
		out = append(out, heading(2, "Crowded and halted ports"), view(ports))
	}
	if carried := r.Congestion.CarriedView(); len(carried.Rows) > 0 {
		out = append(out, heading(2, "Ports that dropped packets"), view(carried))
	}
	if flows := r.Congestion.FlowsView(r.Manifest.Program); len(flows.Rows) > 0 {
		out = append(out, heading(2, "Flows that were held up"), view(flows))
	}
	return out
}

// runTimes returns the tables of run time, one for each program.
func (r Run) runTimes() []block {
	byTag := map[trace.Tag][]trace.Shares{}
	for _, s := range r.Manifest.Shares {
		byTag[s.Tag] = append(byTag[s.Tag], s)
	}
	if len(byTag) == 1 {
		return []block{heading(2, "Run time per node"), picture(runTimeChart(r.Manifest.Shares)), view(analysis.RunTimeView(r.Manifest.Shares, true))}
	}
	var out []block
	for _, p := range r.Manifest.Tags {
		if all := byTag[p.Tag]; len(all) > 0 {
			out = append(out, heading(2, fmt.Sprintf("Run time of %s (tag %d) per node", p.Name, p.Tag)), picture(runTimeChart(all)), view(analysis.RunTimeView(all, true)))
		}
	}
	return out
}

type runDoc struct {
	SchemaVersion   int                `json:"schema_version"`
	ToolVersion     string             `json:"tool_version"`
	Seed            uint64             `json:"seed"`
	Seeds           []uint64           `json:"seeds,omitempty"` // of several runs, whose means these are
	Workload        string             `json:"workload"`
	Platform        string             `json:"platform"`
	PlatformDigest  string             `json:"platform_digest"`
	Nodes           int                `json:"nodes"`
	Tags            []trace.Program    `json:"tags"`
	Verified        bool               `json:"verified"`
	Verification    string             `json:"verification"`
	SimulatedS      float64            `json:"simulated_s"`
	Packets         int64              `json:"packets"`
	FirmwarePackets map[string]int64   `json:"firmware_packets"`
	Lost            trace.Lost         `json:"lost"`
	Clock           trace.ClockQuality `json:"clock"`
	RunTimeShares   analysis.View      `json:"run_time_shares"`
	Story           string             `json:"story"`
	Summary         []string           `json:"summary"`
	Findings        analysis.View      `json:"findings"`
	Causes          []causal.Finding   `json:"causes,omitempty"` // of a trace that tells who waited for whom
	Warnings        []string           `json:"warnings"`
	Signature       analysis.View      `json:"signature"`
	Classes         analysis.View      `json:"classes"`
	Pairs           analysis.View      `json:"pairs"`
	Sequences       analysis.View      `json:"sequences"`
	Operations      analysis.View      `json:"operations"`
	Gaps            analysis.View      `json:"gaps"`
	Online          analysis.View      `json:"online"`
	Ports           *analysis.View     `json:"ports,omitempty"` // of networks whose switches have buffers
	Pauses          *analysis.View     `json:"pauses,omitempty"`
	Flows           *analysis.View     `json:"flows,omitempty"`
}

// JSON returns the run as one JSON document. Lists are never null.
func JSON(r Run) ([]byte, error) {
	m := r.Manifest
	d := runDoc{
		SchemaVersion: trace.SchemaVersion, ToolVersion: m.ToolVersion, Seed: m.Seed, Seeds: m.Seeds, Workload: m.Workload,
		Platform: m.Platform.Name, PlatformDigest: m.Platform.Digest, Nodes: m.Nodes, Tags: list(m.Tags),
		Verified: m.Verified, Verification: m.Verification, SimulatedS: float64(m.SimulatedNs) / 1e9,
		Packets: m.Packets, FirmwarePackets: m.FirmwarePackets, Lost: m.Lost, Clock: m.Clock,
		RunTimeShares: analysis.RunTimeView(m.Shares, false), Story: r.story(), Summary: list(r.Diagnosis.Summary),
		Findings: r.Diagnosis.View(), Causes: r.Causes, Warnings: list(r.warnings()), Signature: analysis.SizesView(r.Signature.BySize()),
		Classes: analysis.ClassesView(r.Signature.ByClass()), Pairs: analysis.PairsView(r.Signature.ByPair()),
		Sequences:  analysis.SequencesView(r.Signature.BySequence()),
		Operations: analysis.PhasesView(r.Operations, r.operation), Gaps: analysis.GapsView(r.Gaps),
		Online: analysis.OnlineView(r.Online),
	}
	if len(r.Congestion.Ports) > 0 {
		ports, pauses, flows := r.Congestion.Views()
		d.Ports, d.Pauses, d.Flows = &ports, &pauses, &flows
	}
	if d.FirmwarePackets == nil {
		d.FirmwarePackets = map[string]int64{}
	}
	return encode(d)
}
