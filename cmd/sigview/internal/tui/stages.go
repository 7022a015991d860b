package tui

import (
	"cmp"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// stageLooks are the looks of the latencies.
var stageLooks = func() (out [trace.NumStages + 1]chart.Look) {
	for _, st := range trace.Stages() {
		out[st] = report.StageLook(st)
	}
	return out
}()

func stageMark(st trace.Stage) rune { return stageLooks[st].Form.Rune(false) }

// legend writes the stages with their marks. A click on one selects it.
func (s *Scene) legend(c *cell.Canvas, x, y int) {
	for _, st := range trace.Stages() {
		x = legend(c, x, y, stageMark(st), analysis.StageName(st), stageLooks[st].Ink, st == s.Sel.Stage, func() { s.Sel.Stage = st })
	}
}

func boldIf(selected bool) cell.Attr { return attrIf(selected, cell.Bold) }

// attrIf returns an attribute, or none.
func attrIf(yes bool, attr cell.Attr) cell.Attr {
	if yes {
		return attr
	}
	return 0
}

// levelMark returns the mark and colour of a deviation.
func levelMark(l analysis.Level) (rune, cell.Ink) {
	ink := map[analysis.Level]cell.Ink{analysis.Above: cell.Up, analysis.Below: cell.Down}[l]
	return []rune(l.Mark())[0], cmp.Or(ink, cell.Faint)
}

func weakly(st trace.Stat) string { return map[bool]string{true: " weak"}[st.Weak] }

// share returns the deviation in percent of the baseline.
func share(st trace.Stat) string { return analysis.Percent(st.DeviationNs, st.BaselineNs) }

// percentiles writes the median, the 90th and the 99th percentile.
func percentiles(st trace.Stat, between string) string {
	return "p50 " + analysis.PercentileUs(st.P50) + between + "p90 " + analysis.PercentileUs(st.P90) + between + "p99 " + analysis.PercentileUs(st.P99)
}
