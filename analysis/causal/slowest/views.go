package slowest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// View shows operations. In JSON documents each has its steps and the waiting of its
// packets, and the longest of each kind its waterfall. Name returns what a program is
// called if there are several.
func View(all []Operation, name func(trace.Tag) string) analysis.View {
	v := analysis.Tabulate(all,
		hidden("tag", func(o Operation) any { return o.Tag }),
		analysis.Col[Operation]{Column: analysis.Column{Name: "operation", Key: "operation", Left: true, Once: true}, Cell: func(o Operation) analysis.Cell {
			text := o.Operation
			if name != nil {
				text = name(o.Tag) + ": " + text
			}
			return analysis.Cell{Text: text, Value: o.Operation}
		}},
		hidden("count", func(o Operation) any { return o.Count }),
		number("span", func(o Operation) int64 { return o.Span }),
		number("node", func(o Operation) int64 { return o.Node }),
		micro("begin, µs", "begin_us", func(o Operation) int64 { return 1000 * o.BeginNs }),
		micro("time, µs", "duration_us", func(o Operation) int64 { return 1000 * o.DurationNs }),
		analysis.Col[Operation]{Column: analysis.Column{Name: "steps", Key: "steps", Left: true}, Cell: func(o Operation) analysis.Cell {
			return analysis.Cell{Text: o.longestSteps(), Value: o.stepsView()}
		}},
		analysis.Col[Operation]{Column: analysis.Column{Name: "its packets wait, µs", Key: "waiting", Left: true}, Cell: func(o Operation) analysis.Cell {
			return analysis.Cell{Text: o.longestWaits(), Value: o.waitsView()}
		}},
		analysis.Col[Operation]{Column: analysis.Column{Key: "waterfall", Room: analysis.Never}, Cell: func(o Operation) analysis.Cell {
			return analysis.Cell{Value: o.Waterfall(), Absent: !o.Longest}
		}})
	v.Title, v.Fold = "Slowest operations", true
	return v.Noted("Steps: the longest and their shares. Waiting is summed over the packets of the operation; several may wait at once.")
}

// Waterfall shows what happened in the operation and when, since its begin.
func (o Operation) Waterfall() analysis.View {
	v := analysis.Tabulate(o.waterfall(),
		hidden("sort", func(r row) any { return r.sort }),
		micro("begin, µs", "begin_us", func(r row) int64 { return r.begin }),
		micro("end, µs", "end_us", func(r row) int64 { return r.end }),
		analysis.Col[row]{Column: analysis.Column{Name: "what", Key: "name", Left: true}, Cell: func(r row) analysis.Cell {
			text := r.name
			if r.sort == sortWait {
				text = "  waits: " + text
			}
			return analysis.Cell{Text: text, Value: r.name}
		}},
		number("node", func(r row) int64 { return int64(r.node) }),
		analysis.Text("<", o.bar),
		analysis.Col[row]{Column: analysis.Column{Name: "for whom", Key: "holder", Left: true}, Cell: func(r row) analysis.Cell {
			if r.holder == "" {
				return analysis.Cell{}
			}
			return analysis.Cell{Text: r.holder, Value: r.holder}
		}})
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

func (o Operation) longestSteps() string {
	steps := longest(o.Steps, func(s trace.StepRow) int64 { return s.DurationNs })
	var out []string
	for _, s := range steps[:min(len(steps), mostShown)] {
		if share := 100 * float64(s.DurationNs) / float64(max(o.DurationNs, 1)); share >= 1 {
			out = append(out, fmt.Sprintf("%s %.0f %%", s.Step, share))
		}
	}
	return strings.Join(out, ", ")
}

func (o Operation) longestWaits() string {
	var out []string
	for _, w := range o.Waiting[:min(len(o.Waiting), mostShown)] {
		out = append(out, fmt.Sprintf("%s %.1f", w.Resource, float64(w.Length)/1e6))
	}
	return strings.Join(out, ", ")
}

func (o Operation) stepsView() analysis.View {
	return analysis.Tabulate(o.Steps,
		hidden("step", func(s trace.StepRow) any { return s.Step }),
		hidden("node", func(s trace.StepRow) any { return s.Node }),
		hidden("begin_us", func(s trace.StepRow) any { return float64(s.BeginNs) / 1000 }),
		hidden("duration_us", func(s trace.StepRow) any { return float64(s.DurationNs) / 1000 }))
}

func (o Operation) waitsView() analysis.View {
	return analysis.Tabulate(o.Waiting,
		hidden("resource", func(w Waiting) any { return w.Resource.String() }),
		hidden("waited_us", func(w Waiting) any { return float64(w.Length) / 1e6 }),
		hidden("holder", func(w Waiting) any {
			if w.Holder == 0 {
				return nil
			}
			return o.account.Name(w.Holder)
		}))
}

// hidden makes a column for JSON documents only.
func hidden[T any](key string, of func(T) any) analysis.Col[T] {
	return analysis.Col[T]{Column: analysis.Column{Key: key, Room: analysis.Never}, Cell: func(r T) analysis.Cell { return analysis.Cell{Value: of(r)} }}
}

// number makes a column of whole numbers.
func number[T any](key string, of func(T) int64) analysis.Col[T] {
	return analysis.Col[T]{Column: analysis.Column{Name: key, Key: key}, Cell: func(r T) analysis.Cell {
		return analysis.Cell{Text: strconv.FormatInt(of(r), 10), Value: of(r)}
	}}
}

// micro makes a column of times in ps, shown in µs.
func micro[T any](name, key string, of func(T) int64) analysis.Col[T] {
	return analysis.Col[T]{Column: analysis.Column{Name: name, Key: key}, Cell: func(r T) analysis.Cell {
		return analysis.Cell{Text: analysis.TenthUs(trace.Some(of(r) / 1000)), Value: float64(of(r)) / 1e6}
	}}
}
