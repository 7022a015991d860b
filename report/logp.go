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

func (r LogP) title() string { return "LogP parameters of " + bench.Common(bench.Places(r.Results)) }

func (r LogP) blocks(bool) []block {
	out := []block{heading(1, r.title())}
	if len(r.Results) == 1 {
		x := &r.Results[0]
		out = append(out, para(logpFacts(x, r.Seed)), view(bench.ParametersView(x)))
		return append(out, r.details(x)...)
	}
	out = append(out, para(fmt.Sprintf("Seed %d.", r.Seed)), view(bench.LogPView(r.Results)))
	for _, c := range LogPCharts(r.Results) {
		if !strings.HasPrefix(c.Name, costChart+"-") {
			out = append(out, figure(c))
		}
	}
	for i := range r.Results {
		x := &r.Results[i]
		out = append(out, heading(2, "Details of "+x.Place.String()), para(logpFacts(x, r.Seed)))
		out = append(out, r.details(x)...)
	}
	return out
}

func logpFacts(x *bench.LogP, seed uint64) string {
	text := "Method " + x.Method
	if x.Operation != "" {
		text += " with a " + x.Operation
	}
	text += ", pattern " + x.Pattern
	switch {
	case x.Pair != nil:
		text += " of " + x.Pair.String()
	case x.Pattern == "all-pairs":
		text += fmt.Sprintf(" with %d pairs", x.Peers)
	case x.Peers > 1:
		text += fmt.Sprintf(" with %d peers", x.Peers)
	}
	text += fmt.Sprintf(", monitor %s, seed %d", x.Monitor, seed)
	if x.Noise != "" && x.Noise != "none" {
		text += ", host noise: " + x.Noise
	}
	if x.Sockets.Wait != "" {
		text += "; " + x.Sockets.String()
	}
	return text + "."
}

// details returns everything of a result but its parameters.
func (r LogP) details(x *bench.LogP) []block {
	var out []block
	if len(r.Results) > 1 {
		var why []string
		for _, f := range bench.Parameters(&x.Parameters) {
			if !f.OK() {
				why = append(why, f.Name+" is not identifiable: "+f.Reason)
			}
		}
		out = append(out, some(why)...)
	}
	if len(x.Curves) > 0 {
		out = append(out, figure(chartOfCosts(x)), view(bench.RegimesView(x.Curves)))
	}
	if x.Parameterized != nil {
		out = append(out, parameterized(x)...)
	} else if v := bench.SweepView(x.Sizes); len(v.Rows) > 0 {
		out = append(out, view(v))
	}
	out = append(out, some(reasons(x.Sizes))...)
	if v := bench.BulkView(x.Sizes); len(v.Rows) > 0 {
		out = append(out, view(v))
	}
	if x.Bulk != nil {
		out = append(out, some(bulkLines(x.Bulk))...)
	}
	if len(r.Results) == 1 && len(x.Curves) == 0 {
		out = append(out, figure(sizesChart(x)))
	}
	if len(x.Consistency) > 0 {
		out = append(out, heading(2, "Agreement with measurements from inside"), view(bench.AgreementView(x.Consistency)))
	}
	return append(out, warnings(x.Warnings)...)
}

// parameterized returns the functions of message size, what they cost to measure, and what
// the method assumes: equal links both ways.
func parameterized(x *bench.LogP) []block {
	p := x.Parameterized
	text := fmt.Sprintf("L = %s µs from process to process, the same for all sizes; g(0) = %s µs from trains of up to %d messages; %s MB/s at %d B.",
		bench.Figure(p.L), bench.Figure(p.G0), p.Trains[len(p.Trains)-1], bench.Figure(p.Bandwidth), x.Sizes[len(x.Sizes)-1].SizeBytes)
	out := []block{para(text), view(bench.FunctionsView(x))}
	if len(p.Costs) == 0 { // real hosts: measured one way, and by this method alone
		return out
	}
	out = append(out, heading(2, "Cost of the measurement"), view(bench.CostsView(p.Costs)))
	if g := p.Gain(); g > 0 {
		out = append(out, para(fmt.Sprintf("For the first sizes saturation takes %.1f times as long as the fast method.", g)))
	}
	out = append(out, heading(2, "The two directions"))
	if part, bytes := x.Asymmetry(); part > 0 {
		out = append(out, para(fmt.Sprintf("With the roles of the nodes swapped g differs by up to %.1f %%, at %d B.", 100*part, bytes)), view(bench.SwappedView(p)))
	} else {
		out = append(out, para("With the roles of the nodes swapped g is the same within its intervals."))
	}
	if w := p.OneWay; w != nil {
		out = append(out, para(fmt.Sprintf("By the monitors' global clock a message of %d B takes %s µs there and %s µs back, from the request queue to the receiver's memory; half the round trip of empty messages is %s µs.",
			w.SizeBytes, bench.Figure(w.There), bench.Figure(w.Back), bench.Figure(w.HalfRTT))))
	}
	return out
}

// some returns a list as a block, nothing when it is empty.
func some(items []string) []block {
	if len(items) == 0 {
		return nil
	}
	return []block{bullets(items)}
}

// reasons returns why figures of sizes are not identifiable, each reason once.
func reasons(sizes []bench.Size) []string {
	var whys []string
	of := map[string][]string{}
	for _, s := range sizes {
		if s.Params == nil {
			continue
		}
		for _, f := range bench.Parameters(s.Params) {
			if f.OK() {
				continue
			}
			why, _, _ := strings.Cut(f.Reason, " (") // by how much differs from size to size
			if why = strings.TrimPrefix(why, f.Name+": "); !strings.HasPrefix(why, f.Name+" ") {
				why = f.Name + ": " + why
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

func bulkLines(l *bench.Lines) []string {
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
	return items
}
