package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/rundir"
	"github.com/sigview/sigview/trace"
)

// traceSchema is the version of trace's JSON document.
const traceSchema = 1

func (a *app) traceCommand() *cobra.Command {
	top, json := 5, false
	cmd := &cobra.Command{
		Use:   "trace DIR",
		Short: "Explain a traced run: who waited for whom, and what that cost",
		Long: `Reads a run that was recorded with --trace=waits and shows its critical path, the
waiting for each resource with those for whom it was, and the findings by the
run time that they cost. Findings are of the grade attributed: the trace shows
who waited for whom. What a cost would be without the cause is a replay of the
trace; sigview why runs the program to test it.`,
		Example: `  sigview run fft --trace=waits -o fft
  sigview trace fft
  sigview trace fft --top 1 --json`,
		Args: exactly("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			if top < 1 {
				return usagef("--top %d: wanted 1 or more", top)
			}
			run, err := a.lab.summary(args[0])
			if err != nil {
				return err
			}
			account, err := a.lab.waits(args[0])
			if errors.Is(err, rundir.ErrNoTable) {
				return fmt.Errorf("%s has no table of waiting: record it with sigview run --trace=waits", args[0])
			}
			if err != nil {
				return err
			}
			e := causal.Explain(causal.NewGraph(account), 0)
			findings := e.Findings()
			shown := findings[:min(len(findings), top)]
			return a.print(json, newTraceDocument(run.Manifest, e, shown), traceTables(run.Manifest, e, shown, len(findings)))
		},
	}
	cmd.Flags().IntVar(&top, "top", top, "findings to show")
	jsonFlag(cmd.Flags(), &json)
	return cmd
}

// scanWaits reads the tables of who waited for whom.
func scanWaits(dir string) (*causal.Account, error) {
	var r causal.Reader
	if err := rundir.Scan(dir, r.Actors); err != nil {
		return nil, err
	}
	if err := rundir.Scan(dir, r.Waits); err != nil {
		return nil, err
	}
	return r.Account()
}

// traceDocument is trace's JSON document.
type traceDocument struct {
	judge.Stamp
	Findings     []causal.Finding `json:"findings"`
	CriticalPath struct {
		LengthUs  float64       `json:"length_us"`
		RunTimeUs float64       `json:"run_time_us"`
		Parts     analysis.View `json:"parts"`
	} `json:"critical_path"`
	Queues          analysis.View `json:"queues"`
	AttributedShare float64       `json:"attributed_share"`
	LostRecords     int64         `json:"lost_records"`
}

func newTraceDocument(m trace.Manifest, e *causal.Explanation, findings []causal.Finding) traceDocument {
	d := traceDocument{
		Stamp: platformStamp(traceSchema, m.Seed, m.Platform.Name), Findings: findings, Queues: e.QueuesView(),
		AttributedShare: e.AttributedShare(), LostRecords: m.Lost.TraceRecords,
	}
	if findings == nil {
		d.Findings = []causal.Finding{}
	}
	for _, u := range e.Path {
		d.CriticalPath.LengthUs += float64(u.Length()) / 1e6
	}
	d.CriticalPath.RunTimeUs, d.CriticalPath.Parts = float64(e.Length())/1e6, e.PathView()
	return d
}

func traceTables(m trace.Manifest, e *causal.Explanation, findings []causal.Finding, all int) report.Tables {
	t := report.Tables{
		Title: m.Title() + ": who waited for whom",
		Views: []analysis.View{e.PathView(), e.QueuesView()},
	}
	for _, f := range findings {
		t.Lead = append(t.Lead, f.Text+" Evidence: "+f.Proof())
	}
	if all == 0 {
		t.Lead = []string{"No waiting costs as much as 1 % of the run time."}
	}
	if all > len(findings) {
		t.Lead = append(t.Lead, fmt.Sprintf("%d more with --top %d.", all-len(findings), all))
	}
	t.Remarks = append(t.Remarks, fmt.Sprintf("All findings are of the grade %v. %.2f %% of the waiting has a holder in the trace.", trace.Attributed, 100*e.AttributedShare()))
	return t
}
