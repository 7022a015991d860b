package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/causal/slowest"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/trace"
)

// Trace is what a report of who waited for whom shows.
type Trace struct{ *explain.Trace }

func (t Trace) title() string {
	title := t.Manifest.Title() + ": who waited for whom"
	if t.Phase > 0 {
		title += fmt.Sprintf(" in phase %d", t.Phase)
	}
	return title
}

func (t Trace) blocks(bool) []block {
	var items []string
	for _, f := range t.Findings {
		items = append(items, strings.TrimSpace(f.Text+" "+f.More))
	}
	out := []block{heading(1, t.title())}
	if t.Causes != nil {
		out = append(out, para(t.Causes.String()))
	}
	switch {
	case t.PacketsOnly:
		out = append(out, para("This trace has packets only, of real hosts or very many. They tell when much happened, but not who waited for whom."))
	case t.NoPath:
		out = append(out, para("What costs run time cannot be told from records of this program, which "+t.lacks()+": record it with --trace=waits. "+t.sampled()+"For whom packets wait is known:"), bullets(t.Longest()))
	case len(items) == 0:
		out = append(out, para("No waiting costs as much as 1 % of the run time."))
	default:
		out = append(out, bullets(items))
	}
	if t.Phase > 0 {
		p := t.Activity.Phases[t.Phase-1]
		out = append(out, para(fmt.Sprintf("Phase %d of %d, from %s. The run time is that of the phase, but in what-ifs.",
			t.Phase, len(t.Activity.Phases), analysis.Period(p.From, p.To))))
	}
	if t.More > 0 {
		out = append(out, para(fmt.Sprintf("%d more with --top %d.", t.More, t.More+len(t.Findings))))
	}
	if len(t.Findings) > 0 {
		out = append(out, view(causal.CommandsView(t.Findings)))
	}
	if len(t.Online) > 0 {
		out = append(out, heading(2, "Found while the program ran"), bullets(analysis.OnlineLines(t.Online)))
	}
	if !t.PacketsOnly {
		out = append(out, t.grade())
	}
	if t.Rebuilt {
		out = append(out, para(t.source()))
	}
	if len(t.Outcomes) > 0 {
		v := causal.OutcomesView(t.Outcomes)
		out = append(out, heading(2, v.Title), view(v))
	}
	if t.Causes != nil {
		out = append(out, difference(t.Causes, nil)...)
	}
	for _, v := range t.views() {
		out = append(out, heading(2, v.Title), view(v))
	}
	if len(t.Activity.Phases) > 1 {
		v := t.Activity.PhasesView(t.Top)
		out = append(out, heading(2, v.Title), view(v))
	}
	if len(t.Events) > 0 {
		v := causal.EventsView(t.Events)
		out = append(out, heading(2, v.Title), view(v))
	}
	if len(t.Activity.Bursts) > 0 {
		v := t.Activity.BurstsView(t.Manifest.Program)
		out = append(out, heading(2, v.Title), view(v))
	}
	out = append(out, t.operations()...)
	if len(t.Findings) > 0 {
		out = append(out, heading(2, "Evidence"))
		for _, f := range t.Findings {
			out = append(out, para("Of "+f.Cause+":"), bullets(f.Evidence))
		}
	}
	return out
}

// brief is the findings as a table, and what the critical path is made of.
func (t Trace) brief() []block {
	if len(t.Findings) == 0 {
		return t.blocks(false)
	}
	said := fmt.Sprintf("The run time is %s.", analysis.Time(float64(t.Length())/1000))
	if t.Causes != nil {
		said += " " + t.Causes.String()
	}
	out := []block{heading(1, t.title()), para(said), view(causal.FindingsView(t.Findings))}
	for _, v := range append([]analysis.View{t.PathView()}, t.Activity.PhasesView(t.Top)) {
		if len(v.Rows) > 1 {
			out = append(out, heading(2, v.Title), view(v))
		}
	}
	return append(out, para(fmt.Sprintf("Grade: %v, from who waited for whom in the trace. Costs: what a run without the cause saves, estimated: at least half the lesser of what the critical path and a replay say, at most twice the larger.", trace.Attributed)+t.windowed()+t.doubts()))
}

// grade says what the findings rest on.
func (t Trace) grade() block {
	if t.NoPath {
		return para(fmt.Sprintf("Grade: %v. The trace shows for whom packets waited: %.1f %% of all waiting has a holder in it.", trace.Attributed, 100*t.AttributedShare()))
	}
	text := fmt.Sprintf(
		"Grade: %v. The trace shows who waited for whom: %.1f %% of all waiting has a holder in it. What is unlike its peers comes first, then by what a run without it saves. That is the saving of a replay or, of an event and where the replay saves more than is credible, what is on the critical path; in brackets from half the lesser of the two to twice the larger. A run decides: sigview why.",
		trace.Attributed, 100*t.AttributedShare())
	if slices.ContainsFunc(t.Findings, func(f causal.Finding) bool { return f.Rest }) {
		text += " Where hardly anything waits, what the run is made of stands last."
	}
	return para(text + t.windowed() + t.doubts())
}

// windowed says that a long log is explained in windows.
func (t Trace) windowed() string {
	if t.Windowed == nil {
		return ""
	}
	return " " + t.Windowed.String()
}

// lacks says why records tell no critical path.
func (t Trace) lacks() string {
	if t.Manifest.Rows(trace.StepRow{}) > 0 && t.Sample != nil {
		return fmt.Sprintf("are of more than %d packets", explain.LongTrace)
	}
	return "have nothing of when its processes wait"
}

// sampled says which packets are looked at, if not all.
func (t Trace) sampled() string {
	if t.Sample == nil {
		return ""
	}
	return t.Sample.String() + " "
}

// doubts names what only runs can tell.
func (t Trace) doubts() string {
	list := t.Doubted()
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf(" Replays without the queue at the %s save more than is credible beside the path, and are no findings: sigview why %s tests them.", strings.Join(list, ", "), t.Dir)
}

// views are those of the path and of the waiting.
func (t Trace) views() (out []analysis.View) {
	if t.PacketsOnly {
		return nil
	}
	if t.NoPath {
		return []analysis.View{t.QueuesView()}
	}
	out = []analysis.View{t.PathView(), t.NodesView()}
	if len(t.Manifest.Tags) > 1 {
		out = append(out, t.ProgramsView(t.Manifest.Program))
	}
	return append(out, t.OperationsView(), t.QueuesView(), t.StatesView(), t.NearView())
}

// operations shows the slowest operations, and of each kind one as a waterfall.
func (t Trace) operations() (out []block) {
	if len(t.Slowest) == 0 {
		return nil
	}
	v := t.slowest()
	out = append(out, heading(2, v.Title), view(v))
	for _, o := range t.Slowest {
		if o.Longest {
			w := o.Waterfall()
			if len(t.Manifest.Tags) > 1 {
				w.Title += " of " + t.Manifest.Program(o.Tag)
			}
			out = append(out, heading(2, w.Title), view(w))
		}
	}
	return out
}

// slowest is the view of the slowest operations.
func (t Trace) slowest() analysis.View {
	if len(t.Manifest.Tags) < 2 {
		return slowest.View(t.Slowest, nil)
	}
	return slowest.View(t.Slowest, t.Manifest.Program)
}

// source says that the account is rebuilt, and how well it agrees with the model's.
func (t Trace) source() string {
	text := "Who waited for whom is rebuilt from what the monitors recorded of packets and operations. Which bus of a node packets wait for, and what switches are set to, cannot be told from records: --trace=waits records it."
	if t.LeftOut > 0 {
		text += fmt.Sprintf(" %d packets of which one end has no record are left out.", t.LeftOut)
	}
	if s := t.Score; s != nil && s.Waiting > 0 {
		share := func(ps int64) float64 { return 100 * float64(ps) / float64(s.Waiting) }
		text += fmt.Sprintf(" Of the waiting time of packets that the model knows of, %.1f %% is at the right resource, %.1f %% also for a packet or process of the right kind and node, and %.1f %% for the right one; %.1f %% is waiting that is none.",
			share(s.Resource), share(s.Culprit), share(s.Holder), share(s.Invented))
	}
	return text
}

// scoreDoc holds shares of the waiting time of packets that the model knows of.
type scoreDoc struct {
	Resource float64 `json:"resource_share"`
	Culprit  float64 `json:"culprit_share"`
	Holder   float64 `json:"holder_share"`
	Invented float64 `json:"invented_share"`
}

func (t Trace) score() *scoreDoc {
	s := t.Score
	if s == nil || s.Waiting == 0 {
		return nil
	}
	all := float64(s.Waiting)
	return &scoreDoc{float64(s.Resource) / all, float64(s.Culprit) / all, float64(s.Holder) / all, float64(s.Invented) / all}
}

type traceDoc struct {
	SchemaVersion   int              `json:"schema_version"`
	ToolVersion     string           `json:"tool_version"`
	Seed            uint64           `json:"seed"`
	Workload        string           `json:"workload"`
	Platform        string           `json:"platform"`
	Nodes           int              `json:"nodes"`
	Grade           trace.Grade      `json:"grade"`
	Rebuilt         bool             `json:"rebuilt"`
	LeftOut         *int             `json:"left_out_packets,omitempty"`
	Sampled         int64            `json:"sampled_packets,omitempty"` // those that tell for whom packets wait, unless all do
	Windows         int              `json:"windows,omitempty"`         // in which a long log is explained
	Phase           int              `json:"phase,omitempty"`
	Score           *scoreDoc        `json:"score,omitempty"`
	Findings        []causal.Finding `json:"findings"`
	Causes          *causesDoc       `json:"causes,omitempty"` // of the difference to another run
	WhatIf          analysis.View    `json:"what_if"`
	CriticalPath    *pathDoc         `json:"critical_path"`
	Queues          analysis.View    `json:"queues"`
	States          analysis.View    `json:"states"`
	Near            analysis.View    `json:"near"`
	Phases          analysis.View    `json:"phases"`
	Bursts          analysis.View    `json:"bursts"`
	Events          analysis.View    `json:"events"`
	Slowest         analysis.View    `json:"slowest"`
	Blocked         analysis.View    `json:"blocked"`
	AttributedShare float64          `json:"attributed_share"`
	LostRecords     int64            `json:"lost_records"`
	Online          analysis.View    `json:"online"`
}

type pathDoc struct {
	LengthUs  float64       `json:"length_us"`
	RunTimeUs float64       `json:"run_time_us"`
	Parts     analysis.View `json:"parts"`
	Nodes     analysis.View `json:"by_node"`
	Programs  analysis.View `json:"by_program"`
	Ops       analysis.View `json:"by_operation"`
}

// traceSchema is the version of the JSON document of trace.
const traceSchema = 1

// TraceJSON returns the report as one JSON document, with the version of the program that
// made it.
func TraceJSON(t Trace, toolVersion string) ([]byte, error) {
	d := traceDoc{
		SchemaVersion: traceSchema, ToolVersion: toolVersion, Seed: t.Manifest.Seed, Workload: t.Manifest.Workload,
		Platform: t.Manifest.Platform.Name, Nodes: t.Manifest.Nodes, Grade: trace.Attributed, Rebuilt: t.Rebuilt, Phase: t.Phase, Score: t.score(), Findings: list(t.Findings),
		WhatIf:       causal.OutcomesView(t.Outcomes),
		CriticalPath: &pathDoc{Parts: t.PathView(), Nodes: t.NodesView(), Programs: t.ProgramsView(t.Manifest.Program), Ops: t.OperationsView()},
		Queues:       t.QueuesView(), States: t.StatesView(), Near: t.NearView(), Phases: t.Activity.PhasesView(t.Top), Bursts: t.Activity.BurstsView(t.Manifest.Program), Events: causal.EventsView(t.Events), Slowest: t.slowest(), Blocked: t.Blocked.View(), AttributedShare: t.AttributedShare(), LostRecords: t.Manifest.Lost.TraceRecords, Online: analysis.OnlineView(t.Online),
	}
	if t.Rebuilt {
		d.LeftOut = &t.LeftOut
	}
	if t.Sample != nil {
		d.Sampled = t.Sample.Packets
	}
	if t.Windowed != nil {
		d.Windows = t.Windowed.Windows
	}
	if t.Causes != nil {
		d.Causes = &causesDoc{t.Causes.String(), t.Causes.View()}
	}
	d.CriticalPath.RunTimeUs = float64(t.Manifest.RunTimeNs()) / 1000
	for _, u := range t.Path {
		d.CriticalPath.LengthUs += float64(u.Length()) / 1e6
	}
	if t.NoPath {
		d.CriticalPath = nil
	}
	return encode(d)
}
