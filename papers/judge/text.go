package judge

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
)

// listed is the largest number of rows that text shows one by one, apart from those
// that are missed.
const listed = 60

// WriteText writes the totals, the missed rows with what was measured, and the rows that
// seeds disagree on. It lists the other measured rows if the document is short.
func (d Document) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\n", d.Headline())
	if n := d.Hinging(); n > 0 {
		fmt.Fprintf(out, "%d of these hinge on an assumed number of a profile\n", n)
	}
	fmt.Fprintln(out)
	for _, v := range Verdicts {
		fmt.Fprintf(out, "%-15s %5d   %s\n", v.Verdict, d.Totals.Of(v.Verdict), v.Meaning)
	}
	fmt.Fprintf(out, "%-15s %5d\n", "all", d.Totals.Rows)
	order := []Verdict{Miss}
	if len(d.Rows) <= listed {
		order = []Verdict{Miss, KnownGap, Predicted, Provoked, Derived, ByConstruction, Calibrated}
	}
	for _, v := range order {
		if d.Totals.Of(v) > 0 {
			d.list(out, v)
		}
	}
	if len(d.Flips) > 0 {
		fmt.Fprintf(out, "\nmet with some of the seeds only\n")
	}
	for _, r := range d.Rows {
		if slices.Contains(d.Flips, r.ID) {
			fmt.Fprintf(out, "  %-22s %s\n", r.ID, r.HeldText())
		}
	}
	return out.Flush()
}

// list writes the rows of one verdict.
func (d Document) list(out io.Writer, v Verdict) {
	fmt.Fprintf(out, "\n%s\n", v)
	for _, r := range d.Rows {
		if r.Verdict != v {
			continue
		}
		line := fmt.Sprintf("  %-22s %-18s %-18s %8s  %s", r.ID, r.PublishedText(), r.ModelledText(), r.ErrorText(), r.Experiment)
		fmt.Fprintln(out, strings.TrimRight(line, " "))
		if r.Note != "" && (v == Miss || v == KnownGap || v == Calibrated) {
			fmt.Fprintf(out, "  %22s %s\n", "", r.Note)
		}
	}
}

// Headline says how many rows show something.
func (d Document) Headline() string {
	return fmt.Sprintf("%d predicted and %d provoked, of %d published statements of which the model contains %d, with %s",
		d.Totals.Predicted, d.Totals.Provoked, d.Totals.Rows, d.Totals.Measured(), d.seedText())
}

func (d Document) seedText() string {
	if d.Seeds == 1 {
		return fmt.Sprintf("seed %d", d.Seed)
	}
	return fmt.Sprintf("seeds %d to %d", d.Seed, d.Seed+uint64(d.Seeds)-1)
}

// Hinging returns the number of rows that hinge on an assumed number.
func (d Document) Hinging() (n int) {
	for _, r := range d.Rows {
		if r.hinges() {
			n++
		}
	}
	return n
}

// units are those of the table that people read in another way.
var units = map[string]string{"us": "µs", "kmsg/s": "thousand messages/s", "% (+-)": "% either way", "ratio": ""}

// with adds the row's unit to a number.
func (r Row) with(text string) string {
	unit := r.Unit
	if u, ok := units[unit]; ok {
		unit = u
	}
	return strings.TrimSpace(text + " " + unit)
}

// micro is a microsecond as the table's texts write it.
var micro = regexp.MustCompile(`(\d ?)us\b`)

// Readable returns a text of the table for people.
func Readable(text string) string { return micro.ReplaceAllString(text, "${1}µs") }

// say formats what of returns.
func (r Row) say(modelled any) string {
	switch v := modelled.(type) {
	case *float64:
		if v != nil {
			return r.with(Number(*v))
		}
	case bool:
		if v {
			return "holds"
		}
		return "does not hold"
	}
	return "–"
}

// ModelledText returns the median of a number with its range over seeds, or whether a
// statement holds.
func (r Result) ModelledText() string {
	lo, hi := r.ModelledLo, r.ModelledHi
	if lo == nil || hi == nil || Number(*lo) == Number(*hi) {
		return r.say(r.Modelled)
	}
	return fmt.Sprintf("%s (%s–%s)", r.say(r.Modelled), Number(*lo), Number(*hi))
}

// PublishedText returns the published value or range with its unit.
func (r Result) PublishedText() string {
	lo, hi := r.PublishedLo, r.PublishedHi
	switch {
	case r.Text != "":
		return Readable(r.Text)
	case lo == nil && hi == nil:
		return "in words"
	case lo == nil:
		return "≤ " + r.with(Number(*hi))
	case hi == nil:
		return "≥ " + r.with(Number(*lo))
	case *lo == *hi:
		return r.with(Number(*lo))
	}
	return Number(*lo) + "–" + r.with(Number(*hi))
}

// CriterionText joins Rule and Criterion.
func (r Result) CriterionText() string { return joined(r.Rule, r.Criterion) }

// HeldText says with how many seeds the model meets the row.
func (r Result) HeldText() string { return fmt.Sprintf("%d of %d", r.Held, r.Seeds) }

// ErrorText returns the error of the median in per cent, or "" if there is none.
func (r Result) ErrorText() string {
	if r.ErrorPct == nil {
		return ""
	}
	v := math.Round(*r.ErrorPct*10) / 10
	if v == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%+g %%", v)
}
