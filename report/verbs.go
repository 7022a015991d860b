package report

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/report/chart"
)

// Verbs is one or more measurements of RDMA verbs.
type Verbs struct {
	Seed    uint64
	Results []bench.Verbs
}

func (r Verbs) title() string {
	var on []string
	for i, x := range r.Results {
		if i == 0 || x.Platform != r.Results[i-1].Platform {
			on = append(on, x.Platform)
		}
	}
	return fmt.Sprintf("RDMA verbs on %s", strings.Join(on, ", "))
}

func (r Verbs) blocks(bool) []block {
	between := "a cable"
	if r.Results[0].Network == "switch" {
		between = "the platform's switch"
	}
	out := []block{heading(1, r.title()), para(fmt.Sprintf("As perftest measures them, with %s between two cards. Seed %d.", between, r.Seed))}
	for _, x := range r.Results {
		out = append(out, heading(2, x.Test+" on "+x.Platform), view(bench.VerbsView(&x)))
		if x.Listing != "" {
			out = append(out, para(bench.VerbsSummary(&x)))
		}
		if x.Trust != "" {
			out = append(out, para("Trust: "+x.Trust+"."))
		}
	}
	for _, c := range VerbsCharts(r.Results) {
		out = append(out, figure(c))
	}
	return append(out, warnings(bench.VerbsDoubts(r.Results))...)
}

// VerbsCharts returns the chart of latency, or those of bandwidth and rate, by size: a curve for each result, and in the
// first chart one for what a listing has.
func VerbsCharts(results []bench.Verbs) (out []chart.Chart) {
	if results[0].Measure == "bandwidth" {
		out = []chart.Chart{
			verbsChart(results, chart.Chart{Name: "verbs-bandwidth", Title: "Bandwidth", Y: chart.Axis{Name: "MiB/s", FromZero: true}}, bench.VerbsPoint.Figure),
			verbsChart(results, chart.Chart{Name: "verbs-rate", Title: "Rate of operations", Y: chart.Axis{Name: "10⁶/s", FromZero: true}}, func(p bench.VerbsPoint) float64 { return p.Mpps }),
		}
	} else {
		out = []chart.Chart{verbsChart(results, chart.Chart{Name: "verbs-latency", Title: "Latency", Y: TimeAxis("µs", chart.Log10)}, bench.VerbsPoint.Figure)}
	}
	var listed []chart.Point
	for _, p := range results[0].Points {
		if p.Listed != nil {
			listed = append(listed, chart.Point{X: float64(p.SizeBytes), Y: *p.Listed})
		}
	}
	if listed != nil {
		out[0].Series = append(out[0].Series, curve(len(results), results[0].Listing, listed))
	}
	return out
}

// verbsChart fills a chart with the figures of all results.
func verbsChart(results []bench.Verbs, c chart.Chart, of func(bench.VerbsPoint) float64) chart.Chart {
	c.X = sizeAxis("size, B")
	for i, name := range bench.VerbsNames(results) {
		var points []chart.Point
		for _, p := range results[i].Points {
			points = append(points, chart.Point{X: float64(p.SizeBytes), Y: of(p)})
		}
		c.Series = append(c.Series, curve(i, name, points))
	}
	return c
}
