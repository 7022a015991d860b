package analysis

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/trace"
)

// Mark is a level as one character, so that colour never stands alone.
func (l Level) Mark() string {
	switch l {
	case Above:
		return "▲"
	case Below:
		return "▼"
	case Within:
		return "="
	}
	return "?"
}

// SizesView is the means of packets by size, for people, and all that is known of
// them, for programs.
func SizesView(rows []Packets) View {
	cols := latencies(func(p Packets, s trace.Stat) trace.SignatureRow {
		return trace.SignatureRow{Group: p.Group, Sizes: p.Sizes, Stat: s}
	})
	v := Tabulate(rows, slices.Concat([]Col[Packets]{Text("size, B", Packets.sizes)}, cols)...)
	v.Note = "Mean latency in µs by payload size; ~ rests on few packets."
	return v
}

// ClassesView is SizesView by size class.
func ClassesView(rows []Packets) View {
	return Tabulate(rows, latencies(func(p Packets, s trace.Stat) trace.ClassRow {
		return trace.ClassRow{Group: p.Group, Class: p.Class, Sizes: p.Sizes, Stat: s}
	})...)
}

// PairsView is SizesView by sender and receiver, over all sizes.
func PairsView(rows []Packets) View {
	all := slices.DeleteFunc(slices.Clone(rows), func(p Packets) bool { return p.Class != trace.AllSizes })
	return Tabulate(all, latencies(func(p Packets, s trace.Stat) trace.PairRow {
		return trace.PairRow{Group: p.Group, Sender: p.Sender, Receiver: p.Receiver, Stat: s}
	})...)
}

// KindsView is the means by packet kind, over all sizes.
func KindsView(rows []Packets) View {
	cols := latencies(func(p Packets, s trace.Stat) trace.SignatureRow { return trace.SignatureRow{Stat: s} })
	cols = slices.DeleteFunc(cols, func(c Col[Packets]) bool { return c.Room != Always })
	v := Tabulate(rows, slices.Concat([]Col[Packets]{Text("<kind", Packets.kind)}, cols)...)
	v.Note = "Mean latency in µs by packet kind, over all sizes; ~ rests on few packets."
	return v
}

func (p Packets) sizes() string { return fmt.Sprintf("%d-%d", p.SizeLoBytes+1, p.SizeHiBytes) }

func (p Packets) kind() string {
	if !p.First.OK {
		return p.Kind
	}
	return p.Kind + map[bool]string{true: ", first", false: ", later"}[p.First.Value]
}

// latencies are the columns of packets whose latencies stand side by side. What a
// table's row says of packets before the stage goes before them; what it says of the
// stage makes an object of each.
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

// mean is a mean, marked when it is weak.
func mean(s trace.Stat) string {
	if s.Weak && s.MeanNs.OK {
		return "~" + Us(s.MeanNs)
	}
	return Us(s.MeanNs)
}

// Latency is one latency of packets with what is said of it.
type Latency struct {
	Packets
	trace.Stat
	Level Level
}

// Latencies lists the latencies of packets one below the other. The levels are those
// of the diagnosis.
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

// marks says what the marks of levels mean.
func marks(above, below string) string {
	return Above.Mark() + " " + above + ", " + Below.Mark() + " " + below + ", " + Within.Mark() + " within 10%, " + Unclear.Mark() + " cannot be told"
}

// LatenciesView is each latency of each size class in a line of its own.
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
	v.Note = "Times in µs; ± is half the 95% interval of the mean, base the unloaded mean at the same sizes, dev the mean less that: " +
		marks("above", "below") + "; ~ a weak mean (few packets); > or < a bound; - not known."
	return v
}

// View is what each latency of each size class says, for programs.
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

// value is a column for programs only.
func value[T any](key string, of func(T) any) Col[T] {
	return said(key, func(r T) (any, bool) { return of(r), true })
}

// said is a column for programs only, which is left out where it says nothing.
func said[T any](key string, of func(T) (any, bool)) Col[T] {
	return Col[T]{Column{Key: key, Room: Never}, func(r T) Cell {
		v, ok := of(r)
		return Cell{Value: v, Absent: !ok}
	}}
}

// inUs is a time in µs as programs read it.
func inUs(ns trace.Opt[float64]) any {
	if !ns.OK {
		return nil
	}
	return ns.Value / 1000
}

// View is how each latency of each size class changed.
func (c Comparison) View() View {
	tagged := false
	for _, x := range c.Changes {
		tagged = tagged || x.Tag != c.Changes[0].Tag
	}
	us := func(name, key string, text func(trace.Opt[float64]) string, of func(Change) trace.Opt[float64]) Col[Change] {
		return Col[Change]{Column{Name: name, Key: key}, func(x Change) Cell { return Cell{Text: text(of(x)), Value: inUs(of(x))} }}
	}
	count := func(name, key string, of func(Change) int64) Col[Change] {
		return Col[Change]{Column{Name: name, Key: key, Room: Wide}, func(x Change) Cell { return Cell{Text: strconv.FormatInt(of(x), 10), Value: of(x)} }}
	}
	bySizes := us("by sizes", "by_sizes_us", SignedUs, func(x Change) trace.Opt[float64] { return trace.Some(x.MixNs) })
	bySizes.Room = Wide
	v := Tabulate(c.Changes,
		value("tag", func(x Change) any { return x.Tag }),
		Col[Change]{Column{Name: "class", Key: "class", Left: true, Once: true}, func(x Change) Cell { return Cell{Text: x.where(tagged), Value: x.Class} }},
		Col[Change]{Column{Name: "stage", Key: "stage", Left: true}, func(x Change) Cell { return Cell{Text: StageName(x.Stage), Value: x.Stage.String()} }},
		us("A", "mean_a_us", Us, func(x Change) trace.Opt[float64] { return x.MeanANs }),
		us("B", "mean_b_us", Us, func(x Change) trace.Opt[float64] { return x.MeanBNs }),
		us("diff", "difference_us", SignedUs, func(x Change) trace.Opt[float64] { return x.DiffNs }),
		Text("", func(x Change) string {
			if !x.DiffNs.OK {
				return None
			}
			return fmt.Sprintf("%+.0f%%", 100*x.Share())
		}),
		Col[Change]{Column{Key: "level", Left: true}, func(x Change) Cell { return Cell{Text: x.Level.Mark(), Value: x.Level, Level: x.Level} }},
		us("from", "ci_lo_us", SignedUs, func(x Change) trace.Opt[float64] { return x.CILoNs }),
		us("to", "ci_hi_us", SignedUs, func(x Change) trace.Opt[float64] { return x.CIHiNs }),
		Col[Change]{Column{Name: "effect", Key: "effect_size"}, func(x Change) Cell {
			if !x.Effect.OK {
				return Cell{Text: None}
			}
			return Cell{Text: fmt.Sprintf("%+.2f", x.Effect.Value), Value: x.Effect.Value}
		}},
		bySizes,
		count("packets A", "count_a", func(x Change) int64 { return x.CountA }),
		count("packets B", "count_b", func(x Change) int64 { return x.CountB }),
		said("warnings", func(x Change) (any, bool) { return x.Warnings, len(x.Warnings) > 0 }))
	v.Note = "Times in µs. diff is B's mean less what A's would be with B's packet sizes, from and to its 95% interval, effect its size in standard deviations of one packet (Hedges' g): " +
		marks("up", "down") + "."
	return v
}

// spent is a part of run time with its column.
type spent struct {
	name, key, what string
	ns              func(*trace.Shares) *int64
	always          bool // shown even when no node spent any
}

var runTimeParts = []spent{
	{"comp.", "computing_s", "computing", func(s *trace.Shares) *int64 { return &s.ComputingNs }, true},
	{"pages", "page_wait_s", "waiting for pages", func(s *trace.Shares) *int64 { return &s.PageWaitNs }, true},
	{"locks", "lock_s", "for locks", func(s *trace.Shares) *int64 { return &s.LockNs }, true},
	{"barriers", "barrier_s", "at barriers", func(s *trace.Shares) *int64 { return &s.BarrierNs }, true},
	{"library", "messaging_s", "in the communication library", func(s *trace.Shares) *int64 { return &s.MessagingNs }, false},
	{"messages", "message_wait_s", "waiting for messages", func(s *trace.Shares) *int64 { return &s.MessageWaitNs }, false},
	{"service", "service_s", "serving other nodes", func(s *trace.Shares) *int64 { return &s.ServiceNs }, true},
	{"desched.", "descheduled_s", "descheduled", func(s *trace.Shares) *int64 { return &s.DescheduledNs }, true},
	{"monitor", "monitor_s", "monitor", func(s *trace.Shares) *int64 { return &s.MonitorNs }, true},
}

// RunTimeView says what the run time of nodes went to: in percent for people, in
// seconds for programs. With mean, a line of their means follows, for people.
func RunTimeView(rows []trace.Shares, mean bool) View {
	seconds := func(ns int64) float64 { return float64(ns) / 1e9 }
	sum, nodes := trace.Shares{Node: -1}, max(len(rows), 1)
	for i := range rows {
		sum.RunTimeNs += rows[i].RunTimeNs
		for _, p := range runTimeParts {
			*p.ns(&sum) += *p.ns(&rows[i])
		}
	}
	cols := []Col[trace.Shares]{
		value("tag", func(s trace.Shares) any { return s.Tag }),
		{Column{Name: "node", Key: "node"}, func(s trace.Shares) Cell {
			if s.Node < 0 {
				return Cell{Text: "mean"}
			}
			return Cell{Text: strconv.Itoa(s.Node), Value: s.Node}
		}},
		{Column{Name: "time, s", Key: "run_time_s"}, func(s trace.Shares) Cell {
			ns := float64(s.RunTimeNs)
			if s.Node < 0 {
				ns /= float64(nodes)
			}
			return Cell{Text: strconv.FormatFloat(ns/1e9, 'f', 4, 64), Value: seconds(s.RunTimeNs)}
		}},
	}
	var what []string
	for _, p := range runTimeParts {
		room := Never
		if p.always || *p.ns(&sum) > 0 {
			room = Always
			what = append(what, p.what)
		}
		cols = append(cols, Col[trace.Shares]{Column{Name: p.name, Key: p.key, Room: room}, func(s trace.Shares) Cell {
			c := Cell{Text: None, Value: seconds(*p.ns(&s))}
			if s.RunTimeNs > 0 {
				c.Text = strconv.FormatFloat(100*float64(*p.ns(&s))/float64(s.RunTimeNs), 'f', 1, 64)
			}
			return c
		}})
	}
	if mean && len(rows) > 1 {
		rows = append(slices.Clone(rows), sum)
	}
	v := Tabulate(rows, cols...)
	v.Note = "Percent of the node's run time: " + strings.Join(what, ", ") + ". They sum to 100."
	return v
}

// times are the columns of durations: their count under a heading of its own, and in µs
// what they are like.
func times[T any](count string, of func(T) Times) []Col[T] {
	us := func(name, key string, ns func(Times) float64) Col[T] {
		return Col[T]{Column{Name: name, Key: key}, func(r T) Cell {
			v := ns(of(r)) / 1000
			return Cell{Text: strconv.FormatFloat(v, 'f', 1, 64), Value: v}
		}}
	}
	most := us("", "max_us", func(t Times) float64 { return float64(t.Percentile(100)) })
	most.Room = Never
	return []Col[T]{
		{Column{Name: count, Key: "count"}, func(r T) Cell { return Cell{Text: Digits(of(r).Count()), Value: of(r).Count()} }},
		us("mean", "mean_us", Times.MeanNs),
		us("p50", "p50_us", func(t Times) float64 { return float64(t.Percentile(50)) }),
		us("p99", "p99_us", func(t Times) float64 { return float64(t.Percentile(99)) }),
		most,
	}
}

// PhasesView is operations or phases over nodes, each in one line. name says what they
// are called. Programs are given the stages of each as well.
func PhasesView(all []Operation, name func(Operation) string) View {
	v := Tabulate(all, slices.Concat([]Col[Operation]{
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
	})...)
	v.Note = "Times in µs, over nodes."
	return v
}

// OperationsView is operations with their stages below, for people. name says what they
// are called.
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
	v := Tabulate(rows, slices.Concat([]Col[line]{
		Text("<operation", func(l line) string { return l.name }),
		Text("count", func(l line) string { return l.count }),
		Text("<stage", func(l line) string { return l.Stage }),
	}, cols, []Col[line]{
		Text("share", func(l line) string {
			if l.count != "" {
				return ""
			}
			return strconv.FormatFloat(100*l.Share, 'f', 1, 64) + "%"
		}),
	})...)
	v.Note = "Times in µs. A stage's figures are those of the operations that went through it, how many is told under in; " +
		"share is its part of the time of all, so shares sum to 100%."
	return v
}
