package judge

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
)

// meaning of each verdict, for readers of a report.
var meaning = map[Verdict]string{
	Pass:        "the model meets the published figure; design and behaviour rows also need a counter-experiment that fails",
	Miss:        "the model does not meet it",
	KnownGap:    "missed, with the expected figure and the cause; fails once it closes",
	Calibrated:  "the row set a parameter and proves nothing",
	NotChecked:  "no experiment measures it",
	NotModelled: "it speaks of something that the model does not contain",
}

// WriteMarkdown writes the document as a page: totals first, then a table
// per paper of all rows that were measured or set a parameter, then the ids of
// the others. The page depends on the results alone, not on the build that
// made it.
func (d Document) WriteMarkdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# Published figures beside the model's\n\n")
	fmt.Fprintf(out, "Made by `make docs`; do not edit. Seed %d.\n\n", d.Seed)
	fmt.Fprintf(out, "| verdict | rows | meaning |\n|---|---:|---|\n")
	for _, v := range Verdicts() {
		fmt.Fprintf(out, "| %s | %d | %s |\n", v, d.Totals.Of(v), meaning[v])
	}
	fmt.Fprintf(out, "| all | %d | |\n", d.Totals.Rows)
	for _, paper := range d.papers() {
		d.writePaper(out, paper)
	}
	return out.Flush()
}

// papers returns the sources in the order of their first row.
func (d Document) papers() []string {
	var papers []string
	seen := map[string]bool{}
	for _, l := range d.Rows {
		if !seen[l.Paper] {
			seen[l.Paper] = true
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
		if l.Verdict == NotChecked || l.Verdict == NotModelled {
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
			fmt.Fprintf(out, "\n| row | quantity | published | modelled | error | verdict | experiment | note |\n|---|---|---|---|---:|---|---|---|\n")
		}
		experiment := l.Experiment
		if l.Counter != "" {
			experiment += " against " + l.Counter
		}
		fmt.Fprintf(out, "| `%s` | %s | %s | %s | %s | %s | %s | %s |\n", l.ID, cell(l.Quantity),
			cell(l.published()), cell(l.modelled()), l.errorText(), l.Verdict, cell(experiment), cell(l.Note))
	}
	for _, key := range order {
		fmt.Fprintf(out, "\n%s (%d): %s\n", cell(key), len(rest[key]), strings.Join(rest[key], ", "))
	}
}

// WriteText writes the totals and a line for every row that was measured or
// set a parameter, misses first.
func (d Document) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, v := range Verdicts() {
		fmt.Fprintf(out, "%-13s %5d   %s\n", v, d.Totals.Of(v), meaning[v])
	}
	fmt.Fprintf(out, "%-13s %5d\n", "all", d.Totals.Rows)
	for _, v := range []Verdict{Miss, KnownGap, Pass, Calibrated} {
		if d.Totals.Of(v) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n%s\n", v)
		for _, l := range d.Rows {
			if l.Verdict != v {
				continue
			}
			line := fmt.Sprintf("  %-22s %-18s %-18s %8s  %s", l.ID, l.published(), l.modelled(), l.errorText(), l.Experiment)
			fmt.Fprintln(out, strings.TrimRight(line, " "))
			if l.Note != "" && v != Pass {
				fmt.Fprintf(out, "  %22s %s\n", "", l.Note)
			}
		}
	}
	return out.Flush()
}

func (l Line) published() string {
	lo, hi := l.PublishedLo, l.PublishedHi
	switch {
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

func (l Line) modelled() string {
	switch v := l.Modelled.(type) {
	case float64:
		return number(v) + " " + l.Unit
	case bool:
		if v {
			return "holds"
		}
		return "does not hold"
	}
	return "–"
}

func (l Line) errorText() string {
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
