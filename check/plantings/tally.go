package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/check/reliability"
)

// classes of strength, by their lower ends.
var classes = []struct {
	from float64
	name string
}{{0.5, "over 50 %"}, {0.25, "25 to 50 %"}, {0.1, "10 to 25 %"}, {0.05, "5 to 10 %"}, {least, "3 to 5 %"}}

func (t *Trial) class() string {
	for _, c := range classes {
		if t.Strength >= c.from {
			return c.name
		}
	}
	return "less"
}

// tally counts trials.
type tally struct {
	planted, largest, noisy      int
	waits, records               found
	weak, refused                int
	quiet, quietTold             int
	outlierWaits, outlierRecords outliers
	pairs, pairsNamed            int
}

// outliers counts those of quiet runs.
type outliers struct{ machine, all int }

func (o *outliers) add(named []Outlier) {
	o.all += len(named)
	for _, n := range named {
		if n.Machine {
			o.machine++
		}
	}
}

// found counts what a source of findings has named.
type found struct{ told, largest, first, shown, place, costs int }

func (f *found) add(v Verdict, largest bool) {
	count := func(n *int, yes bool) {
		if yes {
			*n++
		}
	}
	count(&f.told, v.Told)
	count(&f.largest, v.Rank == 1 && largest)
	count(&f.first, v.Rank == 1)
	count(&f.shown, v.Rank > 0 && v.Rank <= shown)
	count(&f.place, v.Place > 0 && v.Place <= shown)
	count(&f.costs, v.Rank > 0 && v.Rank <= shown && v.Cost)
}

func (y *tally) add(t Trial) {
	y.weak += t.Draws.Weak
	y.refused += t.Draws.Refused
	y.quiet += t.Draws.Quiet
	y.quietTold += t.Draws.Told
	y.outlierWaits.add(t.Draws.OutlierWaits)
	y.outlierRecords.add(t.Draws.OutlierRecords)
	if !t.Matters {
		return
	}
	y.planted++
	if t.Noisy {
		y.noisy++
	}
	if t.Largest {
		y.largest++
	}
	if t.Pair {
		y.pairs++
	}
	if t.PairOutlier != nil {
		y.pairsNamed++
	}
	y.waits.add(t.Waits, t.Largest)
	y.records.add(t.Records, t.Largest)
}

func sum(trials []Trial) (all tally) {
	for _, t := range trials {
		all.add(t)
	}
	return all
}

// by returns a table of trials by a name that each has.
func by(title, column string, trials []Trial, names []string, name func(*Trial) string) reliability.Table {
	out := reliability.Table{Title: title, Columns: []string{column, "plantings", "largest", "within noise", "waits: first", "first three", "place only", "cost right",
		"records: told", "first", "first three", "place only", "cost right", "too weak", "refused"}}
	for _, want := range names {
		var y tally
		for _, t := range trials {
			if name(&t) == want {
				y.add(t)
			}
		}
		row := []string{want}
		for _, n := range []int{y.planted, y.largest, y.noisy, y.waits.first, y.waits.shown, y.waits.place - y.waits.shown, y.waits.costs,
			y.records.told, y.records.first, y.records.shown, y.records.place - y.records.shown, y.records.costs, y.weak, y.refused} {
			row = append(row, fmt.Sprint(n))
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

func tables(trials []Trial) []reliability.Table {
	var kindNames, classNames []string
	for _, t := range trials {
		if !slices.Contains(kindNames, t.Kind) {
			kindNames = append(kindNames, t.Kind)
		}
	}
	for _, c := range classes {
		classNames = append(classNames, c.name)
	}
	var matter []Trial
	for _, t := range trials {
		if t.Matters {
			matter = append(matter, t)
		}
	}
	return []reliability.Table{
		by("By kind", "planted", trials, kindNames, func(t *Trial) string { return t.Kind }),
		by("By strength", "run longer by", matter, classNames, (*Trial).class),
		by("By program and platform", "program", matter, wheres, func(t *Trial) string { return t.Where }),
	}
}

// text returns the tables, the misses and the quiet runs in which something is named.
func text(trials []Trial) string {
	var b strings.Builder
	for _, t := range tables(trials) {
		fmt.Fprintf(&b, "%s:\n\n| %s |\n|%s\n", t.Title, strings.Join(t.Columns, " | "), strings.Repeat("---|", len(t.Columns)))
		for _, r := range t.Rows {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(r, " | "))
		}
		fmt.Fprintln(&b)
	}
	for _, f := range figures(trials) {
		fmt.Fprintf(&b, "%s: %.3g %s %s\n", f.Name, f.Value, f.Unit, f.Note)
	}
	fmt.Fprintln(&b, "\nNot named first:")
	for _, t := range trials {
		if t.Matters && (t.Waits.Rank != 1 || t.Records.Told && t.Records.Rank != 1) {
			t.describe(&b)
		}
	}
	fmt.Fprintln(&b, "\nNamed first with a wrong cost:")
	for _, t := range trials {
		if t.Matters && t.Waits.Rank == 1 && !t.Waits.Cost {
			fmt.Fprintf(&b, "%d %s: %.0f µs (%.0f to %.0f) for %.0f of %.0f; %s; %s\n", t.Number, t.Kind, t.Waits.CostUs, t.Waits.LeastUs, t.Waits.MostUs,
				t.AddedUs, t.WithoutUs+t.AddedUs, t.Command, t.Planted)
		}
	}
	fmt.Fprintln(&b, "\nQuiet runs with an outlier:")
	for _, t := range trials {
		for _, o := range t.Draws.OutlierWaits {
			fmt.Fprintf(&b, "waits: %s: %s\n", o.Command, o.Text)
		}
		for _, o := range t.Draws.OutlierRecords {
			fmt.Fprintf(&b, "records: %s: %s\n", o.Command, o.Text)
		}
		if o := t.PairOutlier; o != nil {
			fmt.Fprintf(&b, "pair: %s: %s\n", o.Command, o.Text)
		}
	}
	return b.String()
}

// describe writes a trial with the first findings of each source that does not have it first.
func (t *Trial) describe(b *strings.Builder) {
	noise := map[bool]string{true: ", within the noise of other seeds"}[t.Noisy] + map[bool]string{false: ", not the largest cause"}[t.Largest]
	fmt.Fprintf(b, "\n%d %s, node %d, %.1f %% longer (%.0f of %.0f µs)%s\n  %s\n  planted: %s\n", t.Number, t.Kind, t.Node, 100*t.Strength, t.AddedUs, t.WithoutUs, noise, t.Command, t.Planted)
	for _, s := range []struct {
		name string
		Verdict
	}{{"waits", t.Waits}, {"records", t.Records}} {
		if s.Rank == 1 || !s.Told {
			fmt.Fprintf(b, "  %s: %s\n", s.name, map[bool]string{true: "first", false: "nothing is told"}[s.Told])
			continue
		}
		fmt.Fprintf(b, "  %s: rank %d, place %d\n", s.name, s.Rank, s.Place)
		for _, f := range s.First {
			fmt.Fprintf(b, "    - %s\n", f)
		}
	}
}
