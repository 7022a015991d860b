package analysis

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/sigview/sigview/trace"
)

// SizesView shows packets by size: their means to people, all statistics in JSON
// documents.
func SizesView(rows []Packets) View {
	cols := latencies(func(p Packets, s trace.Stat) trace.SignatureRow {
		return trace.SignatureRow{Group: p.Group, Sizes: p.Sizes, Stat: s}
	})
	v := Tabulate(rows, slices.Concat([]Col[Packets]{Text("size, B", Packets.sizes)}, cols)...)
	v.Note = "Mean latency in µs by payload size; ~ marks a mean of few packets."
	return v
}

// ClassesView is SizesView by size class, for JSON documents.
func ClassesView(rows []Packets) View {
	return Tabulate(rows, latencies(func(p Packets, s trace.Stat) trace.ClassRow {
		return trace.ClassRow{Group: p.Group, Class: p.Class, Sizes: p.Sizes, Stat: s}
	})...)
}

// PairsView is SizesView by sender and receiver, over all sizes, for JSON documents.
func PairsView(rows []Packets) View {
	all := slices.DeleteFunc(slices.Clone(rows), func(p Packets) bool { return p.Class != trace.AllSizes })
	return Tabulate(all, latencies(func(p Packets, s trace.Stat) trace.PairRow {
		return trace.PairRow{Group: p.Group, Sender: p.Sender, Receiver: p.Receiver, Stat: s}
	})...)
}

// KindsView shows the means by packet kind, over all sizes.
func KindsView(rows []Packets) View {
	cols := latencies(func(p Packets, s trace.Stat) trace.SignatureRow { return trace.SignatureRow{Stat: s} })
	cols = slices.DeleteFunc(cols, func(c Col[Packets]) bool { return c.Room != Always })
	v := Tabulate(rows, slices.Concat([]Col[Packets]{Text("<kind", Packets.kind)}, cols)...)
	v.Note = "Mean latency in µs by packet kind, over all sizes; ~ marks a mean of few packets."
	return v
}

func (p Packets) sizes() string { return fmt.Sprintf("%d-%d", p.SizeLoBytes+1, p.SizeHiBytes) }

func (p Packets) kind() string {
	if !p.First.OK {
		return p.Kind
	}
	return p.Kind + map[bool]string{true: ", first", false: ", later"}[p.First.Value]
}

// latencies makes the columns of packets whose latencies stand side by side. The
// columns of the table R before "stage" come first, as keys of JSON documents; those
// after it become one object for each stage.
func latencies[R trace.Row](row func(Packets, trace.Stat) R) []Col[Packets] {
	table := trace.Columns[R]()
	at := slices.IndexFunc(table, func(c trace.Column) bool { return c.Name == "stage" })
	cols := tagged(table[:at], "", func(p Packets) R { return row(p, trace.Stat{}) })
	cols = append(cols, Col[Packets]{Column{Name: "packets", Key: "count"}, func(p Packets) Cell {
		return Cell{Text: strconv.FormatInt(p.Count(), 10), Value: p.Count()}
	}})
	for _, stage := range trace.Stages() {
		dev := Text("dev", func(p Packets) string { return SignedUs(p.Stat(stage).DeviationNs) })
		dev.Room = Wide
		cols = append(cols, Text(StageName(stage), func(p Packets) string { return mean(p.Stat(stage)) }), dev)
		cols = append(cols, tagged(table[at+1:], stage.String()+"/", func(p Packets) R { return row(p, p.Stat(stage)) })...)
	}
	return cols
}

// mean writes a mean, marked when it is weak.
func mean(s trace.Stat) string {
	if s.Weak && s.MeanNs.OK {
		return "~" + Us(s.MeanNs)
	}
	return Us(s.MeanNs)
}

// Latency is one latency of packets with its level.
type Latency struct {
	Packets
	trace.Stat
	Level Level
}

// Latencies lists the latencies of packets, each with its level in the diagnosis.
func (d Diagnosis) Latencies(rows []Packets) []Latency {
	var out []Latency
	for _, p := range rows {
		for _, s := range p.Stats {
			l := Latency{p, s, Unclear}
			for _, f := range d.Findings {
				if f.Tag == p.Tag && f.Class == p.Class && f.Stage == s.Stage {
					l.Level = f.Level
				}
			}
			out = append(out, l)
		}
	}
	return out
}

// LatenciesView shows each latency of each size class in a line of its own.
func LatenciesView(rows []Latency) View {
	class, packets := Text("<class", func(l Latency) string { return l.Class }), Text("packets", func(l Latency) string { return strconv.FormatInt(l.Packets.Count(), 10) })
	class.Once, packets.Once = true, true
	wide := func(c Col[Latency]) Col[Latency] {
		c.Room = Wide
		return c
	}
	v := Tabulate(rows, class, packets,
		Text("<stage", func(l Latency) string { return StageName(l.Stage) }),
		Text("mean", func(l Latency) string { return Us(l.MeanNs) }),
		Text("±", func(l Latency) string { return half(l.CILoNs, l.CIHiNs) }),
		Text("base", func(l Latency) string { return Us(l.BaselineNs) }),
		Text("dev", func(l Latency) string { return SignedUs(l.DeviationNs) }),
		Text("", func(l Latency) string { return Percent(l.DeviationNs, l.BaselineNs) }),
		Col[Latency]{Column{Left: true}, func(l Latency) Cell {
			if l.Weak {
				return Cell{Text: l.Level.Mark() + "~", Level: l.Level}
			}
			return Cell{Text: l.Level.Mark(), Level: l.Level}
		}},
		wide(Text("dev from", func(l Latency) string { return SignedUs(l.DeviationCILoNs) })),
		wide(Text("to", func(l Latency) string { return SignedUs(l.DeviationCIHiNs) })),
		Text("p50", func(l Latency) string { return PercentileUs(l.P50) }),
		wide(Text("p90", func(l Latency) string { return PercentileUs(l.P90) })),
		Text("p99", func(l Latency) string { return PercentileUs(l.P99) }),
		wide(Text("max", func(l Latency) string { return TenthUs(l.MaxNs) })),
	)
	v.Note = "Times in µs. ± is half the 95% interval of the mean; base is the unloaded mean at the same sizes; dev is mean minus base: " +
		marks("above", "below") + ". ~ marks a weak mean (few packets), > or < a bound, - an unknown value."
	return v
}

// View holds the findings, for JSON documents.
func (d Diagnosis) View() View {
	return Tabulate(d.Findings,
		value("tag", func(f Finding) any { return f.Tag }), value("class", func(f Finding) any { return f.Class }),
		value("stage", func(f Finding) any { return f.Stage.String() }), value("level", func(f Finding) any { return f.Level }),
		value("packets", func(f Finding) any { return f.Packets }),
		value("deviation_us", func(f Finding) any { return inUs(trace.Opt[float64]{Value: f.DeviationNs, OK: f.BaselineNs.OK}) }),
		value("deviation_ci_lo_us", func(f Finding) any { return inUs(f.CILoNs) }), value("deviation_ci_hi_us", func(f Finding) any { return inUs(f.CIHiNs) }),
		value("certainty", func(f Finding) any { return f.Certainty }),
		said("meaning", func(f Finding) (any, bool) { return f.Meaning, f.Meaning != "" }),
		said("warnings", func(f Finding) (any, bool) { return f.Warnings, len(f.Warnings) > 0 }))
}
