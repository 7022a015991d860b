package explain

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/slowest"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/sigview/sigview/trace/waits"
)

const (
	// longWaits is how many rows the table waits has of a log that is explained in windows, at the least.
	longWaits = 8_000_000
	// windowWaits is how many rows of the table waits begin in a window of a long log, about.
	windowWaits = 1_500_000
	// replayedWindows is how many windows have replays, so that those take no longer in a longer log.
	replayedWindows = 8
	// A window is read with 1/marginPart of its length before it and after it, so that what goes on there is known.
	marginPart = 16
)

// Windowed says that a log was explained in windows.
type Windowed struct {
	Waits            int64
	Windows, Replays int
}

// String says in a sentence what that means.
func (w Windowed) String() string {
	return fmt.Sprintf("In %d windows of time, %d of them replayed.", w.Windows, w.Replays)
}

// longLog reads parts of a log of waits.
type longLog struct {
	dir       string
	causes    []waits.ID        // by actor
	lasting   map[waits.ID]bool // processes and handlers
	processes int
	batches   []extent // of the table waits
	bins      []int64  // rows of it by their begin
	width     int64    // ps of a bin
}

// extent is what a batch of the table waits has.
type extent struct {
	period      account.Period
	first, last int64 // actor
}

// begun is a row of the table actors: who it is, and what began it.
type begun struct {
	Actor int64     `col:"actor" doc:"its number"`
	Type  string    `col:"type" doc:"what it is"`
	Tag   trace.Tag `col:"tag" doc:"its program"`
	Kind  string    `col:"kind" doc:"of a packet"`
	Span  int64     `col:"span" doc:"operation of a packet; 0: none"`
	Cause int64     `col:"cause" doc:"actor that began it; 0: none"`
}

// TableName implements trace.Row.
func (begun) TableName() string { return trace.ActorRow{}.TableName() }

// lasted is a row of the table waits: whose it is, and when.
type lasted struct {
	Actor   int64 `col:"actor" doc:"its number"`
	BeginPs int64 `col:"begin_ps" unit:"ps" doc:"its first instant"`
	EndPs   int64 `col:"end_ps" unit:"ps" doc:"its last instant"`
}

// TableName implements trace.Row.
func (lasted) TableName() string { return trace.WaitRow{}.TableName() }

// numBins is how many bins a run has of which windows are made.
const numBins = 1 << 12

// openLong reads what parts of a log have, and the actors of which wanted is true. The run takes so many ps.
func openLong(dir string, length int64, wanted func(begun) bool) (l *longLog, found []waits.ID, err error) {
	l = &longLog{dir: dir, causes: make([]waits.ID, 1), lasting: map[waits.ID]bool{}, bins: make([]int64, numBins), width: length/numBins + 1}
	err = rundir.Scan(dir, func(rows []begun) error {
		for _, r := range rows {
			id := waits.ID(len(l.causes))
			if r.Actor != int64(id) || r.Cause < 0 {
				return fmt.Errorf("table actors: actor %d, wanted %d", r.Actor, id)
			}
			l.causes = append(l.causes, waits.ID(r.Cause))
			if r.Type == waits.Process.String() || r.Type == waits.Handler.String() {
				l.lasting[id] = true
			}
			if r.Type == waits.Process.String() {
				l.processes++
			}
			if wanted(r) {
				found = append(found, id)
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return l, found, rundir.Scan(dir, func(rows []lasted) error {
		x := extent{account.Period{From: math.MaxInt64, To: math.MinInt64}, rows[0].Actor, rows[len(rows)-1].Actor}
		for _, r := range rows {
			x.period.From, x.period.To = min(x.period.From, r.BeginPs), max(x.period.To, r.EndPs)
			l.bins[min(max(r.BeginPs/l.width, 0), numBins-1)]++
		}
		l.batches = append(l.batches, x)
		return nil
	})
}

// cut returns windows of a time, each of a bin or more and with about so many rows.
func (l *longLog) cut(from, to, each int64) (out []account.Period) {
	begin, rows := from, int64(0)
	for i, n := range l.bins {
		// The bin ends here, if it is in the time at all.
		at := int64(i+1) * l.width
		if at <= from {
			continue
		}
		if rows += n; rows >= each && at < to {
			out, begin, rows = append(out, account.Period{From: begin, To: at}), at, 0
		}
	}
	if begin < to {
		out = append(out, account.Period{From: begin, To: to})
	}
	return out
}

// read reads a part of the log: all actors in a period, or some actors only.
func (l *longLog) read(of account.Period, only []waits.ID) (*account.Account, error) {
	r := account.PartOf(of, l.causes, l.lasting)
	if only != nil {
		m := r.Only()
		for _, id := range only {
			m.Add(id)
		}
	}
	want := func(i int) bool {
		x := l.batches[i]
		if x.period.To <= of.From || x.period.From >= of.To {
			return false
		}
		k, _ := slices.BinarySearch(only, waits.ID(x.first))
		return only == nil || k < len(only) && int64(only[k]) <= x.last
	}
	if err := rundir.ScanBatches(l.dir, want, r.Waits); err != nil {
		return nil, err
	}
	if err := rundir.Scan(l.dir, r.Holds); err != nil && !errors.Is(err, rundir.ErrNoTable) {
		return nil, err
	}
	r.Close()
	members := func(i int) bool { return r.Wants(waits.ID(i*rundir.BatchRows+1), waits.ID((i+1)*rundir.BatchRows+1)) }
	if err := rundir.ScanBatches(l.dir, members, r.Actors); err != nil {
		return nil, err
	}
	return r.Account()
}

// explainLong explains the time between two instants, in ps, of a log that is too long for one account.
func (t *Trace) explainLong(dir string, run *trace.Run, longest spans.Found, from, to int64, each int64) error {
	shown := operationsOf(longest)
	l, evidence, err := openLong(dir, 1000*run.Manifest.RunTimeNs(), func(r begun) bool {
		return shown[spans.ID{Tag: r.Tag, Span: r.Span}] && r.Kind != ""
	})
	if err != nil {
		return err
	}
	evidence = slices.AppendSeq(evidence, maps.Keys(l.lasting))
	windows := l.cut(from, to, each)
	every := (len(windows) + replayedWindows - 1) / replayedWindows
	sums, blocked := causal.NewLong(run.Manifest.Nodes, l.processes, from, t.Activity.Ends()...), spans.Blocking{}
	for i, w := range slices.Backward(windows) {
		margin := (w.To - w.From) / marginPart
		a, err := l.read(account.Period{From: w.From - margin, To: w.To + margin}, nil)
		if err != nil {
			return err
		}
		blocked.Add(a, w.From, w.To)
		slowest.Chains(a, longest, func(id waits.ID) { evidence = append(evidence, a.Number(id)) })
		sums.Add(a, w.From, w.To, i%every == every/2)
	}
	evidence = append(evidence, sums.Close()...)
	slices.Sort(evidence)
	a, err := l.read(account.Period{From: math.MinInt64, To: math.MaxInt64}, slices.Compact(evidence))
	if err != nil {
		return err
	}
	t.Explanation, t.Blocked, t.Slowest = sums.Explanation(a), blocked.Graph(), slowest.Of(a, longest)
	t.Windowed = &Windowed{run.Manifest.Rows(trace.WaitRow{}), sums.Windows, sums.WithReplays}
	return nil
}

// operationsOf returns the operations that are shown.
func operationsOf(longest spans.Found) map[spans.ID]bool {
	out := map[spans.ID]bool{}
	for _, list := range longest.Longest {
		for _, o := range list {
			out[spans.ID{Tag: o.Tag, Span: o.Span}] = o.Span != 0
		}
	}
	return out
}
