package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/sigview/sigview/papers/judge"
)

// report is the study of one platform with what the page says of it.
type report struct {
	platform string
	numbers  int // assumed
	*study
}

// writePage writes the page of platforms, without some tables of their profiles.
func writePage(out io.Writer, rows []judge.Row, reports []report, without []string) {
	shown := 0 // rows that show something
	for _, row := range rows {
		if shows(row) && slices.ContainsFunc(reports, func(r report) bool { return r.usual[row.ID].met }) {
			shown++
		}
	}
	hinging := hinging(reports)
	fmt.Fprintf(out, `# Sensitivity to assumed numbers

Made by `+"`make sensitivity`"+`; do not edit. Every number of a profile that is marked as assumed is changed by
%g %%; whole numbers are rounded, so that 0, 1 and 2 stay; choices such as yes or no stay too. Nothing is calibrated anew.
A calibrated number beside would take up a part of most effects, so they are upper bounds. Where a sister machine
assumes the same number, both change; the number stands under the first.

Numbers are screened by section: all of them slower together, then faster. A section is screened with the rows that
its platform and its table touch at all. Groups that change something are halved down to single numbers. Effects within
a group that cancel each other stay hidden. A headline figure has changed when it is %d %% of its mean outside its range
over %d seeds. A predicted or provoked row has changed when it is met with each of these seeds and now missed, or the
reverse. Changed profiles are measured with one seed; a single number that flips a row has to do so with a second one.

Left out are rows that are neither a headline figure nor predicted or provoked, predicted and provoked rows that the
unchanged model misses, and, since they take more time than all others together, %s.

**%d of %d predicted and provoked rows hinge on an assumed number.**
`, 100*share, leastPct, len(seeds), omitted(), len(hinging), shown)
	if n := len(failing(reports)); n > 0 {
		fmt.Fprintf(out, "%d more cannot be measured with some number changed: the profile or the experiment refuses it.\n", n)
	}
	if len(without) > 0 {
		fmt.Fprintf(out, "\nNot studied, for want of time: `%s`.\n", strings.Join(without, "`, `"))
	}
	if len(hinging) > 0 {
		fmt.Fprintf(out, "\n| row | quantity | hinges on |\n|---|---|---|\n")
	}
	for _, row := range rows {
		if on := hinging[row.ID]; len(on) > 0 {
			fmt.Fprintf(out, "| `%s` | %s | %s |\n", row.ID, strings.ReplaceAll(row.Quantity, "|", `\|`), strings.Join(on, "; "))
		}
	}
	for _, r := range reports {
		r.write(out)
	}
}

// omitted lists the rows that are left out, with the reasons.
func omitted() string {
	var all []string
	for _, id := range slices.Sorted(maps.Keys(leftOut)) {
		all = append(all, fmt.Sprintf("`%s` (%s)", id, leftOut[id]))
	}
	return strings.Join(all, ", ")
}

// says tells how a number changes.
func (f finding) says(d direction) string {
	return judge.Number(f.Number.Value) + " to " + judge.Number(f.Changed[d].Value)
}

// write writes the table of one platform.
func (r report) write(out io.Writer) {
	fmt.Fprintf(out, "\n## %s\n\n%d of %d assumed numbers change a figure or the verdict of a row.\n", r.platform, len(r.findings), r.numbers)
	if len(r.findings) == 0 {
		return
	}
	fmt.Fprintf(out, "\n| number | assumed | lower | higher |\n|---|---:|---|---|\n")
	for _, f := range r.findings {
		var effects [2]string // lower, higher
		for _, d := range directions {
			if to := f.Changed[d]; to != nil && to.Value > f.Number.Value {
				effects[1] = r.effects(f, d)
			} else if to != nil {
				effects[0] = r.effects(f, d)
			}
		}
		fmt.Fprintf(out, "| `%s` | %s | %s | %s |\n", f.Number.Path, judge.Number(f.Number.Value), effects[0], effects[1])
	}
}

// fewRows is how many rows that cannot be measured are named.
const fewRows = 3

// effects lists what a change does to rows.
func (r report) effects(f finding, d direction) string {
	var all, fails []string
	for _, id := range slices.Sorted(maps.Keys(f.Rows[d])) {
		if c := f.Rows[d][id]; c.Fails != "" {
			fails = append(fails, "`"+id+"`")
		} else {
			all = append(all, fmt.Sprintf("`%s` %s", id, r.usual[id].describe(c)))
		}
	}
	switch n := len(fails); {
	case n > fewRows:
		all = append(all, fmt.Sprintf("rows that cannot be measured: %d", n))
	case n > 0:
		all = append(all, "cannot be measured: "+strings.Join(fails, " "))
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: %s", judge.Number(f.Changed[d].Value), strings.Join(all, ", "))
}

// describe says in words how a row changes.
func (u usual) describe(c change) string {
	var all []string
	if c.Pct != 0 {
		all = append(all, fmt.Sprintf("%+.2g %%", c.Pct))
	}
	switch {
	case c.Flips && u.met:
		all = append(all, "is not met")
	case c.Flips:
		all = append(all, "is met")
	}
	return strings.Join(all, " and ")
}

// everything returns all changes as CSV.
func everything(reports []report) []byte {
	return table([]string{"platform", "number", "change", "row", "evidence", "usual", "change_pct", "usually_met", "flips", "fails"}, func(add func(...any)) {
		for _, r := range reports {
			r.each(func(f finding, d direction, id string, c change) {
				u := r.usual[id]
				add(r.platform, f.Number.Path, f.says(d), id, u.row.Evidence, u.mean, c.Pct, u.met, c.Flips, c.Fails)
			})
		}
	})
}

// hinges returns the rows that are met and hinge on numbers, as CSV.
func hinges(rows []judge.Row, reports []report) []byte {
	hinging := hinging(reports)
	return table([]string{"row", "number"}, func(add func(...any)) {
		for _, row := range rows {
			for _, on := range hinging[row.ID] {
				add(row.ID, strings.ReplaceAll(on, "`", ""))
			}
		}
	})
}

// table writes CSV.
func table(columns []string, fill func(add func(...any))) []byte {
	var text bytes.Buffer
	out := csv.NewWriter(&text)
	must := func(err error) {
		if err != nil {
			panic("sensitivity: " + err.Error()) // a buffer takes all
		}
	}
	must(out.Write(columns))
	fill(func(values ...any) {
		var fields []string
		for _, v := range values {
			fields = append(fields, fmt.Sprint(v))
		}
		must(out.Write(fields))
	})
	out.Flush()
	return text.Bytes()
}
