package compare

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// seenFamily has what the kernel was seen to do with messages of programs as they are.
const seenFamily = "seen"

// causes are what can be seen. Of those in ns the figure is the time that they cost the average message; of
// sent-again it is segments, of discipline the packets at a time at most, of throttled the time in all.
var causes = []struct {
	what       trace.Cause
	noun, unit string
	limit      float64
}{
	{trace.HeldByNagle, "Nagle's algorithm", unitNs, 0.05},
	{trace.HeldByCork, "corked socket", unitNs, 0.05},
	{trace.HeldByWindow, "receiver's window", unitNs, 0.05},
	{trace.HeldByCongestion, "window of congestion", unitNs, 0.05},
	{trace.InDiscipline, "queueing discipline", unitPackets, 0.05},
	{trace.SentAgain, "segments sent again", unitPackets, 0.01},
	{trace.Asleep, "reader asleep", unitNs, 0.05},
	{trace.RunQueue, "run queue", unitNs, 0.05},
	{trace.ReaderBusy, "reader busy", unitNs, 0.05},
	{trace.ServerTime, "server time", unitNs, 0.05},
	{trace.Throttled, "throttled", unitNs, 0.05},
}

// observed returns the figures of what was seen in a run.
func observed(m trace.Manifest) (out []Figure) {
	for _, o := range m.Seen {
		f := Figure{Key: Key{Program: o.Program, Quantity: string(o.What), Where: o.Where}, Value: analysis.PerMessage(o), Packets: o.Of}
		switch o.What {
		case trace.InDiscipline:
			f.Value = float64(o.Most)
		case trace.SentAgain:
			f.Value, f.Base = float64(o.Messages), float64(max(m.Packets, 1))
		case trace.Throttled:
			f.Value, f.Base = o.MeanNs*float64(o.Messages), float64(m.SimulatedNs)
		default:
			f.Where = analysis.Direction(o)
			f.Part = float64(o.Messages) / float64(max(o.Of, 1))
		}
		// A discipline may be on several interfaces of one name, in namespaces of their own.
		if i := slices.IndexFunc(out, func(x Figure) bool { return x.Key == f.Key }); i >= 0 {
			out[i].Value = max(out[i].Value, f.Value)
			continue
		}
		out = append(out, f)
	}
	return out
}

// seen reports whether the figure is of a cause.
func (k Key) seen() bool { return of(k.Quantity).family == seenFamily }

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
