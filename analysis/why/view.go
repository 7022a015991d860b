package why

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// line is a row of a table: the effects of all changes of one part on a target.
type line struct {
	Target
	part int
	name string
}

// effect returns the effect of a kind of change on the row's target. Freeing everything is kept as All.
func (l line) effect(how How) (Effect, bool) {
	if l.name == everything && how == Free {
		how = All
	}
	i := slices.IndexFunc(l.Effects, func(e Effect) bool { return e.How == how && e.Part == l.part && (how == All || e.Name == l.name) })
	if i < 0 {
		return Effect{}, false
	}
	return l.Effects[i], true
}

// Bar is what a change saves of a target, alone and, if that was measured, what it still costs when all others are free.
type Bar struct {
	Target
	Name        string
	Alone, Last Effect
	HasLast     bool
}

// Bars returns what the tables of a program show, as bars: of the run time those of all changes, the longest first;
// of latencies those of parts that are shown to have much of the excess.
func (x Explanation) Bars(tag int) (runTime, latencies []Bar) {
	bars := func(lines []line) (out []Bar) {
		for _, l := range lines {
			alone, ok := l.effect(Free)
			if last, has := l.effect(AllButOne); ok {
				out = append(out, Bar{l.Target, l.name, alone, last, has})
			}
		}
		return out
	}
	if x.Single() {
		t := x.of(tag)[0]
		for _, e := range t.Effects {
			runTime = append(runTime, Bar{Target: t, Name: e.Name + " " + changed[e.How], Alone: e})
		}
		return runTime, nil
	}
	runTime, latencies = bars(x.changes(tag)), bars(x.latencies(tag))
	slices.SortStableFunc(runTime, func(a, b Bar) int { return cmp.Compare(b.Alone.Value, a.Alone.Value) })
	return runTime, latencies
}

// latencies returns the rows of a program's material latencies. A latency has one for each part that is shown to have
// leastShare of its excess or more, alone or last.
func (x Explanation) latencies(tag int) (lines []line) {
	for _, t := range x.of(tag)[1:] {
		if !t.Material || t.Stage == trace.NetMinusLANai {
			continue // a difference of two stages that are shown
		}
		for i, p := range x.Parts {
			if l := (line{t, i, p.Name()}); x.relevant(l) {
				lines = append(lines, l)
			}
		}
		lines = append(lines, x.whole(t)...)
	}
	return lines
}

// changes returns the rows of a program's run time.
func (x Explanation) changes(tag int) (lines []line) {
	t := x.of(tag)[0]
	for i, p := range x.Parts {
		lines = append(lines, line{t, i, p.Name()})
	}
	return append(lines, x.whole(t)...)
}

// LatenciesView returns the table of a program's material latencies.
func (x Explanation) LatenciesView(tag int) analysis.View {
	once := func(name string, of func(line) string) analysis.Col[line] {
		c := analysis.Text(name, of)
		c.Once = true
		return c
	}
	cols := []analysis.Col[line]{
		once("<class", func(l line) string { return l.Class }),
		once("<stage", func(l line) string { return analysis.StageName(l.Stage, analysis.Modelled) }),
		once("excess", func(l line) string { return analysis.Us(trace.Some(l.Excess.Value)) }),
		once("±", func(l line) string { return half(l.Excess, 1000) }),
		analysis.Text("<freed", func(l line) string { return l.name }),
	}
	cols = append(cols, effects(x, 1000, "%.2f")...)
	return analysis.Tabulate(x.latencies(tag), cols...).Noted("Times in µs, ± half the 95% interval over seeds. excess: over the baseline; alone: what it saves that nothing waits for the resource alone, also in per cent of the excess; " +
		"last: what the resource still costs when nothing waits for any other (if it differs from alone, resources interact); 2×: what it saves twice as fast, or twice as many. A negative time is added. Listed are resources that take a tenth of the excess or more, alone or last; sigview why --json has all." + x.sharesNote())
}

// RunTimeView returns the table of what each change saves of a program's run time.
func (x Explanation) RunTimeView(tag int) analysis.View {
	lines := x.changes(tag)
	cols := append([]analysis.Col[line]{analysis.Text("<freed", func(l line) string { return l.name })}, effects(x, 1e6, "%.1f")...)
	note := ""
	if traced := x.traced(); traced != nil && len(x.Programs) == 1 {
		cols = append(cols, traced...)
		note = " path: of the critical path of one traced run, with a wait for the resource on it; replay: what a replay of that trace saves without."
	}
	return analysis.Tabulate(lines, cols...).Noted(fmt.Sprintf("Times in ms of a run of %s, columns as above; per cent are of what everything free saves.", analysis.WithUnit(ms(lines[0].MeanNs), "ms")) + x.sharesNote() + note)
}

// changed says what a single port or program is made.
var changed = map[How]string{Free: "free", Absent: "absent", TwiceAsFast: "twice as fast"}

// SingleView returns the table of what changes of the one port or program save of a program's run time.
func (x Explanation) SingleView(tag int) analysis.View {
	t := x.of(tag)[0]
	return analysis.Tabulate(t.Effects,
		analysis.Text("<what", func(e Effect) string { return e.Name }),
		analysis.Text("<is", func(e Effect) string { return changed[e.How] }),
		analysis.Text("saves", func(e Effect) string { return ms(e.Value) }),
		analysis.Text("±", func(e Effect) string { return half(e.Estimate, 1e6) }),
		analysis.Text("", func(e Effect) string { return share(e.Value, t) }),
	).Noted(fmt.Sprintf("Times in ms of a run of %s, ± half the 95%% interval over seeds; a negative time is added. Free: packets pass the port at once. Twice as fast: what the program computes takes half the time.", analysis.WithUnit(ms(t.MeanNs), "ms")))
}

// traced returns the columns of a trace: the time on the critical path and what the replay saves. Without a
// trace there are none.
func (x Explanation) traced() []analysis.Col[line] {
	if len(x.Traced) != len(x.Parts) {
		return nil
	}
	cell := func(of func(Traced) float64) func(line) string {
		return func(l line) string {
			if l.part < 0 {
				return analysis.None
			}
			return ms(of(x.Traced[l.part]))
		}
	}
	return []analysis.Col[line]{
		analysis.Text("path", cell(func(t Traced) float64 { return t.OnPathNs })),
		analysis.Text("replay", cell(func(t Traced) float64 { return t.SavedNs })),
	}
}

// whole returns the rows of a target that belong to no single part: the rest, if shares were asked for, and
// everything.
func (x Explanation) whole(t Target) (lines []line) {
	if x.Shared != nil {
		lines = append(lines, line{t, -1, theRest})
	}
	return append(lines, line{t, -1, everything})
}

// sharesNote returns the note on the column of shares, empty without one.
func (x Explanation) sharesNote() string {
	if x.Shared == nil {
		return ""
	}
	return fmt.Sprintf(" share: Shapley values, exact over %s and the rest as one; they sum to the whole.", analysis.Plural(len(x.Shared), "resource"))
}

// relevant reports whether freeing a part, alone or last, has at least leastShare of the excess.
func (x Explanation) relevant(l line) bool {
	return slices.ContainsFunc([]How{Free, AllButOne}, func(h How) bool {
		e, ok := l.effect(h)
		share := l.Share(max(e.Value, -e.Value))
		return ok && share.OK && share.Value >= leastShare && x.counts(e.Estimate)
	})
}

// effects returns the columns of effects. unit is the number of ns in the unit that is shown, format writes a
// value.
func effects(x Explanation, unit float64, format string) (cols []analysis.Col[line]) {
	cell := func(how How, of func(line, Effect) string) func(line) string {
		return func(l line) string {
			if e, ok := l.effect(how); ok {
				return of(l, e)
			}
			return analysis.None
		}
	}
	value := func(_ line, e Effect) string { return fmt.Sprintf(format, e.Value/unit) }
	error := func(_ line, e Effect) string { return half(e.Estimate, unit) }
	share := func(l line, e Effect) string {
		if s := l.Share(e.Value); s.OK {
			return fmt.Sprintf("%.0f%%", 100*s.Value)
		}
		return analysis.None
	}
	cols = append(cols, analysis.Text("alone", cell(Free, value)), analysis.Text("±", cell(Free, error)), analysis.Text("", cell(Free, share)),
		analysis.Text("last", cell(AllButOne, value)), analysis.Text("±", cell(AllButOne, error)),
		analysis.Text("2×", cell(TwiceAsFast, value)), analysis.Text("±", cell(TwiceAsFast, error)))
	if x.Shared != nil {
		cols = append(cols, analysis.Text("share", cell(Share, value)), analysis.Text("±", cell(Share, error)))
	}
	return cols
}

// half writes half the width of the interval in the unit of that many ns.
func half(e Estimate, unit float64) string {
	if !e.Lo.OK {
		return analysis.None
	}
	return analysis.Us(trace.Some((e.Hi.Value - e.Lo.Value) / 2 / unit * 1000))
}

// cause is a row of CausesView: an effect with its target.
type cause struct {
	Target
	Effect
}

// CausesView returns the table of all effects of all targets for documents, in µs.
func (x Explanation) CausesView() analysis.View {
	var rows []cause
	for _, t := range x.Targets {
		for _, e := range t.Effects {
			rows = append(rows, cause{t, e})
		}
	}
	return analysis.Tabulate(rows,
		analysis.Hidden("resource", func(c cause) any { return c.Effect.Name }),
		analysis.Hidden("tag", func(c cause) any { return c.Tag }),
		analysis.Hidden("target", func(c cause) any { return c.Target.String() }),
		analysis.Hidden("mean_us", func(c cause) any { return c.MeanNs / 1000 }),
		analysis.Hidden("excess_us", func(c cause) any { return c.Excess.Value / 1000 }),
		analysis.Hidden("excess_lo_us", func(c cause) any { return us(c.Excess.Lo) }),
		analysis.Hidden("excess_hi_us", func(c cause) any { return us(c.Excess.Hi) }),
		analysis.Hidden("explained_us", func(c cause) any { return c.Value / 1000 }),
		analysis.Hidden("lo_us", func(c cause) any { return us(c.Lo) }), analysis.Hidden("hi_us", func(c cause) any { return us(c.Hi) }),
		analysis.Hidden("share", func(c cause) any {
			if s := c.Share(c.Value); s.OK {
				return s.Value
			}
			return nil
		}),
		analysis.Hidden("how", func(c cause) any { return c.How.String() }),
		analysis.Hidden("on_path_us", func(c cause) any { return x.tracedUs(c, func(t Traced) float64 { return t.OnPathNs }) }),
		analysis.Hidden("replayed_us", func(c cause) any { return x.tracedUs(c, func(t Traced) float64 { return t.SavedNs }) }),
	)
}

// tracedUs returns what a trace says of freeing the part of a cause, in µs. It returns nil for other causes and
// without a trace.
func (x Explanation) tracedUs(c cause, of func(Traced) float64) any {
	if !c.RunTime || c.How != Free || len(x.Programs) != 1 || len(x.Traced) != len(x.Parts) {
		return nil
	}
	return of(x.Traced[c.Effect.Part]) / 1000
}

// interaction is a row of InteractionsView.
type interaction struct {
	Target
	Interaction
}

// InteractionsView returns the table of all interactions for documents, in µs.
func (x Explanation) InteractionsView() analysis.View {
	var rows []interaction
	for _, t := range x.Targets {
		for _, i := range t.Interactions {
			rows = append(rows, interaction{t, i})
		}
	}
	return analysis.Tabulate(rows,
		analysis.Hidden("resource", func(i interaction) any { return i.Name }),
		analysis.Hidden("tag", func(i interaction) any { return i.Tag }),
		analysis.Hidden("target", func(i interaction) any { return i.Target.String() }),
		analysis.Hidden("alone_us", func(i interaction) any { return i.Alone / 1000 }),
		analysis.Hidden("last_us", func(i interaction) any { return i.Last / 1000 }),
		analysis.Hidden("difference_us", func(i interaction) any { return i.Value / 1000 }),
		analysis.Hidden("lo_us", func(i interaction) any { return us(i.Lo) }), analysis.Hidden("hi_us", func(i interaction) any { return us(i.Hi) }),
	)
}

// us returns ns in µs, nil if unknown.
func us(ns trace.Opt[float64]) any {
	if !ns.OK {
		return nil
	}
	return ns.Value / 1000
}
