package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
)

// LogP is one or more measurements of LogP parameters, in the order to be shown.
type LogP struct {
	Seed    uint64
	Results []bench.LogP
}

// LogPText is the measurements for a terminal.
func LogPText(r LogP, s Style) string { return s.render(r.blocks()) }

// LogPMarkdown is the measurements as a Markdown page.
func LogPMarkdown(r LogP) string { return markdown(r.blocks()) }

// LogPHTML is the measurements as one page that needs nothing else.
func LogPHTML(r LogP) string { return page(r.title(), r.blocks()) }

func (r LogP) title() string { return "LogP parameters of " + commonPlace(r.places()) }

func (r LogP) places() []bench.Place {
	return placesOf(r.Results, func(x bench.LogP) bench.Place { return x.Place })
}

// blocks is the content of the report, the same in every format.
func (r LogP) blocks() []block {
	out := []block{heading{1, r.title()}}
	if len(r.Results) == 1 {
		x := &r.Results[0]
		out = append(out, para{logpFacts(x, r.Seed)}, parameters(x))
		return append(out, r.details(x)...)
	}
	out = append(out, para{fmt.Sprintf("Seed %d.", r.Seed)}, r.comparison())
	for _, c := range LogPCharts(r.Results) {
		if !strings.HasPrefix(c.Name, costChart+"-") {
			out = append(out, c)
		}
	}
	for i := range r.Results {
		x := &r.Results[i]
		out = append(out, heading{2, "Details of " + placeName(x.Place)}, para{logpFacts(x, r.Seed)})
		out = append(out, r.details(x)...)
	}
	return out
}

func logpFacts(x *bench.LogP, seed uint64) string {
	text := fmt.Sprintf("Method %s, pattern %s", x.Method, x.Pattern)
	switch {
	case x.Pattern == "all-pairs":
		text += fmt.Sprintf(" with %d pairs", x.Peers)
	case x.Peers > 1:
		text += fmt.Sprintf(" with %d peers", x.Peers)
	}
	text += fmt.Sprintf(", monitor %s, seed %d", x.Monitor, seed)
	if x.Noise != "" && x.Noise != "none" {
		text += ", host noise: " + x.Noise
	}
	return text + "."
}

// figures are the parameters in the order in which they are shown.
func figures(p *logp.Params) []struct {
	name, what string
	v          logp.Estimate
} {
	return []struct {
		name, what string
		v          logp.Estimate
	}{
		{"o_s", "processor's time to send", p.Os}, {"o_r", "processor's time to receive", p.Or},
		{"L", "latency without both", p.L}, {"g", "gap between messages", p.G}, {"RTT", "round trip", p.RTT},
	}
}

// parameters is the table of a single result.
func parameters(x *bench.LogP) grid {
	g := grid{
		head: []string{"", "µs", "95% interval", "what it is"}, left: []bool{true, false, true, true},
		note: "Idle is what the gap leaves of the processor's time.",
	}
	add := func(name, what string, e logp.Estimate) {
		g.rows = append(g.rows, append([]string{name}, append(cells(e), what)...))
	}
	for _, f := range figures(&x.Parameters) {
		add(f.name, f.what, f.v)
	}
	add("idle", "per message at the gap", x.Idle)
	if x.GapRatio != nil {
		add("g ratio", "gap against that of one pair, no unit", *x.GapRatio)
	}
	return g
}

// cells are a value and its interval, or why there is none.
func cells(e logp.Estimate) []string {
	if !e.OK() {
		return []string{"-", "not identifiable: " + e.Reason}
	}
	return []string{bench.Digits(e.Value), bench.Digits(e.Lo) + " to " + bench.Digits(e.Hi)}
}

// comparison is the table of several results.
func (r LogP) comparison() grid {
	g := grid{
		head: []string{"", "method", "o_s", "o_r", "L", "g", "RTT"}, left: []bool{true, true, false, false, false, false, false},
		note: "Times in µs of the smallest messages; - not identifiable, the reason stands below.",
	}
	ratio := false
	for _, x := range r.Results {
		ratio = ratio || x.GapRatio != nil
	}
	if ratio {
		g.head, g.left = append(g.head, "g ratio"), append(g.left, false)
	}
	names := shortNames(r.places())
	for i := range r.Results {
		x := &r.Results[i]
		line := []string{names[i], x.Method}
		for _, f := range figures(&x.Parameters) {
			line = append(line, bench.Figure(f.v))
		}
		if ratio {
			text := "-"
			if x.GapRatio != nil {
				text = bench.Figure(*x.GapRatio)
			}
			line = append(line, text)
		}
		g.rows = append(g.rows, line)
	}
	return g
}

// details are what a single result has beside its parameters.
func (r LogP) details(x *bench.LogP) []block {
	var out []block
	if len(r.Results) > 1 {
		var why []string
		for _, f := range figures(&x.Parameters) {
			if !f.v.OK() {
				why = append(why, f.name+" is not identifiable: "+f.v.Reason)
			}
		}
		if len(why) > 0 {
			out = append(out, bullets{why})
		}
	}
	if len(x.Curves) > 0 {
		out = append(out, CostChart(x), regimes(x.Curves))
	}
	out = append(out, sizeTables(x)...)
	if len(r.Results) == 1 && len(x.Curves) == 0 {
		out = append(out, sizesChart(x))
	}
	if len(x.Consistency) > 0 {
		out = append(out, heading{2, "Agreement with the instruments inside"}, agreements(x.Consistency))
	}
	if len(x.Warnings) > 0 {
		out = append(out, heading{2, "Warnings"}, bullets{x.Warnings})
	}
	return out
}

// regimes is the table of what was found in each curve of a signature.
func regimes(curves []logp.Curve) grid {
	g := grid{
		head: []string{"delta, µs", "send only", "transition", "steady", "cost rises", "asymptote, µs"},
		left: []bool{false, false, false, false, false, false},
		note: "Regimes as ranges of M, messages in a burst, for each delay delta after a message; the cost begins to rise between the two M given.",
	}
	for _, c := range curves {
		g.rows = append(g.rows, []string{
			strconv.FormatFloat(c.DeltaUs, 'g', 5, 64), span(c.SendOnly), span(c.Transition), span(c.Steady), span(c.Knee), bench.Figure(c.AsymptoteUs),
		})
	}
	return g
}

func span(r logp.Range) string {
	switch {
	case r == logp.Range{}:
		return "-"
	case r.From == r.To:
		return strconv.Itoa(r.From)
	}
	return fmt.Sprintf("%d-%d", r.From, r.To)
}

// sizeTables are the parameters by size, and the bulk figures by size.
func sizeTables(x *bench.LogP) []block {
	sweep := grid{
		head: []string{"size, B", "o_s", "o_r", "L", "g", "RTT/2", "idle"}, left: make([]bool, 7),
		note: "Times in µs by message size; - not identifiable.",
	}
	bulk := grid{
		head: []string{"size, B", "o, µs", "T, µs", "MB/s"}, left: make([]bool, 4),
		note: "Bulk transfers: the sender's overhead, the time of one with its reply, and bytes over that time.",
	}
	for _, s := range x.Sizes {
		if p := s.Params; p != nil {
			half := p.RTT
			half.Value /= 2
			idle := "-"
			if s.Idle != nil {
				idle = bench.Figure(*s.Idle)
			}
			sweep.rows = append(sweep.rows, []string{strconv.Itoa(s.SizeBytes), bench.Figure(p.Os), bench.Figure(p.Or), bench.Figure(p.L), bench.Figure(p.G), bench.Figure(half), idle})
		}
		if s.Bulk != nil {
			bulk.rows = append(bulk.rows, []string{strconv.Itoa(s.SizeBytes), bench.Figure(s.O), bench.Figure(s.T), bench.Figure(s.Bandwidth)})
		}
	}
	var out []block
	if len(sweep.rows) > 0 {
		out = append(out, sweep)
	}
	if why := reasons(x.Sizes); len(why) > 0 {
		out = append(out, bullets{why})
	}
	if len(bulk.rows) > 0 {
		out = append(out, bulk)
	}
	if x.Bulk != nil {
		out = append(out, bulkLines(x.Bulk)...)
	}
	return out
}

// reasons say why figures of sizes are not identifiable, each once.
func reasons(sizes []bench.Size) []string {
	var whys []string
	of := map[string][]string{}
	for _, s := range sizes {
		if s.Params == nil {
			continue
		}
		for _, f := range figures(s.Params) {
			if f.v.OK() {
				continue
			}
			why, _, _ := strings.Cut(f.v.Reason, " (") // by how much differs from size to size
			if why = strings.TrimPrefix(why, f.name+": "); !strings.HasPrefix(why, f.name+" ") {
				why = f.name + ": " + why
			}
			if of[why] == nil {
				whys = append(whys, why)
			}
			of[why] = append(of[why], strconv.Itoa(s.SizeBytes))
		}
	}
	for i, why := range whys {
		whys[i] = strings.Join(of[why], ", ") + " B: " + why
	}
	return whys
}

func bulkLines(l *bench.Lines) []block {
	var items []string
	for _, line := range []struct {
		of string
		l  *logp.Line
	}{{"T(n)", l.T}, {"o(n)", l.O}} {
		if line.l == nil {
			continue
		}
		rate := "slope not identifiable: " + line.l.Rinf.Reason
		if line.l.Rinf.OK() {
			rate = "n / " + bench.Digits(line.l.Rinf.Value) + " MB/s"
		}
		items = append(items, fmt.Sprintf("%s = %.2f µs + %s, off by up to %.2f µs", line.of, line.l.T0Us, rate, line.l.Residual.MaxUs))
	}
	if len(items) == 0 {
		return nil
	}
	return []block{bullets{items}}
}

func agreements(all []bench.Agreement) grid {
	g := grid{
		head: []string{"", "LogP, µs", "inside, µs", "off", "instrument"}, left: []bool{true, false, false, false, true},
		note: "Off is how far the figure from inside lies above that of LogP, in percent of it.",
	}
	for _, a := range all {
		g.rows = append(g.rows, []string{a.Of, bench.Digits(a.LogPUs), bench.Digits(a.OtherUs), fmt.Sprintf("%+.1f%%", a.OffPct), a.From})
	}
	return g
}
