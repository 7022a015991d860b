package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// detail is how much room there is.
type detail struct {
	wide  bool // more columns
	ascii bool
	full  bool // every size bin instead of doublings
}

// blocks is the content of a run's report, the same in every format.
func (r Run) blocks(d detail) []block {
	out := []block{heading{1, r.title()}}
	for _, f := range r.facts() {
		out = append(out, para{f})
	}
	if w := r.warnings(); len(w) > 0 {
		out = append(out, heading{2, "Warnings"}, bullets{w})
	}
	for _, tag := range r.Signature.Tags() {
		out = append(out, heading{2, fmt.Sprintf("Performance signature of %s (tag %d)", r.program(tag), tag)})
		sizes := ofTag(bySize(r.Signature), tag)
		out = append(out, figure{sizes}, r.classes(tag, d), r.sizes(sizes, d), r.kinds(tag))
	}
	out = append(out, heading{2, "What deviates"}, bullets{r.Diagnosis.Summary})
	out = append(out, r.operations()...)
	if len(r.Manifest.Shares) > 0 {
		out = append(out, runTimes(r)...)
	}
	return out
}

func percent(part, whole trace.Opt[float64]) string {
	if !part.OK || !whole.OK || whole.Value == 0 {
		return analysis.None
	}
	share := 100 * part.Value / whole.Value
	if whole.Value < 0 {
		share = -share
	}
	return fmt.Sprintf("%+.0f%%", share)
}

func half(lo, hi trace.Opt[float64]) string {
	if !lo.OK || !hi.OK {
		return analysis.None
	}
	return analysis.Us(trace.Some((hi.Value - lo.Value) / 2))
}

func (r Run) level(tag trace.Tag, class string, stage trace.Stage) analysis.Level {
	for _, f := range r.Diagnosis.Findings {
		if f.Tag == tag && f.Class == class && f.Stage == stage {
			return f.Level
		}
	}
	return analysis.Unclear
}

// classes is the table by size class.
func (r Run) classes(tag trace.Tag, d detail) grid {
	g := grid{
		head: []string{"class", "packets", "stage", "mean", "±", "base", "dev", "", "", "p50", "p99"},
		left: []bool{true, false, true, false, false, false, false, false, true, false, false},
		note: "Times in µs; ± is half the 95% interval of the mean, base the unloaded mean at the same sizes, dev the mean less that: " +
			mark(analysis.Above, d.ascii) + " above, " + mark(analysis.Below, d.ascii) + " below, " + mark(analysis.Within, d.ascii) + " within 10%, " +
			mark(analysis.Unclear, d.ascii) + " cannot be told; ~ a weak mean (few packets); > or < a bound; - not known.",
	}
	if d.wide {
		g.head = append(g.head[:9:9], "dev from", "to", "p50", "p90", "p99", "max")
		g.left = append(g.left[:9:9], false, false, false, false, false, false)
	}
	for _, x := range ofTag(byClass(r.Signature), tag) {
		name, count := x.class, strconv.FormatInt(x.count(), 10)
		for _, s := range x.stats {
			m := mark(r.level(tag, x.class, s.Stage), d.ascii)
			if s.Weak {
				m += "~"
			}
			line := []string{
				name, count, analysis.StageName(s.Stage), analysis.Us(s.MeanNs), half(s.CILoNs, s.CIHiNs), analysis.Us(s.BaselineNs),
				analysis.SignedUs(s.DeviationNs), percent(s.DeviationNs, s.BaselineNs), m,
			}
			if d.wide {
				line = append(line, analysis.SignedUs(s.DeviationCILoNs), analysis.SignedUs(s.DeviationCIHiNs),
					analysis.PercentileUs(s.P50), analysis.PercentileUs(s.P90), analysis.PercentileUs(s.P99), analysis.TenthUs(s.MaxNs))
			} else {
				line = append(line, analysis.PercentileUs(s.P50), analysis.PercentileUs(s.P99))
			}
			g.rows = append(g.rows, line)
			name, count = "", ""
		}
	}
	return g
}

// sizes is the table of means by size.
func (r Run) sizes(rows []row, d detail) grid {
	g := grid{
		head: []string{"size, B", "packets"}, left: []bool{false, false},
		note: "Mean latency in µs by payload size; ~ rests on few packets.",
	}
	for _, s := range trace.Stages() {
		g.head, g.left = append(g.head, analysis.StageName(s)), append(g.left, false)
		if d.wide {
			g.head, g.left = append(g.head, "dev"), append(g.left, false)
		}
	}
	if !d.full {
		rows = doublings(rows)
		g.note += " Size bins are put together by doublings."
	}
	for _, x := range rows {
		line := []string{fmt.Sprintf("%d-%d", x.SizeLoBytes+1, x.SizeHiBytes), strconv.FormatInt(x.count(), 10)}
		for _, stage := range trace.Stages() {
			s, _ := x.stat(stage)
			mean := analysis.Us(s.MeanNs)
			if s.Weak && s.MeanNs.OK {
				mean = "~" + mean
			}
			line = append(line, mean)
			if d.wide {
				line = append(line, analysis.SignedUs(s.DeviationNs))
			}
		}
		g.rows = append(g.rows, line)
	}
	return g
}

// doublings puts the size bins of each doubling of the size together. A weak
// mean is one whose packets are few even so.
func doublings(rows []row) []row {
	var out []row
	for _, r := range rows {
		lo, hi := int64(0), int64(32)
		for r.SizeHiBytes > hi {
			lo, hi = hi, 2*hi
		}
		if len(out) == 0 || out[len(out)-1].SizeHiBytes != hi {
			out = append(out, row{rowKey: rowKey{Group: r.Group, Sizes: trace.Sizes{SizeLoBytes: lo, SizeHiBytes: hi}}})
		}
		last := &out[len(out)-1]
		last.stats = analysis.Pool(last.stats, r.stats)
	}
	return out
}

// kinds is the table of means by packet kind over all sizes.
func (r Run) kinds(tag trace.Tag) grid {
	g := grid{
		head: []string{"kind", "packets"}, left: []bool{true, false},
		note: "Mean latency in µs by packet kind, over all sizes.",
	}
	for _, s := range trace.Stages() {
		g.head, g.left = append(g.head, analysis.StageName(s)), append(g.left, false)
	}
	var groups []row
	for _, x := range byClass(r.Signature) {
		if x.Tag != tag {
			continue
		}
		if len(groups) == 0 || groups[len(groups)-1].Group != x.Group {
			groups = append(groups, row{rowKey: rowKey{Group: x.Group}})
		}
		last := &groups[len(groups)-1]
		last.stats = analysis.Pool(last.stats, x.stats)
	}
	for _, x := range groups {
		name := x.Kind
		if x.First.OK {
			name += map[bool]string{true: ", first", false: ", later"}[x.First.Value]
		}
		line := []string{name, strconv.FormatInt(x.count(), 10)}
		for _, stage := range trace.Stages() {
			s, _ := x.stat(stage)
			line = append(line, analysis.Us(s.MeanNs))
		}
		g.rows = append(g.rows, line)
	}
	return g
}

// runTimes are the tables of run time, one for each program.
func runTimes(r Run) []block {
	byTag := map[trace.Tag][]trace.Shares{}
	for _, s := range r.Manifest.Shares {
		byTag[s.Tag] = append(byTag[s.Tag], s)
	}
	if len(byTag) == 1 {
		return []block{heading{2, "Run time per node"}, shares(r.Manifest.Shares)}
	}
	var out []block
	for _, p := range r.Manifest.Tags {
		if all := byTag[p.Tag]; len(all) > 0 {
			out = append(out, heading{2, fmt.Sprintf("Run time of %s (tag %d) per node", p.Name, p.Tag)}, shares(all))
		}
	}
	return out
}

// part is a share of run time that has a column of its own.
type part struct {
	head, what string
	ns         func(*trace.Shares) *int64
	always     bool // shown even when no node spent any
}

var parts = []part{
	{"comp.", "computing", func(s *trace.Shares) *int64 { return &s.ComputingNs }, true},
	{"pages", "waiting for pages", func(s *trace.Shares) *int64 { return &s.PageWaitNs }, true},
	{"locks", "for locks", func(s *trace.Shares) *int64 { return &s.LockNs }, true},
	{"barriers", "at barriers", func(s *trace.Shares) *int64 { return &s.BarrierNs }, true},
	{"library", "in the communication library", func(s *trace.Shares) *int64 { return &s.MessagingNs }, false},
	{"messages", "waiting for messages", func(s *trace.Shares) *int64 { return &s.MessageWaitNs }, false},
	{"service", "serving other nodes", func(s *trace.Shares) *int64 { return &s.ServiceNs }, true},
	{"desched.", "descheduled", func(s *trace.Shares) *int64 { return &s.DescheduledNs }, true},
	{"monitor", "monitor", func(s *trace.Shares) *int64 { return &s.MonitorNs }, true},
}

// shares is the table of what a program's run time on each node went to.
func shares(all []trace.Shares) grid {
	var sum trace.Shares
	for i := range all {
		sum.RunTimeNs += all[i].RunTimeNs
		for _, p := range parts {
			*p.ns(&sum) += *p.ns(&all[i])
		}
	}
	var shown []part
	g := grid{head: []string{"node", "time, s"}}
	var what []string
	for _, p := range parts {
		if p.always || *p.ns(&sum) > 0 {
			shown = append(shown, p)
			g.head = append(g.head, p.head)
			what = append(what, p.what)
		}
	}
	g.left = make([]bool, len(g.head))
	g.note = "Percent of the node's run time: " + strings.Join(what, ", ") + ". They sum to 100."
	for i := range all {
		g.rows = append(g.rows, shareLine(strconv.Itoa(all[i].Node), &all[i], 1, shown))
	}
	if len(all) > 1 {
		g.rows = append(g.rows, shareLine("mean", &sum, len(all), shown))
	}
	return g
}

func shareLine(name string, s *trace.Shares, nodes int, shown []part) []string {
	line := []string{name, strconv.FormatFloat(float64(s.RunTimeNs)/1e9/float64(nodes), 'f', 4, 64)}
	for _, p := range shown {
		text := analysis.None
		if s.RunTimeNs > 0 {
			text = strconv.FormatFloat(100*float64(*p.ns(s))/float64(s.RunTimeNs), 'f', 1, 64)
		}
		line = append(line, text)
	}
	return line
}
