package explain

import (
	"github.com/sigview/sigview/analysis/activity"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/internal/usercache"
	"github.com/sigview/sigview/trace"
)

// Limits up to which a trace is explained unasked, so that this takes seconds and little memory.
const (
	briefPackets  = 300_000 // of which nothing but records is known
	briefFindings = 50
)

// Brief is what a trace tells about causes.
type Brief struct {
	Findings []causal.Finding
	Events   []causal.Event // what happens to nodes, and when
	Path     causal.Split   // the critical path; empty if the trace does not tell it
	Activity activity.Activity
	Graph    spans.Graph
	Note     string // why there are no findings; empty when the trace was explained
}

// ExplainBriefly explains the trace of a run that has been read, by who waited for whom unless that
// is nil. Of a long trace it tells the phases only. What takes long is kept in the user's cache directory.
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
	if !Kept(run.Manifest) {
		return explainAll(dir, run, known)
	}
	return keptBrief(usercache.Open("causes"), dir, run, known)
}

// Causes returns what cost run time in a run of the model that recorded who waited for whom, or what that is rebuilt from;
// an empty Brief if the trace is long. What takes long is kept in the user's cache directory.
func Causes(dir string, run trace.Run) (*Brief, error) {
	if !explained(run.Manifest) {
		return &Brief{}, nil
	}
	return AllCauses(dir, run)
}

// AllCauses is Causes of a table of waiting of any length. It takes as long as sigview trace.
func AllCauses(dir string, run trace.Run) (*Brief, error) {
	if !explained(run.Manifest) && run.Manifest.Rows(trace.WaitRow{}) == 0 {
		return &Brief{}, nil
	}
	return keptBrief(usercache.Open("causes"), dir, run, nil)
}

// explained reports whether a run's trace tells who waited for whom, and is not long. What is rebuilt takes up to 5 KB for each packet.
func explained(m trace.Manifest) bool {
	n, packets := m.Rows(trace.WaitRow{}), m.Rows(trace.PacketRow{})
	if n == 0 {
		return m.Rows(trace.SpanRow{}) > 0 && packets > 0 && packets <= briefPackets && !m.Real()
	}
	return n+packets <= LongTrace
}

// keptRows is the number of rows of a trace from which on its explanation takes long enough to be kept.
const keptRows = 100_000

// Kept reports whether an explanation of a run's trace takes long enough to be kept.
func Kept(m trace.Manifest) bool {
	return m.Rows(trace.WaitRow{})+m.Rows(trace.PacketRow{}) >= keptRows
}

// keptBrief returns the explanation of a trace that has been kept, or else makes and keeps it.
func keptBrief(kept usercache.Cache, dir string, run trace.Run, known *account.Account) (*Brief, error) {
	var of struct {
		Brief
		Selects [][]string // of the findings' commands, which are no part of documents
	}
	key := struct {
		Dir      string
		Manifest trace.Manifest
	}{dir, run.Manifest} // with the digests of all files
	if kept.Get(key, &of) && len(of.Selects) == len(of.Findings) {
		for i, list := range of.Selects {
			for j := range list {
				of.Findings[i].Commands[j].Select = list[j]
			}
		}
		return &of.Brief, nil
	}
	b, err := explainAll(dir, run, known)
	if err != nil {
		return nil, err
	}
	of.Brief = *b
	for _, f := range b.Findings {
		list := []string{}
		for _, k := range f.Commands {
			list = append(list, k.Select)
		}
		of.Selects = append(of.Selects, list)
	}
	kept.Put(key, of)
	return b, nil
}

func explainAll(dir string, run trace.Run, known *account.Account) (*Brief, error) {
	t, err := Explain(dir, Question{Top: briefFindings, Run: &run, Account: known})
	if err != nil {
		return nil, err
	}
	b := &Brief{Findings: t.Findings, Events: t.Events, Activity: t.Activity, Graph: t.Blocked}
	if b.Path = t.Split(); t.NoPath {
		b.Path = causal.Split{}
		b.Note = "records of this program do not tell when its processes wait; record it with --trace=waits"
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
