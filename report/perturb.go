package report

import (
	"fmt"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/report/chart"
)

// Perturb is the report of what a monitor costs.
type Perturb struct{ *bench.Perturb }

func (r Perturb) title() string {
	return fmt.Sprintf("The monitor's own cost on %s, seed %d", r.Platform, r.Seed)
}

func (r Perturb) blocks(bool) []block {
	out := []block{heading(1, r.title())}
	for _, f := range bench.PerturbFigures() {
		if v := bench.BuildsView(r.Perturb, f); len(v.Rows) > 0 {
			out = append(out, heading(2, v.Title), figure(perturbChart(r.Perturb, f)), view(v))
		}
	}
	if len(r.Applications) > 0 {
		v := bench.ApplicationsView(r.Applications)
		out = append(out, heading(2, v.Title), view(v))
	}
	if len(r.Remarks) > 0 {
		out = append(out, heading(2, "Remarks"), bullets(r.Remarks))
	}
	return out
}

// PerturbCharts returns a chart of each quantity that was measured.
func PerturbCharts(p *bench.Perturb) (all []chart.Chart) {
	for _, f := range bench.PerturbFigures() {
		if c := perturbChart(p, f); !c.Empty() {
			all = append(all, c)
		}
	}
	return all
}

// perturbChart draws a quantity over size, with a curve for each build.
func perturbChart(p *bench.Perturb, f bench.PerturbFigure) chart.Chart {
	c := chart.Chart{Name: f.Name, Title: f.Title, X: sizeAxis(messageAxis), Y: chart.Axis{Name: f.Unit, FromZero: true}}
	if f.Unit == "µs" {
		c.Y.Scale = chart.Log10
	}
	for i, with := range p.Firmwares() {
		var points []chart.Point
		for _, n := range p.Sizes(f) {
			if v := p.At(f, with, n); v != nil {
				points = append(points, chart.Point{X: float64(n), Y: *v})
			}
		}
		if len(points) > 0 {
			c.Series = append(c.Series, curve(i, with.String(), points))
		}
	}
	return c
}
