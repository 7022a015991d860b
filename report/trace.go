package report

import (
	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/trace"
)

// Trace is what a report of who waited for whom shows.
type Trace struct {
	Manifest trace.Manifest
	*causal.Explanation
	Findings []causal.Finding // the first ones
	More     int              // findings that are not shown
}

func (t Trace) title() string { return t.Manifest.Title() + ": who waited for whom" }

func (t Trace) blocks(bool) []block {
	var items []string
	for _, f := range t.Findings {
		items = append(items, f.Text)
	}
	out := []block{heading(1, t.title())}
	if len(items) == 0 {
		out = append(out, para("No waiting costs as much as 1 % of the run time."))
	} else {
		out = append(out, bullets(items))
	}
	if t.More > 0 {
		out = append(out, para(fmt.Sprintf("%d more with --top %d.", t.More, t.More+len(t.Findings))))
	}
	out = append(out, para(fmt.Sprintf(
		"Grade: %v. The trace shows who waited for whom: %.1f %% of all waiting has a holder in it. Findings are ranked by the middle between what is on the critical path and what a replay saves. What a run without it saves is tested by sigview why.",
		trace.Attributed, 100*t.AttributedShare())))
	for _, v := range []analysis.View{t.PathView(), t.QueuesView(), t.StatesView(), t.NearView()} {
		out = append(out, heading(2, v.Title), view(v))
	}
	if len(t.Findings) > 0 {
		out = append(out, heading(2, "Evidence"))
		for _, f := range t.Findings {
			out = append(out, para("Of "+f.Cause+":"), bullets(f.Evidence))
		}
	}
	return out
}

type traceDoc struct {
	SchemaVersion   int              `json:"schema_version"`
	ToolVersion     string           `json:"tool_version"`
	Seed            uint64           `json:"seed"`
	Workload        string           `json:"workload"`
	Platform        string           `json:"platform"`
	Nodes           int              `json:"nodes"`
	Grade           trace.Grade      `json:"grade"`
	Findings        []causal.Finding `json:"findings"`
	CriticalPath    pathDoc          `json:"critical_path"`
	Queues          analysis.View    `json:"queues"`
	States          analysis.View    `json:"states"`
	Near            analysis.View    `json:"near"`
	AttributedShare float64          `json:"attributed_share"`
	LostRecords     int64            `json:"lost_records"`
}

type pathDoc struct {
	LengthUs  float64       `json:"length_us"`
	RunTimeUs float64       `json:"run_time_us"`
	Parts     analysis.View `json:"parts"`
}

// TraceSchema is the version of the JSON document of trace.
const TraceSchema = 1

// TraceJSON returns the report as one JSON document, with the version of the program that
// made it.
func TraceJSON(t Trace, toolVersion string) ([]byte, error) {
	d := traceDoc{
		SchemaVersion: TraceSchema, ToolVersion: toolVersion, Seed: t.Manifest.Seed, Workload: t.Manifest.Workload,
		Platform: t.Manifest.Platform.Name, Nodes: t.Manifest.Nodes, Grade: trace.Attributed, Findings: list(t.Findings),
		CriticalPath: pathDoc{Parts: t.PathView()},
		Queues:       t.QueuesView(), States: t.StatesView(), Near: t.NearView(), AttributedShare: t.AttributedShare(), LostRecords: t.Manifest.Lost.TraceRecords,
	}
	for _, p := range t.Manifest.Tags {
		d.CriticalPath.RunTimeUs = max(d.CriticalPath.RunTimeUs, float64(p.RunTimeNs)/1000)
	}
	for _, u := range t.Path {
		d.CriticalPath.LengthUs += float64(u.Length()) / 1e6
	}
	return encode(d)
}
