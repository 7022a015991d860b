package analysis

import (
	"slices"
	"strconv"
)

// times makes the columns of durations: their count under the heading given, and mean
// and percentiles in µs.
func times[T any](count string, of func(T) Times) []Col[T] {
	us := func(name, key string, ns func(Times) float64) Col[T] {
		return Col[T]{Column{Name: name, Key: key}, func(r T) Cell {
			v := ns(of(r)) / 1000
			return Cell{Text: strconv.FormatFloat(v, 'f', 1, 64), Value: v}
		}}
	}
	return []Col[T]{
		{Column{Name: count, Key: "count"}, func(r T) Cell { return Cell{Text: Digits(of(r).Count()), Value: of(r).Count()} }},
		us("mean", "mean_us", Times.MeanNs),
		us("p50", "p50_us", func(t Times) float64 { return float64(t.Percentile(50)) }),
		us("p99", "p99_us", func(t Times) float64 { return float64(t.Percentile(99)) }),
		us("", "max_us", func(t Times) float64 { return float64(t.Percentile(100)) }).In(Never),
	}
}

// PhasesView shows operations or phases over all nodes, one per line; name returns what
// one is called. JSON documents hold the steps of each as well.
func PhasesView(all []Operation, name func(Operation) string) View {
	return Tabulate(all, slices.Concat([]Col[Operation]{
		value("tag", func(o Operation) any { return o.Tag }),
		value("operation", func(o Operation) any { return o.Operation }),
		said("name", func(o Operation) (any, bool) { return o.Name, o.Name != "" }),
		value("packets", func(o Operation) any { return o.Packets }),
		Text("<phase", name),
	}, times("times", func(o Operation) Times { return o.Duration }), []Col[Operation]{
		value("stages", func(o Operation) any {
			return Tabulate(o.Stages, slices.Concat([]Col[StageTimes]{value("stage", func(s StageTimes) any { return s.Stage })},
				times("", func(s StageTimes) Times { return s.Times }),
				[]Col[StageTimes]{value("share", func(s StageTimes) any { return s.Share })})...)
		}),
	})...).Noted("Times in µs, over nodes.")
}

// OperationsView shows operations with their steps below, for people; name returns what
// one is called.
func OperationsView(all []Operation, name func(Operation) string) View {
	type line struct {
		StageTimes
		name, count string
	}
	var rows []line
	for _, o := range all {
		rows = append(rows, line{StageTimes{Stage: "whole", Times: o.Duration}, name(o), Digits(o.Duration.Count())})
		for _, s := range o.Stages {
			rows = append(rows, line{StageTimes: s})
		}
	}
	cols := times("in", func(l line) Times { return l.Times })
	in := cols[0].Cell
	cols[0].Cell = func(l line) Cell {
		if l.count != "" {
			return Cell{}
		}
		return in(l)
	}
	return Tabulate(rows, slices.Concat([]Col[line]{
		Text("<operation", func(l line) string { return l.name }),
		Text("count", func(l line) string { return l.count }),
		Text("<step", func(l line) string { return l.Stage }),
	}, cols, []Col[line]{
		Text("share", func(l line) string {
			if l.count != "" {
				return ""
			}
			return strconv.FormatFloat(100*l.Share, 'f', 1, 64) + "%"
		}),
	})...).Noted("Times in µs. The figures of a step are over the operations that went through it, which the column in counts; " +
		"share is its part of the total time, so shares sum to 100%.")
}
