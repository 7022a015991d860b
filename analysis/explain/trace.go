package explain

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"

	"github.com/sigview/sigview/analysis/activity"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/analysis/causal/rebuild"
	"github.com/sigview/sigview/analysis/causal/slowest"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/sigview/sigview/trace/waits"
)

// Question is what is asked of a traced run.
type Question struct {
	Top     int             `json:"top" range:"1.."`   // findings, and operations of each kind
	Phase   int             `json:"phase" range:"0.."` // that is explained; 0: the whole run
	Records bool            `json:"-"`                 // rebuild who waited for whom from the records of the monitors alone
	Faster  []causal.Faster `json:"-"`                 // resources of which a replay is asked
	Against string          `json:"-"`                 // directory of a run that this one is compared with; "": none
	Frugal  bool            `json:"-"`                 // collect garbage of the whole program often

	Run     *trace.Run       `json:"-"` // the run without its trace; nil: it is read
	Account *account.Account `json:"-"` // who waited for whom; nil: it is read
}

// Trace is a traced run explained.
type Trace struct {
	Manifest trace.Manifest
	*causal.Explanation
	Activity    activity.Activity
	Online      []trace.OnlineRow   // what was found while the program ran
	Top         int                 // how many phases are shown
	Phase       int                 // that is explained; 0: the whole run
	Outcomes    []causal.Outcome    // of the replays that are asked for
	Slowest     []slowest.Operation // by kind
	Blocked     spans.Graph         // who waited for whom in the whole run
	Findings    []causal.Finding    // the first ones
	More        int                 // findings that are left out
	Rebuilt     bool                // from the records of monitors, not by the model itself
	NoPath      bool                // the records do not show when processes wait, so there is no critical path
	PacketsOnly bool                // there are no records but of packets, of real hosts or very many without an index, so nobody is known to wait
	Windowed    *Windowed           // the windows in which a long log was explained; nil: as a whole
	Sample      *Sample             // the packets that tell for whom packets wait; nil: all
	LeftOut     int                 // packets with the record of one end only, of which that knows nothing
	Causes      *causal.Difference  // of what the difference to the run that is compared with is made; nil: none is
	Score       *rebuild.Score      // how well that agrees with the model, if it is known
}

// LongTrace is the number of rows of a trace above which nothing explains it unasked.
const LongTrace = 4_000_000

// rebuiltPackets is the number of records of packets above which a sample is rebuilt, which takes 1.7 KB for each, and more with operations.
const rebuiltPackets = 1_000_000

// Explain explains a traced run. It returns an error if the run has neither a table of waiting
// nor a trace, and a *bounds.Error if it has no such phase.
func Explain(dir string, q Question) (*Trace, error) {
	asked := q
	asked.Run, asked.Account = nil, nil // of the program, and large
	if err := bounds.Check("", asked); err != nil {
		return nil, err
	}
	if q.Run == nil {
		run, err := ReadSummary(dir)
		if err != nil {
			return nil, err
		}
		q.Run = &run
	}
	t := &Trace{Manifest: q.Run.Manifest, Online: q.Run.Online, Top: q.Top, Phase: q.Phase}
	records := rebuild.Trace{Signature: q.Run.Signature, Repeats: q.Run.Manifest.Lost.Retransmitted > 0}
	retries := causal.Retries{}
	longest, err := LongestOperations(dir, q.Top,
		func(rows []trace.SpanRow) { records.Spans = append(records.Spans, rows...) },
		func(rows []trace.StepRow) {
			records.Steps = append(records.Steps, rows...)
			retries.AddSteps(rows)
		})
	if err != nil {
		return nil, err
	}
	if t.Activity, err = phasesAndBursts(dir, records.Spans, q.Run.Manifest.RunTimeNs(), q.Top); err != nil {
		return nil, err
	}
	from, to, err := t.Activity.Part(q.Phase)
	if err != nil {
		return nil, err
	}
	if ran := q.Run.Manifest.RunTimeNs(); q.Phase == 0 && ran > 0 {
		to = 1000 * ran // a library may go on for a moment after its program has ended
	}
	if q.Frugal { // what is made of a trace is large and stays, but not what is read in one pass as above
		defer debug.SetGCPercent(debug.SetGCPercent(10))
	}
	var g *graph.Graph // of all of the log
	if q.inWindows() {
		err = t.explainLong(dir, q.Run, longest, from, to, windowWaits)
	} else {
		g, err = t.explainWhole(dir, q, records, longest, from, to)
	}
	if err != nil || t.Sample != nil {
		return t, err
	}
	t.Retries, t.Explanation.Records = retries.List(), t.Rebuilt
	t.Dir, t.Ports, t.Tags = dir, portNames(q.Run.Ports), programs(t.Manifest)
	if q.Phase == 0 {
		t.Halts = causal.HaltsOf(q.Run.Ports)
	}
	if t.NoPath {
		return t, nil
	}
	if g != nil {
		t.Outcomes = causal.Predict(g, q.Faster)
	}
	if q.Against != "" {
		other, err := Explain(q.Against, Question{Top: q.Top, Phase: q.Phase, Records: q.Records})
		if err != nil {
			return nil, err
		}
		if other.NoPath {
			return nil, bounds.Wrong("run to compare with", q.Against, "one whose trace tells when processes wait: sigview run --trace=waits")
		}
		d := causal.Differ(other.Split(), t.Split())
		t.Causes = &d
	}
	findings := t.Explanation.Findings()
	t.Findings = findings[:min(len(findings), q.Top)]
	t.More = len(findings) - len(t.Findings)
	return t, nil
}

// inWindows reports whether a run has a log that is too long to be explained as a whole. A replay that is asked for is of all of it.
func (q *Question) inWindows() bool {
	return q.Account == nil && !q.Records && len(q.Faster) == 0 && q.Run.Manifest.Rows(trace.WaitRow{}) >= longWaits
}

// explainWhole explains the time between two instants, in ps, from one account of all of the run. It returns what the pieces depend on.
func (t *Trace) explainWhole(dir string, q Question, records rebuild.Trace, longest spans.Found, from, to int64) (*graph.Graph, error) {
	account, err := t.account(dir, records, q)
	if err != nil {
		return nil, err
	}
	t.Slowest, t.Blocked = slowest.Of(account, longest), spans.Blocked(account)
	if t.PacketsOnly && !t.Manifest.Real() {
		if err := t.sample(dir, q.Run, from, to); err != nil || t.Sample != nil {
			return nil, err
		}
	}
	g := graph.New(account)
	t.Explanation = causal.ExplainPart(g, from, to, t.Activity.Ends()...)
	return g, nil
}

// account returns who waited for whom in a run: by the model's table, or rebuilt from the
// records of its monitors. It notes which, and how well they agree if the run has both. With
// records of packets alone nobody is known to wait.
func (t *Trace) account(dir string, from rebuild.Trace, q Question) (*account.Account, error) {
	known, err := q.Account, error(nil)
	if known == nil {
		known, err = ReadWaits(dir, nil)
	}
	if err != nil && !errors.Is(err, rundir.ErrNoTable) || err == nil && !q.Records {
		return known, err
	}
	packets := t.Manifest.Rows(trace.PacketRow{})
	// Nothing is known of the interfaces of real hosts, and of many packets a sample tells for whom they wait.
	most := int64(rebuiltPackets)
	if len(from.Steps) > 0 {
		most = LongTrace // a sample does not tell what processes wait for
	}
	if packets > most || t.Manifest.Real() && packets > 0 {
		t.NoPath, t.PacketsOnly = true, true
		return account.Resolve(waits.NewLog())
	}
	from.Cards = hasCards(dir)
	err = ScanPackets(dir, rundir.WholeTrace, func(rows []trace.PacketRow) error {
		from.Packets = append(from.Packets, rows...)
		return nil
	})
	if err == nil && len(from.Packets) == 0 {
		err = untold(dir)
	}
	if err != nil {
		return nil, err
	}
	t.Rebuilt, t.LeftOut, t.NoPath = true, from.Partial(), !from.HasWaits()
	log := rebuild.Log(from)
	from.Packets = nil // no longer needed, and large
	rebuilt, err := account.Resolve(log)
	if err == nil && known != nil {
		s := rebuild.Compare(known, rebuilt)
		t.Score = &s
	}
	return rebuilt, err
}

// hasCards reports whether the interfaces of a run are cards of pipelines, by its hardware profile. A run without one has none.
func hasCards(dir string) bool {
	var p struct{ Verbs *struct{} }
	text, err := inputfile.ReadText(filepath.Join(dir, trace.PlatformFile))
	return err == nil && json.Unmarshal(text, &p) == nil && p.Verbs != nil
}

// sample explains a time between two instants of a run by a sample of its packets, if its trace allows that.
func (t *Trace) sample(dir string, run *trace.Run, from, to int64) error {
	in := &source{dir: dir, run: run, cards: hasCards(dir)}
	e, s, err := sampled(in, from, to, max(samplePackets, sampleEach*float64(run.Manifest.Nodes)))
	if err != nil || s == nil {
		return err
	}
	gaps, err := stops(in, t.Activity.Silent, from, to)
	if err != nil {
		return err
	}
	e.Events = causal.Stops(gaps)
	t.Explanation, t.Sample, t.LeftOut = e, s, s.leftOut
	t.Dir, t.Ports, t.Tags = dir, portNames(run.Ports), programs(t.Manifest)
	t.Rebuilt, t.PacketsOnly = true, false
	return nil
}

// untold says that a run has nothing that tells who waited for whom.
func untold(dir string) error {
	return fmt.Errorf("%s has no table of waiting, and no trace of packets to rebuild it from: record it with sigview run --trace=waits", dir)
}

// programs returns the names of the programs of a run of several.
func programs(m trace.Manifest) (out []string) {
	for _, t := range m.Tags {
		out = append(out, t.Name)
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// portNames returns the names of a network's channels.
func portNames(rows []trace.PortRow) map[int32]string {
	out := map[int32]string{}
	for _, r := range rows {
		out[int32(r.Port)] = r.Name
	}
	return out
}
