package compare

import (
	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// parts returns the mean share of messages over the runs of a side of which a cause is so.
func (s Side) parts(k Key) float64 {
	sum := 0.0
	for _, r := range s.Runs {
		f, _ := r.figure(k)
		sum += f.Part
	}
	return sum / float64(max(len(s.Runs), 1))
}

// worthTelling reports whether a cause costs the average message of one side, or is there at all if it has no time.
func (c Cell) worthTelling() bool {
	return c.seen() && max(c.A.Value, c.B.Value) >= c.bound && max(c.A.Value, c.B.Value) > 0
}

// Seen returns the table of what the kernel was seen to do on either side, without rows if that is nothing.
func (c *Comparison) Seen() analysis.View {
	var cells []Cell
	for _, x := range c.Cells {
		if x.worthTelling() {
			cells = append(cells, x)
		}
	}
	part := func(name, key string, of func(Cell) float64) analysis.Col[Cell] {
		return analysis.Keyed(name, key, func(x Cell) analysis.Cell {
			if !x.ofMessages() {
				return analysis.Cell{Text: analysis.None}
			}
			return analysis.Cell{Text: fmt.Sprintf("%.1f", 100*of(x)), Value: of(x)}
		})
	}
	return analysis.Tabulate(cells,
		analysis.Text("<what", Cell.titled),
		analysis.Hidden("cause", func(x Cell) any { return x.Quantity }),
		analysis.Hidden("program", func(x Cell) any { return x.Program }),
		analysis.Hidden("where", func(x Cell) any { return x.Where }),
		analysis.Hidden("unit", func(x Cell) any { return x.shownUnit() }),
		part("A, %", "part_a", func(x Cell) float64 { return x.PartA }),
		part("B, %", "part_b", func(x Cell) float64 { return x.PartB }),
		figure("A", "a", "%.*f", func(x Cell) trace.Opt[float64] { return x.A }),
		figure("B", "b", "%.*f", func(x Cell) trace.Opt[float64] { return x.B }),
		figure("diff", "difference", "%+.*f", func(x Cell) trace.Opt[float64] { return x.Diff }),
		analysis.Keyed("<", "outcome", Cell.outcome),
		figure("from", "ci_lo", "%+.*f", func(x Cell) trace.Opt[float64] { return x.Lo }),
		figure("to", "ci_hi", "%+.*f", func(x Cell) trace.Opt[float64] { return x.Hi }),
	).Noted("Of how many messages it is so, in %; then the time that it costs the average message, in µs. Of a queueing discipline: the packets at a time at most. What costs less than 20 µs on both sides is left out. " + outcomesNote)
}

// ofMessages reports whether the cause is one of single messages.
func (c Cell) ofMessages() bool {
	return c.seen() && c.Unit() == unitNs && c.Quantity != string(trace.Throttled)
}

// partsText says of how many messages a cause is so, on both sides, with what it costs the average message.
func (c Cell) partsText() string {
	us := func(v trace.Opt[float64]) string { return analysis.WithUnit(analysis.Us(v), "µs") }
	return fmt.Sprintf("%.1f %% of messages and %s of the average one → %.1f %% and %s", 100*c.PartA, us(c.A), 100*c.PartB, us(c.B))
}
