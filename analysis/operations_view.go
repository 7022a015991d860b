package analysis

import (
	"slices"
	"strconv"
)

// times makes the columns of durations: their count, with the given heading, and mean
// and percentiles in µs.
func times[T any](count string, of func(T) Times) []Col[T] {
	us := func(name, key string, ns func(Times) float64) Col[T] {
		return Micro(name, key, func(r T) float64 { return ns(of(r)) / 1000 })
	}
	return []Col[T]{
		Count(count, "count", func(r T) int64 { return of(r).Count() }),
		us("mean", "mean_us", Times.MeanNs),
		us("p50", "p50_us", func(t Times) float64 { return float64(t.Percentile(50)) }),
		us("p99", "p99_us", func(t Times) float64 { return float64(t.Percentile(99)) }),
		us("max", "max_us", func(t Times) float64 { return float64(t.Percentile(100)) }).In(Never),
	}
}

// PhasesView shows operations or phases over all nodes, one per line. Name returns the
// name of one. JSON documents also have the steps of each.
func PhasesView(all []Operation, name func(Operation) string) View {
	return Tabulate(all, slices.Concat([]Col[Operation]{
		Hidden("tag", func(o Operation) any { return o.Tag }),
		Hidden("operation", func(o Operation) any { return o.Operation }),
		said("name", func(o Operation) (any, bool) { return o.Name, o.Name != "" }),
		Hidden("packets", func(o Operation) any { return o.Packets }),
		Text("<phase", name),
	}, times("times", func(o Operation) Times { return o.Duration }), []Col[Operation]{
		Hidden("stages", func(o Operation) any {
			return Tabulate(o.Stages, slices.Concat([]Col[StageTimes]{Hidden("stage", func(s StageTimes) any { return s.Stage })},
				times("", func(s StageTimes) Times { return s.Times }),
				[]Col[StageTimes]{Hidden("share", func(s StageTimes) any { return s.Share })})...)
		}),
	})...).Noted("Times in µs, over nodes.")
}

// OperationsView shows operations with their steps below; name returns what one is called.
func OperationsView(all []Operation, name func(Operation) string) View {
	type line struct {
		*Operation
		StageTimes
		whole bool
	}
	var rows []line
	for i := range all {
		o := &all[i]
		rows = append(rows, line{o, StageTimes{Stage: "whole", Times: o.Duration, Share: 1}, true})
		for _, s := range o.Stages {
			rows = append(rows, line{o, s, false})
		}
	}
	// Only the line of the whole, or only those of steps, show a column to people.
	only := func(whole bool, c Col[line]) Col[line] {
		of := c.Cell
		c.Cell = func(l line) Cell {
			out := of(l)
			if l.whole != whole {
				out.Text = ""
			}
			return out
		}
		return c
	}
	once := func(c Col[line]) Col[line] { c.Once = true; return c }
	cols := times("in", func(l line) Times { return l.Times })
	cols[0] = only(false, cols[0])
	return Tabulate(rows, slices.Concat([]Col[line]{
		Hidden("tag", func(l line) any { return l.Tag }),
		once(Word("operation", "operation", func(l line) string { return name(*l.Operation) })),
		once(Text("count", func(l line) string { return Digits(l.Duration.Count()) })),
		Word("step", "step", func(l line) string { return l.Stage }),
	}, cols, []Col[line]{
		only(false, Col[line]{Column{Name: "share", Key: "share"}, func(l line) Cell {
			return Cell{Text: strconv.FormatFloat(100*l.Share, 'f', 1, 64) + "%", Value: l.Share}
		}}),
		Count("packets", "packets", func(l line) int64 { return l.Packets }).In(Never),
	})...).Noted("Times in µs. The figures of a step are over the operations that have it; \"in\" is their number, " +
		"and share is its part of the total time, so shares sum to 100%.")
}
