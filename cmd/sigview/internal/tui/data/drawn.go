package data

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/sweep"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/trace"
)

// Drawn is a measurement that is shown by a chart of its report.
type Drawn struct {
	chart.Chart
	bench.Place
	Name   string
	How    string // the command
	Detail string
	Said   []string // the result in words
	Doubts []string
}

// drawnInjection are the rates and the times of injections.
func drawnInjection(dir string, x *bench.Injection) []*Series {
	var plan []string
	for _, c := range x.Plan {
		plan = append(plan, fmt.Sprintf("%s from %s B", c.Mechanism, SizeLabel(float64(c.FromBytes))))
	}
	return lists.Map(report.InjectionCharts(x), func(c chart.Chart) *Series {
		return &Series{Dir: dir, Drawn: &Drawn{
			Chart: c, Place: bench.Place{Platform: x.Platform, Digest: x.Digest}, Name: "injection on " + x.Platform, How: "tpil",
			Detail: c.Y.Name + " by size", Said: []string{"plan: " + strings.Join(plan, ", ")},
		}}
	})
}

// drawnVerbs are the latencies or rates of RDMA verbs.
func drawnVerbs(dir string, all []bench.Verbs) []*Series {
	var said []string
	for _, x := range all {
		if x.Listing != "" {
			said = append(said, x.Platform+": "+bench.VerbsSummary(&x))
		}
	}
	return lists.Map(report.VerbsCharts(all), func(c chart.Chart) *Series {
		return &Series{Dir: dir, Drawn: &Drawn{
			Chart: c, Place: all[0].Place(), Name: "verbs on " + all[0].Platform, How: "verbs", Detail: c.Y.Name + " by size", Said: said, Doubts: bench.VerbsDoubts(all),
		}}
	})
}

// drawnSweep are the run times and latencies of a sweep, with a curve for each layer.
func drawnSweep(dir string, m trace.SweepManifest, runs []trace.SweepRun) ([]*Series, error) {
	s := sweep.Of(m, runs)
	var doubts []string
	for _, f := range m.Failed {
		doubts = append(doubts, f.Title+" failed: "+f.Error)
	}
	var out []*Series
	for _, p := range report.SweepPictures(s) {
		for _, row := range p.Rows {
			for _, c := range row {
				out = append(out, &Series{Dir: dir, Drawn: &Drawn{
					Chart: c, Name: p.Title + ", " + c.Title, How: "sweep", Detail: "seeds " + trace.SeedsText(m.Seeds),
					Said: s.Summary(), Doubts: doubts,
				}})
			}
		}
	}
	if out == nil {
		return nil, fmt.Errorf("directory %s: a sweep of one size on one number of nodes has no curves; sigview report shows its table", dir)
	}
	return out, nil
}

// Series is one measurement: LogP parameters or bandwidths of a layer on a platform, or
// anything else that is drawn as it is. Bulk transfers of a size with a signature are a series of their own.
type Series struct {
	Dir       string
	LogP      *bench.LogP
	Bandwidth *bench.Bandwidth
	Drawn     *Drawn
	SizeBytes int // of bulk transfers that have a signature; else 0
}

// SizeLabel writes a message size or burst length.
func SizeLabel(v float64) string {
	switch n := int64(v); {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%dM", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%dK", n>>10)
	}
	return chart.Short(v)
}
