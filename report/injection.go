package report

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/report/chart"
)

// Injection is the report of how fast a host brings data into its card.
type Injection struct {
	Seed uint64
	*bench.Injection
}

func (r Injection) title() string {
	return fmt.Sprintf("From the host into the card on %s, seed %d", r.Platform, r.Seed)
}

func (r Injection) blocks(bool) []block {
	out := []block{heading(1, r.title())}
	if len(r.Absent) > 0 {
		out = append(out, para("The host does not have "+strings.Join(r.Absent, " and ")+"."))
	}
	out = append(out, view(bench.InjectionView(r.Injection)))
	for _, c := range InjectionCharts(r.Injection) {
		out = append(out, figure(c))
	}
	return append(out, heading(2, "What the library takes"), view(bench.PlanView(r.Injection)))
}

// InjectionCharts returns the charts of rate and time by size, with a curve for each
// mechanism.
func InjectionCharts(x *bench.Injection) []chart.Chart {
	rate := chart.Chart{Name: "injection", Title: "Injection by each mechanism", X: sizeAxis("injection, B"), Y: chart.Axis{Name: "MB/s", FromZero: true}}
	time := chart.Chart{Name: "injection-time", Title: "Time of an injection", X: sizeAxis("injection, B"), Y: chart.Axis{Name: "µs", Scale: chart.Log10}}
	for i, m := range x.Mechanisms {
		var a, b []chart.Point
		for _, n := range x.Sizes() {
			if p := x.At(m, n); p != nil {
				a = append(a, chart.Point{X: float64(n), Y: p.MBps})
				b = append(b, chart.Point{X: float64(n), Y: p.TimeUs})
			}
		}
		rate.Series, time.Series = append(rate.Series, curve(i, m, a)), append(time.Series, curve(i, m, b))
	}
	return []chart.Chart{rate, time}
}
