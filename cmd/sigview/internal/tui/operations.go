package tui

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/trace"
)

// operation sums up all spans of one name and program.
type operation struct {
	tag       trace.Tag
	name      string
	durations []int64 // sorted, ns
	meanNs    trace.Opt[float64]
	halfNs    trace.Opt[float64] // half width of the mean's interval
	totalNs   int64
	packets   int64
	boundNs   int64
	steps     []opStep
}

// opStep sums up one step of an operation.
type opStep struct {
	name    string
	totalNs int64
	count   int64
}

// operations collects the spans of a run.
type operations struct {
	at   map[opKey]int
	list []operation
}

type opKey struct {
	tag  trace.Tag
	name string
}

func newOperations() *operations { return &operations{at: map[opKey]int{}} }

func (o *operations) addSpans(rows []trace.SpanRow) {
	for _, r := range rows {
		name := r.Operation
		if r.Name != "" {
			name += " " + r.Name
		}
		k := opKey{r.Tag, name}
		i, ok := o.at[k]
		if !ok {
			i = len(o.list)
			o.at[k] = i
			o.list = append(o.list, operation{tag: r.Tag, name: name})
		}
		x := &o.list[i]
		x.durations = append(x.durations, r.DurationNs)
		x.totalNs += r.DurationNs
		x.packets += r.Packets
		x.boundNs = max(x.boundNs, r.BoundNs)
	}
}

func (o *operations) addStages(rows []trace.StepRow) {
	for _, r := range rows {
		i, ok := o.at[opKey{r.Tag, r.Operation}]
		if !ok {
			continue
		}
		x := &o.list[i]
		k := slices.IndexFunc(x.steps, func(s opStep) bool { return s.name == r.Step })
		if k < 0 {
			k = len(x.steps)
			x.steps = append(x.steps, opStep{name: r.Step})
		}
		x.steps[k].totalNs += r.DurationNs
		x.steps[k].count++
	}
}

// done returns the operations, the costliest first.
func (o *operations) done() []operation {
	for i := range o.list {
		slices.Sort(o.list[i].durations)
		o.list[i].meanNs, o.list[i].halfNs = meanOf(o.list[i].durations)
	}
	slices.SortStableFunc(o.list, func(a, b operation) int {
		return cmp.Or(cmp.Compare(b.totalNs, a.totalNs), strings.Compare(a.name, b.name))
	})
	return o.list
}

// rank returns the value at a share of a sorted list.
func rank(sorted []int64, share float64) trace.Opt[float64] {
	if len(sorted) == 0 {
		return trace.Opt[float64]{}
	}
	return trace.Some(float64(sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]))
}

// each returns the mean time of a step, in ns.
func (o operation) each(st opStep) trace.Opt[float64] {
	return trace.Opt[float64]{Value: float64(st.totalNs) / float64(max(len(o.durations), 1)), OK: len(o.durations) > 0}
}

// share returns the share of a step in the time of the operation.
func (o operation) share(st opStep) float64 {
	if o.totalNs <= 0 {
		return 0
	}
	return min(max(float64(st.totalNs)/float64(o.totalNs), 0), 1)
}

func (o operation) step(name string) (opStep, bool) {
	for _, st := range o.steps {
		if st.name == name {
			return st, true
		}
	}
	return opStep{}, false
}

// meanOf returns the mean, and half the width of its 95 % interval if the values
// are independent. Fewer than 30 values have no interval.
func meanOf(values []int64) (mean, half trace.Opt[float64]) {
	n := float64(len(values))
	if n == 0 {
		return mean, half
	}
	sum, square := 0.0, 0.0
	for _, v := range values {
		sum += float64(v)
	}
	mean = trace.Some(sum / n)
	for _, v := range values {
		off := float64(v) - mean.Value
		square += float64(off * off)
	}
	if n >= 30 {
		half = trace.Some(1.96 * math.Sqrt(square/(n-1)/n))
	}
	return mean, half
}
