package slowest

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// View shows operations, a row each: which, when and how long, its longest steps, and what its packets wait
// for. In JSON documents each has its steps and the waiting of its packets, and the longest of each kind its
// waterfall. Name returns what a program is called if there are several, and is nil if there is one.
func View(all []Operation, name func(trace.Tag) string) analysis.View {
	operation := analysis.Keyed("<operation", "operation", func(o Operation) analysis.Cell {
		text := o.Operation
		if name != nil {
			text = name(o.Tag) + ": " + text
		}
		return analysis.Cell{Text: text, Value: o.Operation}
	})
	// Several of a kind follow each other: only the first row names it.
	operation.Once = true
	v := analysis.Tabulate(all,
		analysis.Hidden("tag", func(o Operation) any { return o.Tag }),
		operation,
		analysis.Hidden("count", func(o Operation) any { return o.Count }),
		analysis.Number("span", "span", func(o Operation) int64 { return o.Span }),
		analysis.Number("node", "node", func(o Operation) int64 { return o.Node }),
		// micro wants ps, rows of spans have ns.
		micro("begin, µs", "begin_us", func(o Operation) int64 { return 1000 * o.BeginNs }),
		micro("time, µs", "duration_us", func(o Operation) int64 { return 1000 * o.DurationNs }),
		analysis.Keyed("<steps", "steps", func(o Operation) analysis.Cell {
			return analysis.Cell{Text: o.longestSteps(), Value: o.stepsView()}
		}),
		analysis.Keyed("<its packets wait, µs", "waiting", func(o Operation) analysis.Cell {
			return analysis.Cell{Text: o.longestWaits(), Value: o.waitsView()}
		}),
		analysis.Keyed("", "waterfall", func(o Operation) analysis.Cell {
			// Only the longest of each kind, so that documents stay small.
			return analysis.Cell{Value: o.Waterfall(), Absent: !o.Longest}
		}).In(analysis.Never))
	v.Title, v.Fold = "Slowest operations", true
	return v.Noted("Steps: the longest and their shares. Waiting is summed over the packets of the operation; several may wait at once.")
}

// Waterfall shows what happened in the operation and when: a row for each step, part, packet and wait. Times
// are since the operation's begin.
func (o Operation) Waterfall() analysis.View {
	// Rows have ps, as micro wants them.
	v := analysis.Tabulate(o.waterfall(),
		analysis.Hidden("sort", func(r row) any { return r.sort }),
		micro("begin, µs", "begin_us", func(r row) int64 { return r.begin }),
		micro("end, µs", "end_us", func(r row) int64 { return r.end }),
		analysis.Keyed("<what", "name", func(r row) analysis.Cell {
			text := r.name
			// A wait is set in under its packet.
			if r.sort == sortWait {
				text = "  waits: " + text
			}
			return analysis.Cell{Text: text, Value: r.name}
		}),
		analysis.Number("node", "node", func(r row) int64 { return int64(r.node) }),
		analysis.Text("<", o.bar),
		analysis.Keyed("<for whom", "holder", func(r row) analysis.Cell {
			if r.holder == "" {
				return analysis.Cell{}
			}
			return analysis.Cell{Text: r.holder, Value: r.holder}
		}))
	v.Fold = true
	v.Title = fmt.Sprintf("The slowest %s: span %d of node %d", o.Operation, o.Span, o.Node)
	note := fmt.Sprintf("Since its begin at %s. Bars: █ service, ▒ waiting, · idle. For whom: of a step, the end of the chain for which the process waits longest.", analysis.Instant(o.BeginNs))
	if o.BoundNs > 0 {
		note += fmt.Sprintf(" The instants of steps are within %s.", analysis.Time(float64(o.BoundNs)))
	}
	if n := o.hidden(); n > 0 {
		note += fmt.Sprintf(" %d more are not shown.", n)
	}
	return v.Noted(note)
}

// mostShown is the number of steps and resources that a line names.
const mostShown = 3

// longestSteps names the longest steps with their shares of the operation's time.
func (o Operation) longestSteps() string {
	steps := longest(o.Steps, func(s trace.StepRow) int64 { return s.DurationNs })
	var out []string
	for _, s := range steps[:min(len(steps), mostShown)] {
		// A step of less than 1 % is left out.
		if share := 100 * float64(s.DurationNs) / float64(max(o.DurationNs, 1)); share >= 1 {
			out = append(out, fmt.Sprintf("%s %.0f %%", s.Step, share))
		}
	}
	return strings.Join(out, ", ")
}

// longestWaits names the resources for which the packets wait longest, each with the time in µs.
func (o Operation) longestWaits() string {
	var out []string
	for _, w := range o.Waiting[:min(len(o.Waiting), mostShown)] {
		out = append(out, fmt.Sprintf("%s %.1f", w.Resource, float64(w.Length)/1e6))
	}
	return strings.Join(out, ", ")
}

// stepsView is the table of steps in JSON documents. Times are in µs.
func (o Operation) stepsView() analysis.View {
	return analysis.Tabulate(o.Steps,
		analysis.Hidden("step", func(s trace.StepRow) any { return s.Step }),
		analysis.Hidden("node", func(s trace.StepRow) any { return s.Node }),
		analysis.Hidden("begin_us", func(s trace.StepRow) any { return float64(s.BeginNs) / 1000 }),
		analysis.Hidden("duration_us", func(s trace.StepRow) any { return float64(s.DurationNs) / 1000 }))
}

// waitsView is the table of waiting in JSON documents, by resource, in µs. The holder is null if nobody is
// known.
func (o Operation) waitsView() analysis.View {
	return analysis.Tabulate(o.Waiting,
		analysis.Hidden("resource", func(w Waiting) any { return w.Resource.String() }),
		analysis.Hidden("waited_us", func(w Waiting) any { return float64(w.Length) / 1e6 }),
		analysis.Hidden("holder", func(w Waiting) any {
			if w.Holder == 0 {
				return nil
			}
			return o.account.Name(w.Holder)
		}))
}

// micro makes a column of times in ps, shown in µs.
func micro[T any](name, key string, of func(T) int64) analysis.Col[T] {
	return analysis.Micro(name, key, func(r T) float64 { return float64(of(r)) / 1e6 })
}
