package explain

import (
	"github.com/sigview/sigview/analysis/activity"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/trace"
)

// Limits up to which a trace is explained unasked, so that this takes seconds and little memory.
const (
	briefPackets  = 300_000
	briefFindings = 50
)

// Brief is what a trace tells about causes.
type Brief struct {
	Findings []causal.Finding
	Activity activity.Activity
	Graph    spans.Graph
	Note     string // why there are no findings; empty when the trace was explained
}

// ExplainBriefly explains the trace of a run that has been read, by who waited for whom unless that
// is nil. Of a long trace it tells the phases only.
func ExplainBriefly(dir string, run trace.Run, known *account.Account) (*Brief, error) {
	if known == nil && (run.Manifest.Rows(trace.WaitRow{}) > 0 || run.Manifest.Rows(trace.PacketRow{}) > briefPackets) {
		barriers, err := barriers(dir)
		if err != nil {
			return nil, err
		}
		b := &Brief{Note: "the trace is long: sigview trace " + dir + " explains it"}
		b.Activity, err = phasesAndBursts(dir, barriers, run.Manifest.RunTimeNs(), 0)
		return b, err
	}
	t, err := Explain(dir, Question{Top: briefFindings, Run: &run, Account: known})
	if err != nil {
		return nil, err
	}
	b := &Brief{Findings: t.Findings, Activity: t.Activity, Graph: t.Blocked}
	if t.NoPath {
		b.Note = "the trace does not tell when processes wait"
	}
	return b, nil
}

// barriers reads the operations that end phases.
func barriers(dir string) (out []trace.SpanRow, err error) {
	err = scan(dir, func(rows []trace.SpanRow) error {
		for _, r := range rows {
			if r.Operation == string(trace.OpBarrier) {
				out = append(out, r)
			}
		}
		return nil
	})
	return out, err
}
