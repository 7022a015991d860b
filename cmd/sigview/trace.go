package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis/activity"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/analysis/causal/rebuild"
	"github.com/sigview/sigview/analysis/causal/slowest"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/cmd/sigview/internal/tui"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/sigview/sigview/trace/waits"
)

func (a *app) traceCommand() *cobra.Command {
	top, phase, records, json := 5, 0, false, false
	var faster []string
	cmd := &cobra.Command{
		Use:   "trace DIR",
		Short: "Explain a traced run: who waited for whom, and what that cost",
		Long: `Reads a traced run and shows its critical path, the waiting for each resource
with those for whom it was, and the findings by the run time that they cost.
Findings are of the grade attributed: the trace shows who waited for whom. What
a cost would be without the cause is a replay of the trace; sigview why runs the
program to test it. --faster asks for other replays.

A run with --trace=waits has a table in which the model itself says who waited
for whom. From any other trace of packets and operations that is rebuilt, as it
would be from the monitors of real interfaces. --records does so although there
is a table, and says how well the two agree. A trace of packets alone has phases
and bursts only.

The phases of a run go from barrier to barrier or, without barriers, from one
rate of packets to another. With --phase the path and all findings are those of
one phase.`,
		Example: `  sigview run fft --trace=waits -o fft
  sigview trace fft
  sigview trace fft --phase 1
  sigview trace fft --records
  sigview trace fft --faster host_dma,cpu=1.5,send_slot=free
  sigview trace fft --top 1 --json`,
		Args: exactly("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			if top < 1 {
				return usagef("--top is %d, want 1 or more", top)
			}
			changes, err := parseFaster(faster)
			if err != nil {
				return err
			}
			// What is made of a trace is large and stays: little garbage, collected often.
			defer debug.SetGCPercent(debug.SetGCPercent(10))
			t, err := a.explain(args[0], asked{top: top, phase: phase, records: records, changes: changes})
			if err != nil {
				return err
			}
			format := formatText
			if json {
				format = formatJSON
			}
			return a.data("", func(w io.Writer) error {
				return print(w, t, format, a.style(), func() ([]byte, error) { return report.TraceJSON(t, version.Tool()) })
			})
		},
	}
	cmd.Flags().IntVar(&top, "top", top, "findings to show, and operations of each kind")
	cmd.Flags().IntVar(&phase, "phase", phase, "explain this phase of the run only, by its number")
	cmd.Flags().BoolVar(&records, "records", false, "rebuild who waited for whom from the records of the monitors alone")
	cmd.Flags().StringSliceVar(&faster, "faster", nil, "predict the run time with these resources faster: RESOURCE, RESOURCE=FACTOR (default 2) or RESOURCE=free")
	jsonFlag(cmd.Flags(), &json)
	return cmd
}

// asked is what a report of who waited for whom is to show.
type asked struct {
	top, phase int
	records    bool
	changes    []causal.Faster
	run        *trace.Run       // the run without its trace, if that has been read
	known      *account.Account // who waited for whom, if that has been read
}

// explain explains a traced run.
func (a *app) explain(dir string, q asked) (t report.Trace, err error) {
	run := q.run
	if run == nil {
		read, err := a.lab.summary(dir)
		if err != nil {
			return t, err
		}
		run = &read
	}
	t = report.Trace{Manifest: run.Manifest, Online: run.Online, Top: q.top, Phase: q.phase}
	var operations []trace.SpanRow
	var steps []trace.StepRow
	err = a.lab.trace.Spans(dir, func(rows []trace.SpanRow) error { operations = append(operations, rows...); return nil })
	if err != nil {
		return t, err
	}
	if err = a.lab.trace.Steps(dir, func(rows []trace.StepRow) error { steps = append(steps, rows...); return nil }); err != nil {
		return t, err
	}
	account, err := a.account(dir, rebuild.Trace{Signature: run.Signature, Spans: operations, Steps: steps}, q, &t)
	if err != nil {
		return t, err
	}
	if t.Activity, err = a.activity(dir, operations, run.Manifest.RunTimeNs(), q.top); err != nil {
		return t, err
	}
	from, to, err := t.Activity.Part(q.phase)
	if err != nil {
		return t, usagef("--phase %d: %v", q.phase, err)
	}
	if ran := run.Manifest.RunTimeNs(); q.phase == 0 && ran > 0 {
		to = 1000 * ran // a library may go on for a moment after its program has ended
	}
	t.Slowest = slowest.Find(account, operations, steps, q.top)
	t.Blocked = blocked(account)
	graph := graph.New(account)
	t.Explanation = causal.ExplainPart(graph, from, to)
	t.Dir, t.Ports = dir, portNames(run.Ports)
	if t.Mute {
		return t, nil
	}
	t.Outcomes = causal.Predict(graph, q.changes)
	findings := t.Explanation.Findings()
	t.Findings = findings[:min(len(findings), q.top)]
	t.More = len(findings) - len(t.Findings)
	return t, nil
}

// Limits up to which the views explain a trace by themselves, so that this takes seconds and
// little memory.
const (
	explainedPackets  = 300_000
	explainedFindings = 50
)

// explained tells the views of causes in a traced run: by who waited for whom, unless that is
// nil. Of a long trace it tells the phases only.
func (a *app) explained(dir string, run trace.Run, known *account.Account) (*tui.Explained, error) {
	if known == nil && (rowsOf[trace.WaitRow](&run.Manifest) > 0 || rowsOf[trace.PacketRow](&run.Manifest) > explainedPackets) {
		barriers, err := a.barriers(dir)
		if err != nil {
			return nil, err
		}
		e := &tui.Explained{Note: "the trace is long: sigview trace " + dir + " explains it"}
		e.Activity, err = a.activity(dir, barriers, run.Manifest.RunTimeNs(), 0)
		return e, err
	}
	t, err := a.explain(dir, asked{top: explainedFindings, run: &run, known: known})
	if err != nil {
		return nil, err
	}
	e := &tui.Explained{Findings: t.Findings, Activity: t.Activity, Graph: t.Blocked}
	if t.Mute {
		e.Note = "the trace does not tell when processes wait"
	}
	return e, nil
}

// portNames returns the names of a network's channels.
func portNames(rows []trace.PortRow) map[int32]string {
	out := map[int32]string{}
	for _, r := range rows {
		out[int32(r.Port)] = r.Name
	}
	return out
}

// barriers reads the operations that end phases.
func (a *app) barriers(dir string) (out []trace.SpanRow, err error) {
	err = a.lab.trace.Spans(dir, func(rows []trace.SpanRow) error {
		for _, r := range rows {
			if r.Operation == string(trace.OpBarrier) {
				out = append(out, r)
			}
		}
		return nil
	})
	return out, err
}

// blocked sums up who waited for whom in all of a run.
func blocked(a *account.Account) spans.Graph {
	b := spans.NewBlocked()
	for r := range a.ActorRows() {
		b.AddActors([]trace.ActorRow{r})
	}
	for r := range a.WaitRows() {
		b.AddWaits([]trace.WaitRow{r})
	}
	for r := range a.HoldRows() {
		b.AddHolds([]trace.HoldRow{r})
	}
	return b.Done()
}

// parseFaster reads the changes of a what-if.
func parseFaster(texts []string) (list []causal.Faster, err error) {
	for _, text := range texts {
		f, err := causal.ParseFaster(text)
		if err != nil {
			return nil, usagef("--faster %s: %v", text, err)
		}
		list = append(list, f)
	}
	return list, nil
}

// account returns who waited for whom in a run: by the model's table, or rebuilt from the
// records of its monitors. It notes in t which, and how well they agree if it has both. With
// records of packets alone nobody is known to wait.
func (a *app) account(dir string, from rebuild.Trace, q asked, t *report.Trace) (*account.Account, error) {
	known, records, err := q.known, q.records, error(nil)
	if known == nil {
		known, err = a.lab.trace.Waits(dir, nil)
	}
	if err != nil && !errors.Is(err, rundir.ErrNoTable) || err == nil && !records {
		return known, err
	}
	if len(from.Steps) == 0 { // what processes did is made of their operations
		if records || rowsOf[trace.PacketRow](&t.Manifest) == 0 {
			return nil, untold(dir)
		}
		t.Mute, t.Bare = true, true
		return account.Resolve(waits.NewLog())
	}
	err = a.lab.trace.Section(dir, rundir.WholeTrace, func(rows []trace.PacketRow) error {
		from.Packets = append(from.Packets, rows...)
		return nil
	})
	if err == nil && len(from.Packets) == 0 {
		err = untold(dir)
	}
	if err != nil {
		return nil, err
	}
	t.Rebuilt, t.LeftOut, t.Mute = true, from.Partial(), !from.Tells()
	log := rebuild.Log(from)
	from = rebuild.Trace{} // not needed beside two accounts
	rebuilt, err := account.Resolve(log)
	if err == nil && known != nil {
		s := rebuild.Compare(known, rebuilt)
		t.Score = &s
	}
	return rebuilt, err
}

// untold says that a run has nothing that tells who waited for whom.
func untold(dir string) error {
	return fmt.Errorf("%s has no table of waiting, and no trace of packets and operations to rebuild it from: record it with sigview run --trace=waits", dir)
}

// activity finds the phases of a run, and its bursts: what they are, of the first ones.
func (a *app) activity(dir string, spans []trace.SpanRow, length int64, top int) (activity.Activity, error) {
	out := activity.Activity{Phases: activity.Barriers(spans, length), Dir: dir}
	series, tally := activity.NewSeries(), activity.NewTally(out.Phases)
	err := a.lab.passages(dir, func(rows []activity.Passage) error {
		series.Add(rows)
		tally.Add(rows)
		return nil
	})
	if err != nil && !errors.Is(err, rundir.ErrNoTable) {
		return out, err
	}
	out.Length = max(length, series.End())
	if out.ByRate = len(out.Phases) == 0; out.ByRate {
		out.Phases = series.Rates()
	}
	out.Bursts = series.Bursts()
	out.More = max(len(out.Bursts)-top, 0)
	out.Bursts = out.Bursts[:len(out.Bursts)-out.More]
	for i := range out.Bursts {
		b := &out.Bursts[i]
		in := rundir.Section{FromNs: b.From, ToNs: b.To, Nodes: []int64{int64(b.Node)}}
		if err := a.lab.trace.Section(dir, in, func(rows []trace.PacketRow) error { b.Look(rows); return nil }); err != nil {
			return out, err
		}
	}
	return out, nil
}

// scanWaits reads the tables of who waited for whom: of all of the run, or only what was
// in a period.
func scanWaits(dir string, of *account.Period) (*account.Account, error) {
	if members, err := rundir.Members(dir); err == nil && len(members) > 0 {
		return nil, usagef("%s holds several runs, want one of them: %s", dir, members[0])
	}
	r := &account.Reader{}
	if of != nil {
		r = account.ReaderOf(*of)
	}
	if err := rundir.Scan(dir, r.Actors); err != nil {
		return nil, err
	}
	if err := rundir.Scan(dir, r.Waits); err != nil {
		return nil, err
	}
	if err := rundir.Scan(dir, r.Holds); err != nil && !errors.Is(err, rundir.ErrNoTable) {
		return nil, err
	}
	return r.Account()
}
