package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// level returns the mark of a cell's outcome: risen, fallen, same or unclear.
func (c Cell) level() analysis.Level {
	switch {
	case c.Outcome == Changed && c.Diff.Value > 0:
		return analysis.Above
	case c.Outcome == Changed:
		return analysis.Below
	case c.Outcome == Unchanged:
		return analysis.Within
	}
	return analysis.Unclear
}

// scaled returns the value as it is shown: ns become µs.
func scaled(v trace.Opt[float64], unit string) trace.Opt[float64] {
	if v.OK && unit == unitNs {
		v.Value /= 1000
	}
	return v
}

// shownUnit is the unit in which the cell's figures are shown.
func (c Cell) shownUnit() string {
	if c.Unit() == unitNs {
		return "us"
	}
	return c.Unit()
}

// titled returns the cell's name, with its unit unless that is of time.
func (c Cell) titled() string {
	if c.Unit() == unitNs {
		return c.name()
	}
	return c.name() + ", " + c.Unit()
}

// outcome returns the mark of the outcome.
func (c Cell) outcome() analysis.Cell {
	return analysis.Cell{Text: c.level().Mark(), Value: string(c.Outcome), Level: c.level()}
}

// outcomesNote says what the marks of outcomes are.
var outcomesNote = analysis.Above.Mark() + " risen, " + analysis.Below.Mark() + " fallen, " + analysis.Within.Mark() + " same, " + analysis.Unclear.Mark() + " cannot be told"

// figure makes a column of figures in the unit that is shown; format takes the decimals and the value.
func figure(name, key, format string, of func(Cell) trace.Opt[float64]) analysis.Col[Cell] {
	return analysis.Keyed(name, key, func(c Cell) analysis.Cell {
		v := scaled(of(c), c.Unit())
		if !v.OK {
			return analysis.Cell{Text: analysis.None}
		}
		return analysis.Cell{Text: fmt.Sprintf(format, decimals(v.Value), v.Value), Value: v.Value}
	})
}

// decimals returns the decimals with which a figure is shown, fewer for larger ones.
func decimals(v float64) int {
	switch v = math.Abs(v); {
	case v < 1e3:
		return 2
	case v < 1e5:
		return 1
	}
	return 0
}

// View returns the table of cells, those with the largest cost first. Cells that are 0 on both sides are left
// out, and those of Seen.
func (c *Comparison) View() analysis.View {
	return cellsView(slices.DeleteFunc(slices.Clone(c.Cells), func(x Cell) bool { return x.seen() || x.A == trace.Some(0.) && x.B == x.A }))
}

// cellsView returns a table of these cells, one a row.
func cellsView(cells []Cell) analysis.View {
	cols := []analysis.Col[Cell]{
		analysis.Text("<what", Cell.titled),
		analysis.Hidden("quantity", func(c Cell) any { return c.Quantity }),
		analysis.Hidden("program", func(c Cell) any { return c.Program }),
		analysis.Hidden("class", func(c Cell) any { return c.Where }),
		analysis.Hidden("unit", func(c Cell) any { return c.shownUnit() }),
		figure("A", "a", "%.*f", func(c Cell) trace.Opt[float64] { return c.A }),
		figure("B", "b", "%.*f", func(c Cell) trace.Opt[float64] { return c.B }),
		figure("diff", "difference", "%+.*f", func(c Cell) trace.Opt[float64] { return c.Diff }),
		{Column: analysis.Column{Key: "share"}, Cell: func(c Cell) analysis.Cell {
			s := c.Share()
			if !s.OK {
				return analysis.Cell{Text: analysis.None}
			}
			return analysis.Cell{Text: fmt.Sprintf("%+.1f%%", 100*s.Value), Value: s.Value}
		}},
		analysis.Keyed("<", "outcome", Cell.outcome),
		figure("from", "ci_lo", "%+.*f", func(c Cell) trace.Opt[float64] { return c.Lo }),
		figure("to", "ci_hi", "%+.*f", func(c Cell) trace.Opt[float64] { return c.Hi }),
		analysis.Hidden("interval", func(c Cell) any {
			switch {
			case !c.Lo.OK:
				return nil
			case c.WithinRun:
				return "packets"
			}
			return "runs"
		}),
		{Column: analysis.Column{Name: "effect", Key: "effect_size", Room: analysis.Wide}, Cell: func(c Cell) analysis.Cell {
			if !c.Effect.OK {
				return analysis.Cell{Text: analysis.None}
			}
			return analysis.Cell{Text: fmt.Sprintf("%+.1f", c.Effect.Value), Value: c.Effect.Value}
		}},
		analysis.Text("<remark", Cell.remark).In(analysis.Wide),
		analysis.Hidden("by_sizes", func(c Cell) any { return scaled(trace.Some(c.BySizes), c.Unit()).Value }),
		analysis.Hidden("packets_a", func(c Cell) any { return c.PacketsA }),
		analysis.Hidden("packets_b", func(c Cell) any { return c.PacketsB }),
		analysis.Hidden("cost", func(c Cell) any { return scaled(trace.Some(c.Cost()), c.Unit()).Value }),
		analysis.Hidden("threshold", func(c Cell) any { return scaled(trace.Some(c.Limit), c.Unit()).Value }),
		analysis.Hidden("decides", func(c Cell) any { return c.Silent == "" }),
		analysis.Hidden("runs_needed", func(c Cell) any {
			if c.Runs == 0 {
				return nil
			}
			return c.Runs
		}),
	}
	return analysis.Tabulate(cells, cols...).Noted("Times in µs, by what the difference costs: its size times the packets of a run. diff is B less A, of latencies at the same packet sizes; from and to bound its 95% interval; effect is its size in standard deviations of one run (Hedges' g), of single runs of one packet. " +
		"% of run time for its parts, of all packets for lost and repeated ones, else of A. " +
		outcomesNote + ", against 5% of a latency, 2% of a run time and 1% of packets; remarks say how many runs a side would tell.")
}

// remark returns why the cell has no outcome, or how many runs a side would decide.
func (c Cell) remark() string {
	switch {
	case c.Silent == oneRun:
		return "" // as all others
	case c.Silent != "":
		return c.Silent
	case c.Outcome == Unknown && c.Runs > mostRuns:
		return fmt.Sprintf("> %d runs", mostRuns)
	case c.Outcome == Unknown && c.Runs > 0:
		return fmt.Sprintf("needs %d runs", c.Runs)
	}
	return ""
}

// View returns the table of the parts, in ms, each followed by its stages that change by more than leastPoints.
func (r Decomposition) View() analysis.View {
	type line struct {
		Part
		depth int
	}
	var lines []line
	for _, p := range r.Parts {
		lines = append(lines, line{p, 0})
		for _, o := range p.Of {
			if o.Points > leastPoints || o.Points < -leastPoints {
				lines = append(lines, line{o, 1})
			}
		}
	}
	at := func(name, format string, of func(Cell) trace.Opt[float64]) analysis.Col[line] {
		return analysis.Text(name, func(l line) string {
			if v := of(l.Cell); v.OK {
				return fmt.Sprintf(format, v.Value/1e6)
			}
			return analysis.None
		})
	}
	return analysis.Tabulate(lines,
		analysis.Text("<part", func(l line) string {
			if l.depth > 0 {
				return fmt.Sprintf("  of it %s of %s", analysis.StageName(l.Stage, l.Real), l.Kind)
			}
			return of(l.Quantity).noun
		}),
		at("A, ms", "%.3f", func(c Cell) trace.Opt[float64] { return c.A }),
		at("B, ms", "%.3f", func(c Cell) trace.Opt[float64] { return c.B }),
		at("diff", "%+.3f", func(c Cell) trace.Opt[float64] { return c.Diff }),
		analysis.Text("points", func(l line) string { return fmt.Sprintf("%+.1f", l.Points) }),
		at("from", "%+.3f", func(c Cell) trace.Opt[float64] { return c.Lo }),
		at("to", "%+.3f", func(c Cell) trace.Opt[float64] { return c.Hi }),
	).Noted("Times in ms of a node on average; points are per cent of A's run time. The stages of packets are all the time that packets of the kind spent in them, by node: what it costs if nothing overlaps.")
}

// Moved returns what changed in sentences: the run times first, then the cells with the largest cost.
func (c *Comparison) Moved() (out []string) {
	if c.Same {
		return []string{"Both sides are the same: " + c.whySame() + "."}
	}
	for _, r := range c.Programs {
		out = append(out, r.String())
	}
	unclear, decided := 0, 0
	for _, x := range c.Cells {
		if x.Silent != "" || of(x.Quantity).limit == 0 || x.Quantity == RunTime || x.seen() && !x.worthTelling() {
			continue
		}
		decided++
		if x.Outcome == Unknown {
			unclear++
		}
		if of(x.Quantity).family == "parts" {
			continue // said of the run time
		}
		if stage, err := trace.ParseStage(x.Quantity); x.Outcome == Changed && (err != nil || stage < trace.NumStages) {
			out = append(out, x.line()+".")
		}
	}
	switch {
	case min(len(c.A.Runs), len(c.B.Runs)) < leastRuns:
		out = append(out, "Nothing is shown to have changed: "+c.fewRuns()+". Intervals are of the packets within a run.")
	case decided == 0:
		out = append(out, "Nothing can be told: no cell decides.")
	case unclear > 0:
		out = append(out, fmt.Sprintf("Of %d figures, %d cannot be told with so many runs.", decided, unclear))
	case len(out) == len(c.Programs):
		out = append(out, fmt.Sprintf("None of %d other figures has changed by more than its threshold.", decided))
	}
	return out
}

// whySame says by which evidence both sides are the same: events or results.
func (c *Comparison) whySame() string {
	if c.A.Runs[0].Manifest.EventDigest != "" && c.A.Runs[0].Manifest.EventDigest == c.B.Runs[0].Manifest.EventDigest {
		return "equal specification and equal events"
	}
	return "equal specification and equal results in every column"
}
