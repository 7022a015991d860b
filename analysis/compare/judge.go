package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/trace"
)

// Verdict is the result of a gate or of one condition.
type Verdict string

// Verdicts.
const (
	Same         Verdict = "same" // both sides are the same runs
	Pass         Verdict = "pass"
	Fail         Verdict = "fail"
	Inconclusive Verdict = "inconclusive"
)

// falseDiscoveries bounds the expected fraction of false ones among the cells that a condition reports as
// changed. It is half of alpha, because a condition is one-sided.
const falseDiscoveries = alpha / 2

// Judgement is the verdict on one condition.
type Judgement struct {
	Condition string   `json:"condition"`
	Verdict   Verdict  `json:"verdict"`
	Why       []string `json:"why,omitempty"` // the cells that failed or could not be told
	// Runs is the number of runs a side that would decide; 0: not known.
	Runs   int   `json:"runs_needed,omitempty"`
	Failed []Key `json:"-"`
}

// tested is a cell with its difference less the limit, in the direction that fails: estimates above 0 are
// beyond the limit.
type tested struct {
	*Cell
	limit float64
	estimates
	shown bool // to be beyond the limit, false discoveries controlled
}

// against tests whether a cell rises, or falls (fall), by more than a limit: share times the base of each run
// of A, or amount if share is NaN. The limit is at least the bound of the clocks' errors.
func (c *Cell) against(share, amount float64, fall bool) tested {
	limits := make([]float64, len(c.a))
	for i := range limits {
		if limits[i] = amount; !math.IsNaN(share) {
			limits[i] = share * c.bases[i]
		}
	}
	limit := mean(limits)
	a, b := slices.Clone(c.a), slices.Clone(c.b)
	for i := range a {
		if limit < c.bound {
			limits[i] = c.bound
		}
		if fall {
			limits[i] = -limits[i]
		}
		a[i] += limits[i]
	}
	if fall {
		a, b = b, a
	}
	return tested{Cell: c, limit: max(limit, c.bound), estimates: differences(a, b, c.pairs)}
}

// discover sets shown of the tests with small p-values, by the procedure of Benjamini and Hochberg (1995): with
// p sorted, all up to the last n with p(n) ≤ q·n/N, where q is falseDiscoveries and N the number of tests.
func discover(all []tested) {
	order := make([]int, len(all))
	p := make([]float64, len(all))
	for i := range all {
		order[i], p[i] = i, all[i].above()
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	for n := len(order); n > 0; n-- {
		if p[order[n-1]] <= falseDiscoveries*float64(n)/float64(len(all)) {
			for _, i := range order[:n] {
				all[i].shown = true
			}
			return
		}
	}
}

// outcomes sets the outcome of each cell against the default limit of its quantity, in the direction in which
// the cell moved. False discoveries are controlled in each family of quantities on its own.
func (c *Comparison) outcomes() {
	families := map[string][]tested{}
	for i := range c.Cells {
		x := &c.Cells[i]
		q := of(x.Quantity)
		x.Outcome, x.Limit = Unknown, math.Max(q.limit*x.Base, x.bound)
		if c.Same {
			x.Outcome = Unchanged
		} else if x.Silent == "" && x.Diff.OK && q.limit > 0 && x.Kind == "" {
			families[q.family] = append(families[q.family], x.against(q.limit, 0, x.Diff.Value < 0))
		}
	}
	for _, all := range families {
		discover(all)
		for _, t := range all {
			switch x := t.Cell; {
			case t.shown:
				x.Outcome = Changed
			case t.Lo.Value >= -t.limit && t.Hi.Value <= t.limit:
				x.Outcome = Unchanged
			default:
				x.Runs = t.runsFor(math.Abs(x.Diff.Value)-t.limit, min(len(x.a), len(x.b)))
			}
		}
	}
}

// Check applies the conditions and returns the worst verdict. A condition fails if a cell is shown to be beyond
// its limit. It passes if the interval of each cell ends within the limit and the room that rooms allows. Else
// it is inconclusive.
func (c *Comparison) Check(conditions []Condition) (Verdict, []Judgement) {
	overall := Pass
	if c.Same {
		overall = Same
	}
	var list []Judgement
	for _, x := range conditions {
		j := Judgement{Condition: x.String(), Verdict: Pass}
		if !c.Same {
			j = c.judge(x)
			overall = worse(overall, j.Verdict)
		}
		list = append(list, j)
	}
	return overall, list
}

// worse returns the worse of two verdicts: pass, inconclusive, fail.
func worse(a, b Verdict) Verdict {
	rank := []Verdict{Pass, Inconclusive, Fail}
	return rank[max(slices.Index(rank, a), slices.Index(rank, b))]
}

// judge applies one condition to the cells that match it. If none matches, or none has an outcome, the verdict
// is inconclusive.
func (c *Comparison) judge(x Condition) Judgement {
	j := Judgement{Condition: x.String(), Verdict: Pass}
	var all []tested
	var silent []string
	matched := 0
	for i := range c.Cells {
		cell := &c.Cells[i]
		if !x.matches(cell.Key) {
			continue
		}
		matched++
		if cell.Silent != "" {
			silent = append(silent, fmt.Sprintf("%s: %s", cell.name(), cell.Silent))
			continue
		}
		all = append(all, cell.against(x.Share, x.Amount, x.Fall))
	}
	switch {
	case matched == 0:
		j.Verdict, j.Why = Inconclusive, []string{"nothing matches"}
		return j
	case len(all) == 0:
		j.Verdict, j.Why = Inconclusive, silent
		if min(len(c.A.Runs), len(c.B.Runs)) < leastRuns {
			j.Why, j.Runs = []string{c.fewRuns()}, usualRuns
		}
		return j
	}
	discover(all)
	slices.SortStableFunc(all, func(p, q tested) int { return cmp.Compare(q.Cost(), p.Cost()) })
	room := rooms(all)
	var open []string
	for i, t := range all {
		_, hi := t.interval()
		switch {
		case t.shown:
			j.Verdict, j.Failed = Fail, append(j.Failed, t.Key)
			j.Why = append(j.Why, "changed: "+t.line())
		case t.known() && hi > room[i]:
			beyond := t.estimates[0].value
			n := t.runsFor(max(math.Abs(beyond), room[i]-beyond), min(len(t.a), len(t.b)))
			j.Runs = max(j.Runs, n)
			open = append(open, fmt.Sprintf("cannot be told: %s; %s", t.line(), runsText(n)))
		}
	}
	if j.Verdict != Fail && len(open) > 0 {
		j.Verdict, j.Why = Inconclusive, open
	} else if j.Verdict == Fail {
		j.Runs = 0
	}
	return j
}

// rooms returns by how much the interval of each test may end beyond its limit in a condition that passes. A
// class with few packets may rise by more than its limit as long as the stage cannot: the room of class i is Σ
// limit·packets / packets(i) − limit(i), with the sum over the classes of its stage. A quantity without packets
// has no room.
func rooms(all []tested) []float64 {
	type stage struct{ program, quantity string }
	together := map[stage]float64{}
	for _, t := range all {
		together[stage{t.Program, t.Quantity}] += float64(t.limit * float64(t.PacketsA))
	}
	out := make([]float64, len(all))
	for i, t := range all {
		if t.PacketsA > 0 {
			out[i] = together[stage{t.Program, t.Quantity}]/float64(t.PacketsA) - t.limit
		}
	}
	return out
}

// leastRuns and usualRuns are the numbers of runs a side that a verdict needs and should
// have.
const (
	leastRuns = 2
	usualRuns = 5
)

// fewRuns says that one run a side cannot decide, and how to make more.
func (c *Comparison) fewRuns() string {
	command := "run … --seeds"
	switch c.B.Runs[0].Manifest.Detail {
	case trace.DetailLive:
		command = "live … --runs"
	case trace.DetailWatch:
		command = "watch … --runs"
	}
	return fmt.Sprintf("one run cannot tell what another would show: %d runs a side are the least, %d the rule (sigview %s %d)", leastRuns, usualRuns, command, usualRuns)
}

// runsText says how many runs a side would decide, n as runsFor returns it.
func runsText(n int) string {
	if n > mostRuns {
		return fmt.Sprintf("more than %d runs a side would tell", mostRuns)
	}
	return fmt.Sprintf("%d runs a side would tell", n)
}
