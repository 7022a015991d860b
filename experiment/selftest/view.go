package selftest

import (
	"fmt"
	"strconv"

	"github.com/sigview/sigview/analysis"
)

// Views returns the rates and the coverage as tables.
func (r *Result) Views() []analysis.View {
	rates := ratesView(append(append([]Rate{}, r.Pooled()...), r.Rates...))
	rates.Title = "How often the gate fails"
	over := coverageView(r.Coverage)
	over.Title = fmt.Sprintf("Intervals over %d runs", r.Spec.Runs)
	within := coverageView(r.Within)
	within.Title = "Intervals within one run"
	return []analysis.View{rates, over, within}
}

func ratesView(rows []Rate) analysis.View {
	return analysis.Tabulate(rows,
		analysis.Word("program", "program", func(r Rate) string { return r.Program }),
		analysis.Word("planted", "planted", func(r Rate) string { return r.Plant.Name }),
		analysis.Word("by", "size", func(r Rate) string { return r.Size }),
		analysis.Keyed("rose", "effect_share", func(r Rate) analysis.Cell {
			if r.Plant.Quantity == "" || r.Size == "" {
				return analysis.Cell{Text: analysis.None}
			}
			return analysis.Cell{Text: fmt.Sprintf("%+.1f%%", 100*r.Effect), Value: r.Effect}
		}),
		analysis.Number("compared", "comparisons", func(r Rate) int { return r.Pairs }),
		analysis.Number("failed", "failed", func(r Rate) int { return r.Alarms }),
		analysis.Keyed("found", "found", func(r Rate) analysis.Cell {
			if r.Plant.Quantity == "" {
				return analysis.Cell{Text: analysis.None}
			}
			return analysis.Cell{Text: strconv.Itoa(r.Found), Value: r.Found}
		}),
		analysis.Number("cannot tell", "inconclusive", func(r Rate) int { return r.Open }),
	).Noted("planted: a delay in the control program of every packet, sized with a few runs so that the stage's mean rises by a tenth in the size class in which it takes most time; or slower computing (of a program that computes nothing, a slower interface). rose: by how much that mean, or the run time, rises over all seeds. found: the gate failed for the planted quantity.")
}

func coverageView(rows []Coverage) analysis.View {
	return analysis.Tabulate(rows,
		analysis.Word("program", "program", func(c Coverage) string { return c.Program }),
		analysis.Word("class", "class", func(c Coverage) string { return c.Class }),
		analysis.Word("stage", "stage", func(c Coverage) string { return analysis.StageName(c.Stage, analysis.Modelled) }),
		analysis.Keyed("contain", "contain_share", func(c Coverage) analysis.Cell {
			share := float64(c.Contain) / float64(c.Intervals)
			return analysis.Cell{Text: fmt.Sprintf("%.1f%%", 100*share), Value: share}
		}),
		analysis.Number("of", "intervals", func(c Coverage) int { return c.Intervals }),
		analysis.Keyed("in the band", "in_band", func(c Coverage) analysis.Cell {
			return analysis.Cell{Text: map[bool]string{true: "yes", false: "no"}[c.within()], Value: c.within()}
		}),
	).Noted("contain: the share of 95% intervals that contain the mean of all runs. In the band: as many as 99 of 100 such counts have if the intervals hold.")
}
