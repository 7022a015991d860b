package judge

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// rules returns the text that says how rows are judged, with the default tolerances.
func rules() string {
	return fmt.Sprintf(`
A published number is judged by its reading in the table:

- range: the modelled value lies within the published range, ends included. An end may be open.
- exact: the modelled value equals the published one.
- approx: the modelled value lies within %d %% of the published one, or within the row's own tolerance, which the row's
  note gives with the reason.

A statement in words holds or does not hold by the thresholds in the row's criterion. A counter-experiment, the same
experiment with the mechanism switched off, must not meet the row. Provoked rows need one.
A known gap stays within %d %% of its expected figure. A calibrated row that the model does not meet is a miss.
Relative errors up to %g count as rounding.
`, approxPct, gapPct, rounding)
}

// WriteMarkdown writes the document as a page: totals and rules first, then
// for each paper a table of the measured rows and the ids of the others. The
// page depends on the results alone, not on the build that made it.
func (d Document) WriteMarkdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# Published figures beside the model's\n\n")
	fmt.Fprintf(out, "Made by `make docs`; do not edit. Seed %d.\n\n", d.Seed)
	fmt.Fprintf(out, "**%s**\n\n", d.Totals.headline())
	if n := d.hinging(); n > 0 {
		fmt.Fprintf(out, "%d of these hinge on an assumed number of a profile: they are missed when it changes by 20 %%.\n\n", n)
	}
	fmt.Fprintf(out, "| verdict | rows | meaning |\n|---|---:|---|\n")
	for _, v := range verdicts {
		fmt.Fprintf(out, "| %s | %d | %s |\n", v.Verdict, d.Totals.Of(v.Verdict), v.meaning)
	}
	fmt.Fprintf(out, "| all | %d | |\n%s", d.Totals.Rows, rules())
	for _, paper := range d.papers() {
		d.writePaper(out, paper)
	}
	return out.Flush()
}

// headline says how many rows show something.
func (t Totals) headline() string {
	return fmt.Sprintf("%d predicted and %d provoked, of %d published statements of which the model contains %d",
		t.Predicted, t.Provoked, t.Rows, t.Measured())
}

// hinging returns the number of rows that hinge on an assumed number.
func (d Document) hinging() (n int) {
	for _, r := range d.Rows {
		if r.hinges() {
			n++
		}
	}
	return n
}

// papers returns the sources in the order of their first row.
func (d Document) papers() []string {
	var papers []string
	for _, l := range d.Rows {
		if !slices.Contains(papers, l.Paper) {
			papers = append(papers, l.Paper)
		}
	}
	return papers
}

func (d Document) writePaper(out io.Writer, paper string) {
	fmt.Fprintf(out, "\n## %s\n", paper)
	rest := map[string][]string{} // verdict and reason → ids
	var order []string
	header := false
	for _, l := range d.Rows {
		if l.Paper != paper {
			continue
		}
		if l.Verdict == NotModelled {
			key := string(l.Verdict)
			if l.Note != "" {
				key += ": " + l.Note
			}
			if rest[key] == nil {
				order = append(order, key)
			}
			rest[key] = append(rest[key], "`"+l.ID+"`")
			continue
		}
		if !header {
			header = true
			fmt.Fprintf(out, "\n| row | quantity | published | criterion | modelled | error | verdict | because | experiment | note |\n|---|---|---|---|---|---:|---|---|---|---|\n")
		}
		experiment := l.Experiment
		if l.Counter != "" {
			experiment += "; counter-experiment: " + l.Counter
		}
		fmt.Fprintf(out, "| `%s` | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", l.ID, cell(l.Quantity), cell(l.published()),
			cell(l.criterion()), cell(l.say(l.Modelled)), l.errorText(), l.Verdict, cell(l.Because), cell(experiment), cell(l.Note))
	}
	for _, key := range order {
		fmt.Fprintf(out, "\n%s (%d): %s\n", cell(key), len(rest[key]), strings.Join(rest[key], ", "))
	}
}

// WriteText writes the totals and a line for every measured row, misses first.
func (d Document) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\n", d.Totals.headline())
	if n := d.hinging(); n > 0 {
		fmt.Fprintf(out, "%d of these hinge on an assumed number of a profile\n", n)
	}
	fmt.Fprintln(out)
	for _, v := range verdicts {
		fmt.Fprintf(out, "%-15s %5d   %s\n", v.Verdict, d.Totals.Of(v.Verdict), v.meaning)
	}
	fmt.Fprintf(out, "%-15s %5d\n", "all", d.Totals.Rows)
	for _, v := range []Verdict{Miss, KnownGap, Predicted, Provoked, Derived, ByConstruction, Calibrated} {
		if d.Totals.Of(v) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n%s\n", v)
		for _, l := range d.Rows {
			if l.Verdict != v {
				continue
			}
			line := fmt.Sprintf("  %-22s %-18s %-18s %8s  %s", l.ID, l.published(), l.say(l.Modelled), l.errorText(), l.Experiment)
			fmt.Fprintln(out, strings.TrimRight(line, " "))
			if l.Note != "" && (v == Miss || v == KnownGap || v == Calibrated) {
				fmt.Fprintf(out, "  %22s %s\n", "", l.Note)
			}
		}
	}
	return out.Flush()
}

func (l Result) published() string {
	lo, hi := l.PublishedLo, l.PublishedHi
	switch {
	case l.Text != "":
		return l.Text
	case lo == nil && hi == nil:
		return "in words"
	case lo == nil:
		return "≤ " + number(*hi) + " " + l.Unit
	case hi == nil:
		return "≥ " + number(*lo) + " " + l.Unit
	case *lo == *hi:
		return number(*lo) + " " + l.Unit
	}
	return number(*lo) + "–" + number(*hi) + " " + l.Unit
}

// criterion joins Rule and Criterion.
func (l Result) criterion() string {
	if l.Rule != "" && l.Criterion != "" {
		return l.Rule + "; " + l.Criterion
	}
	return l.Rule + l.Criterion
}

func (l Result) errorText() string {
	if l.ErrorPct == nil {
		return ""
	}
	v := math.Round(*l.ErrorPct*10) / 10
	if v == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%+g %%", v)
}

// cell makes text safe inside a Markdown table.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s)
}
