package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/internal/portable"
)

// Judge gives a verdict to each row of table whose id starts with prefix, in table
// order. Each trial has measured these rows with one seed. The order of the trials does
// not matter.
func Judge(table *Table, prefix string, trials []Trial) []Result {
	trials = slices.SortedFunc(slices.Values(trials), func(a, b Trial) int { return cmp.Compare(a.Seed, b.Seed) })
	var results []Result
	for _, row := range table.Only(prefix) {
		var seen []Outcome
		for _, t := range trials {
			if o, measured := t.Outcomes[row.ID]; measured {
				seen = append(seen, o)
			}
		}
		results = append(results, row.judge(seen))
	}
	return results
}

// tenOrMore is the number of seeds from which on a row may fail with some: a tenth of
// them at most.
const tenOrMore = 10

// hold reports whether a statement counts as true that is true with so many of n seeds.
func hold(times, n int) bool {
	if n < tenOrMore {
		return times == n
	}
	return 10*times >= 9*n
}

// judge gives a row its verdict from what each seed says about it.
func (row Row) judge(seen []Outcome) Result {
	r := Result{Row: row, Verdict: NotModelled, Note: row.Why}
	if row.Numeric {
		r.PublishedLo, r.PublishedHi = finite(row.Lo), finite(row.Hi)
	}
	if len(seen) == 0 {
		return r
	}
	met := 0
	for _, o := range seen {
		if o.Met {
			met++
		}
		r.BySeed = append(r.BySeed, row.of(o.Measured))
	}
	r.Held, r.Seeds = met, len(seen)
	share := float64(met) / float64(len(seen))
	r.HeldShare = &share
	holds := hold(met, len(seen))
	typical := seen[slices.IndexFunc(seen, func(o Outcome) bool { return o.Met == holds })]
	r.Experiment, r.Counter, r.Criterion, r.Note = typical.Experiment, typical.Counter, typical.Criterion, typical.note(row)
	median := r.summarise(seen)
	switch {
	case row.Status == Gap:
		r.settleGap(holds, median)
	case row.Status == SetsParameter:
		r.settleCalibrated(holds)
	case holds:
		r.Verdict = Verdict(row.Evidence)
	default:
		r.Verdict = Miss
	}
	if r.hinges() {
		r.addNote("hinges on " + strings.Join(r.HingesOn, ", "))
	}
	return r
}

// hinges reports whether the row shows something, and would not with an assumed number
// changed by 20 %.
func (r Result) hinges() bool {
	return len(r.HingesOn) > 0 && (r.Verdict == Predicted || r.Verdict == Provoked)
}

// summarise fills what the model says from all seeds: the median of a number, which it
// returns, and its range.
func (r *Result) summarise(seen []Outcome) (median float64) {
	if !r.Numeric {
		times := 0
		for _, o := range seen {
			if o.Holds {
				times++
			}
		}
		r.Modelled = hold(times, len(seen))
		return 0
	}
	var values []float64
	for _, o := range seen {
		values = append(values, o.Value)
	}
	slices.Sort(values)
	median = portable.Median(values)
	r.Modelled, r.ModelledLo, r.ModelledHi = finite(median), finite(values[0]), finite(values[len(values)-1])
	r.ErrorPct, r.Rule = finite(r.errorPct(median)), r.band().Rule
	return median
}

// settleCalibrated gives the verdict of a row that set a parameter. It is a miss if
// the model does not meet the row.
func (r *Result) settleCalibrated(met bool) {
	r.Verdict = Calibrated
	r.addNote("sets " + r.Sets)
	if !met {
		r.Verdict = Miss
		r.addNote("not met")
	}
}

// settleGap gives the verdict of a known gap. It is a miss if the gap has
// closed or moved, so that the table gets corrected.
func (r *Result) settleGap(met bool, v float64) {
	switch {
	case met:
		r.Verdict = Miss
		r.addNote(fmt.Sprintf("the known gap has closed: remove its status (line %d)", r.Line))
	case !r.expects(v):
		r.Verdict = Miss
		r.addNote(fmt.Sprintf("the known gap has moved: %s was expected (line %d)", Number(r.Expected), r.Line))
	default:
		r.Verdict = KnownGap
		if r.Numeric {
			r.addNote("expected " + Number(r.Expected))
		}
		r.addNote(r.Why)
	}
}

func (r *Result) addNote(s string) { r.Note = joined(r.Note, s) }
