package scene

import (
	"cmp"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// StageLooks are the looks of the latencies, but for the letter of NI.
var StageLooks = func() (out [trace.NumStages + 1]chart.Look) {
	for _, st := range trace.Stages() {
		out[st] = report.StageLook(st, analysis.Modelled)
	}
	return out
}()

func StageMark(st trace.Stage) rune { return StageLooks[st].Form.Rune(false) }

// Letter returns the letter of a stage of the run.
func Letter(d *data.Data, st trace.Stage) rune {
	return report.StageLook(st, d.Run.Manifest.Real()).Letter
}

// Lettered returns the letter and the name of a stage of the run.
func Lettered(d *data.Data, st trace.Stage) string {
	return string(Letter(d, st)) + " " + d.StageName(st)
}

// Legend writes the stages with their marks. A click on one selects it.
func (s *Scene) Legend(c *cell.Canvas, x, y int) {
	for _, st := range trace.Stages() {
		x = Legend(c, x, y, StageMark(st), s.Data().StageName(st), StageLooks[st].Ink, st == s.Sel.Stage, func() { s.Sel.Stage = st })
	}
}

func BoldIf(selected bool) cell.Attr { return AttrIf(selected, cell.Bold) }

// AttrIf returns an attribute, or none.
func AttrIf(yes bool, attr cell.Attr) cell.Attr {
	if yes {
		return attr
	}
	return 0
}

// LevelMark returns the mark and colour of a deviation.
func LevelMark(l analysis.Level) (rune, cell.Ink) {
	ink := map[analysis.Level]cell.Ink{analysis.Above: cell.Up, analysis.Below: cell.Down}[l]
	return []rune(l.Mark())[0], cmp.Or(ink, cell.Faint)
}

func Weakly(st trace.Stat) string { return map[bool]string{true: " weak"}[st.Weak] }

// Share returns the deviation in percent of the baseline.
func Share(st trace.Stat) string { return analysis.Percent(st.DeviationNs, st.BaselineNs) }

// Percentiles writes the median, the 90th and the 99th percentile.
func Percentiles(st trace.Stat, between string) string {
	return "p50 " + analysis.PercentileUs(st.P50) + between + "p90 " + analysis.PercentileUs(st.P90) + between + "p99 " + analysis.PercentileUs(st.P99)
}

// Legend writes a mark with its name, and returns the column of the next one. A click
// selects it.
func Legend(c *cell.Canvas, x, y int, mark rune, name string, ink cell.Ink, selected bool, do func()) int {
	c.Set(x, y, mark, ink, 0)
	end := c.Text(x+2, y, name, ink, AttrIf(selected, cell.Bold|cell.Under))
	c.Zone(x, y, end+1-x, 1, action.Pointed(func(_, _ int) { do() }))
	return end + 2
}
