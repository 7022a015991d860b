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
	cols := latencies(rows, func(p Packets, s trace.Stat) trace.SignatureRow {
		return trace.SignatureRow{Group: p.Group, Sizes: p.Sizes, Stat: s}
	})
	return Tabulate(rows, slices.Concat([]Col[Packets]{Text("size, B", Packets.sizes)}, cols)...).Noted(noted(rows, "Mean latency in µs by payload size; ~ marks a mean of few packets."))
}

// ClassesView is SizesView by size class, for JSON documents.
func ClassesView(rows []Packets) View {
	return Tabulate(rows, latencies(rows, func(p Packets, s trace.Stat) trace.ClassRow {
		return trace.ClassRow{Group: p.Group, Class: p.Class, Sizes: p.Sizes, Stat: s}
	})...)
}

// SequencesView is ClassesView by kind and predecessor, for JSON documents.
func SequencesView(rows []Packets) View {
	return Tabulate(rows, latencies(rows, func(p Packets, s trace.Stat) trace.SequenceRow {
		return trace.SequenceRow{Group: p.Group, After: p.After, Class: p.Class, Sizes: p.Sizes, Stat: s}
	})...)
}

// PairsView is SizesView by sender and receiver, over all sizes, for JSON documents.
func PairsView(rows []Packets) View {
	all := slices.DeleteFunc(slices.Clone(rows), func(p Packets) bool { return p.Class != trace.AllSizes })
	return Tabulate(all, latencies(all, func(p Packets, s trace.Stat) trace.PairRow {
		return trace.PairRow{Group: p.Group, Sender: p.Sender, Receiver: p.Receiver, Stat: s}
	})...)
}

// KindsView shows the means by packet kind, over all sizes.
func KindsView(rows []Packets) View {
	cols := latencies(rows, func(p Packets, s trace.Stat) trace.SignatureRow { return trace.SignatureRow{Stat: s} }, levelled)
	cols = slices.DeleteFunc(cols, func(c Col[Packets]) bool { return c.Room != Always })
	note := "Mean latency in µs by packet kind, over all sizes; ~ marks a mean of few packets."
	if compared(rows) {
		note += " Beside the baseline (" + Basis(rows) + "): " + marks("above", "below") + "."
	}
	return Tabulate(rows, slices.Concat([]Col[Packets]{Text("<kind", Packets.kind)}, cols)...).Noted(noted(rows, note))
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
func latencies[R trace.Row](rows []Packets, row func(Packets, trace.Stat) R, write ...func(trace.Stat) string) []Col[Packets] {
	write = append(write, mean)
	table := trace.Columns[R]()
	at := slices.IndexFunc(table, func(c trace.Column) bool { return c.Name == "stage" })
	cols := tagged(table[:at], "", func(p Packets) R { return row(p, trace.Stat{}) })
	cols = append(cols, Col[Packets]{Column{Name: "packets", Key: "count"}, func(p Packets) Cell {
		return Cell{Text: strconv.FormatInt(p.Count(), 10), Value: p.Count()}
	}})
	for _, stage := range trace.Stages() {
		cols = append(cols,
			Text(StageName(stage, OfReal(rows)), func(p Packets) string {
				if !p.Meaningful(stage) {
					return noMeaning
				}
				return write[0](p.Stat(stage))
			}),
			Text("dev", func(p Packets) string {
				if !p.Meaningful(stage) {
					return None
				}
				return SignedUs(p.Stat(stage).DeviationNs)
			}).In(Wide))
		cols = append(cols, tagged(table[at+1:], stage.String()+"/", func(p Packets) R { return row(p, p.Stat(stage)) })...)
	}
	return cols
}

// noMeaning stands for a Net−LANai without meaning.
const noMeaning = "n.m."

// noted adds what noMeaning means to a note, if a row has it.
func noted(rows []Packets, note string) string {
	if slices.ContainsFunc(rows, func(p Packets) bool { return !p.Meaningful(trace.NetMinusLANai) }) {
		note += " " + noMeaning + " " + meaningless + "."
	}
	return note
}

// mean writes a mean, marked when it is weak.
func mean(s trace.Stat) string {
	if s.Weak && s.MeanNs.OK {
		return "~" + Us(s.MeanNs)
	}
	return Us(s.MeanNs)
}

// levelled writes a mean with the mark of its level.
func levelled(s trace.Stat) string {
	if !s.DeviationNs.OK {
		return mean(s)
	}
	return mean(s) + LevelOf(s).Mark()
}

// compared reports whether packets have a baseline.
func compared(rows []Packets) bool {
	return slices.ContainsFunc(rows, func(p Packets) bool {
		return slices.ContainsFunc(p.Stats, func(s trace.Stat) bool { return s.BaselineNs.OK })
	})
}

// Basis says what the baseline of packets is.
func Basis(rows []Packets) string {
	for _, p := range rows {
		for _, s := range p.Stats {
			if s.BaselineFrom == trace.BaselineIdle {
				return "packets of the same kind, size and predecessor in operations played one at a time on two idle nodes"
			}
		}
	}
	return "single messages of the same sizes on idle nodes"
}

// LatenciesView shows each latency of packets in a line of its own. Programs read which
// packets it is of as well.
func LatenciesView(rows []Packets) View {
	type latency struct {
		Packets
		trace.Stat
	}
	var all []latency
	for _, p := range rows {
		for _, s := range p.Stats {
			if !p.Meaningful(s.Stage) {
				s = trace.Stat{Stage: s.Stage, Measured: trace.Measured{Count: s.Count}, Judged: trace.Judged{Note: meaningless}}
			}
			all = append(all, latency{p, s})
		}
	}
	time := func(name, key string, text func(trace.Opt[float64]) string, of func(trace.Stat) trace.Opt[float64]) Col[latency] {
		return us(name, key, text, func(l latency) trace.Opt[float64] { return of(l.Stat) })
	}
	percentile := func(name string, of func(trace.Stat) trace.Percentile) Col[latency] {
		return Col[latency]{Column{Name: name, Key: name + "_us"}, func(l latency) Cell {
			p := of(l.Stat)
			c := Cell{Text: PercentileUs(p), Value: inUs(trace.Opt[float64]{Value: float64(p.Ns.Value), OK: p.Ns.OK})}
			if mark := boundMark(p); mark != "" {
				c.Value = mark + strconv.FormatFloat(float64(p.Ns.Value)/1000, 'f', -1, 64)
			}
			return c
		}}
	}
	extreme := func(name string, of func(trace.Stat) trace.Opt[int64]) Col[latency] {
		return percentile(name, func(s trace.Stat) trace.Percentile { return trace.Percentile{Ns: of(s)} })
	}
	packets := Text("packets", func(l latency) string { return strconv.FormatInt(l.Packets.Count(), 10) })
	packets.Once = true
	v := Tabulate(all,
		Hidden("size_lo_bytes", func(l latency) any { return l.SizeLoBytes }),
		Hidden("size_hi_bytes", func(l latency) any { return l.SizeHiBytes }),
		Col[latency]{Column{Name: "class", Key: "class", Left: true, Once: true}, func(l latency) Cell { return Cell{Text: l.Class, Value: l.Class} }},
		packets,
		Col[latency]{Column{Name: "stage", Key: "stage", Left: true}, func(l latency) Cell { return Cell{Text: l.StageName(l.Stage), Value: l.Stage.String()} }},
		Count("packets", "count", func(l latency) int64 { return l.Stat.Count }).In(Never),
		Col[latency]{Column{Name: "mean", Key: "mean_us"}, func(l latency) Cell {
			if l.Note == meaningless {
				return Cell{Text: noMeaning}
			}
			return Cell{Text: Us(l.MeanNs), Value: inUs(l.MeanNs)}
		}},
		Text("±", func(l latency) string { return half(l.CILoNs, l.CIHiNs) }),
		time("", "ci_lo_us", Us, func(s trace.Stat) trace.Opt[float64] { return s.CILoNs }).In(Never),
		time("", "ci_hi_us", Us, func(s trace.Stat) trace.Opt[float64] { return s.CIHiNs }).In(Never),
		time("base", "baseline_us", Us, func(s trace.Stat) trace.Opt[float64] { return s.BaselineNs }),
		time("dev", "deviation_us", SignedUs, func(s trace.Stat) trace.Opt[float64] { return s.DeviationNs }),
		Text("", func(l latency) string { return Percent(l.DeviationNs, l.BaselineNs) }),
		Col[latency]{Column{Key: "level", Left: true}, func(l latency) Cell {
			c := Cell{Text: LevelOf(l.Stat).Mark(), Value: LevelOf(l.Stat), Level: LevelOf(l.Stat)}
			if l.Weak {
				c.Text += "~"
			}
			return c
		}},
		Hidden("weak", func(l latency) any { return l.Weak }),
		time("dev from", "deviation_ci_lo_us", SignedUs, func(s trace.Stat) trace.Opt[float64] { return s.DeviationCILoNs }).In(Wide),
		time("to", "deviation_ci_hi_us", SignedUs, func(s trace.Stat) trace.Opt[float64] { return s.DeviationCIHiNs }).In(Wide),
		extreme("min", func(s trace.Stat) trace.Opt[int64] { return s.MinNs }).In(Never),
		percentile("p50", func(s trace.Stat) trace.Percentile { return s.P50 }),
		percentile("p90", func(s trace.Stat) trace.Percentile { return s.P90 }).In(Wide),
		percentile("p99", func(s trace.Stat) trace.Percentile { return s.P99 }),
		extreme("max", func(s trace.Stat) trace.Opt[int64] { return s.MaxNs }).In(Wide),
	)
	return v.Noted(noted(rows, "Times in µs. ± is half the 95% interval of the mean within this run, of several runs over them; base is the baseline: "+Basis(rows)+"; dev is mean minus base: "+
		marks("above", "below")+". ~ marks a weak mean (few packets), > or < a bound, - an unknown value."))
}

// View holds the findings, for JSON documents.
func (d Diagnosis) View() View {
	return Tabulate(d.Findings,
		Hidden("tag", func(f Finding) any { return f.Tag }), Hidden("class", func(f Finding) any { return f.Class }),
		Hidden("stage", func(f Finding) any { return f.Stage.String() }), Hidden("level", func(f Finding) any { return f.Level }),
		Hidden("packets", func(f Finding) any { return f.CountB }),
		Hidden("deviation_us", func(f Finding) any { return inUs(f.DiffNs) }),
		Hidden("deviation_ci_lo_us", func(f Finding) any { return inUs(f.CILoNs) }), Hidden("deviation_ci_hi_us", func(f Finding) any { return inUs(f.CIHiNs) }),
		Hidden("grade", func(f Finding) any { return f.Grade.String() }),
		said("candidates", func(f Finding) (any, bool) { return f.Candidates, len(f.Candidates) > 0 }),
		said("cause", func(f Finding) (any, bool) { return f.Cause, f.Cause != "" }),
		said("unjudged", func(f Finding) (any, bool) { return f.Unjudged, f.Unjudged != "" }),
		said("warnings", func(f Finding) (any, bool) { return f.Warnings, len(f.Warnings) > 0 }))
}
