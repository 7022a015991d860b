package causal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Retries sums steps of operations.
type Retries map[string]*retried

type retried struct {
	ns, times, of int64
	nodes         map[int64]bool
}

// AddSteps adds the steps of operations.
func (r Retries) AddSteps(rows []trace.StepRow) {
	for i := range rows {
		x := &rows[i]
		s := entry(r, x.Operation, retried{})
		if s.nodes == nil {
			s.nodes = map[int64]bool{}
		}
		if s.nodes[x.Node] = true; x.Order == 0 {
			s.of++
		}
		if x.Step == string(trace.StepRetry) {
			s.ns += x.DurationNs
			s.times++
		}
	}
}

// List returns the operations of which some have tried again, the longest first.
func (r Retries) List() (out []Retry) {
	for operation, s := range r {
		if s.times > 0 {
			out = append(out, Retry{operation, 1000 * s.ns / int64(len(s.nodes)), s.times, s.of})
		}
	}
	slices.SortFunc(out, func(a, b Retry) int {
		return cmp.Or(cmp.Compare(b.Mean, a.Mean), cmp.Compare(a.Operation, b.Operation))
	})
	return out
}

// triedAgain makes the finding of operations that try again.
func (e *Explanation) triedAgain(r *Retry) Finding {
	w := worth{cost: r.Mean, most: r.Mean}
	f := e.priced(w, 0, r.Mean)
	name := strings.ReplaceAll(r.Operation, "_", " ")
	f.Cause, f.Resource, f.Culprit = "contention for what is locked", waits.Event.String(), name+" operations of other processes"
	f.Text = fmt.Sprintf("Contention: %s of %s try again, because another process has or has changed what they want: on average %s.",
		analysis.Plural(int(r.Times), name+" operation"), analysis.Digits(r.Of), e.costs(w))
	return f
}
