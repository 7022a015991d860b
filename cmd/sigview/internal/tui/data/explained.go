package data

import (
	"strings"

	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/activity"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
)

// WithExplained returns a copy of the run with what its trace tells.
func (d *Data) WithExplained(e *explain.Brief) *Data {
	out := *d
	out.Explained = e
	out.Rank()
	return &out
}

// PhaseLines is how the phases of a run are described: the strip comes before.
func (d *Data) PhaseLines() []string {
	e := d.Explained
	switch {
	case e == nil && d.HasTrace():
		return []string{"Phases: the trace is being read."}
	case e == nil:
		return []string{"Phases are known of a run with --trace."}
	case len(e.Activity.Phases) < 2:
		return []string{"The run has no barriers, and its rate of packets does not change: one phase."}
	}
	longest := e.Activity.Phases[0]
	for _, p := range e.Activity.Phases {
		if p.To-p.From > longest.To-longest.From {
			longest = p
		}
	}
	text := fmt.Sprintf("%d phases; the longest, %d: %s, %.1f %% of the run", len(e.Activity.Phases), longest.Number,
		analysis.Period(longest.From, longest.To), 100*float64(longest.To-longest.From)/float64(max(e.Activity.Length, 1)))
	if longest.Last >= 0 {
		text += fmt.Sprintf("; last comes node %d, others wait %s", longest.Last, analysis.Time(float64(longest.Wait)))
	}
	return []string{"", text}
}

// DrawPhases draws a strip of the phases in the first of the lines, and writes the others. A
// shade is the rate of packets, a bar the end of a phase.
func (d *Data) DrawPhases(c *cell.Canvas, lines []string) {
	for i, l := range lines {
		c.Text(1, i, l, cell.Faint, 0)
	}
	if len(lines) < 2 {
		return
	}
	a := d.Explained.Activity
	rate := func(p activity.Phase) float64 { return float64(p.Packets) / float64(max(p.To-p.From, 1)) }
	most := 0.0
	for _, p := range a.Phases {
		most = max(most, rate(p))
	}
	x := c.Text(1, 0, "phases ", cell.Strong, 0)
	axis := chart.Axis{Hi: float64(max(a.Length, 1))}
	for _, p := range a.Phases {
		step := 0
		if most > 0 {
			step = int(float64(rate(p)/most*(cell.HeatSteps-1)) + 0.5)
		}
		from, to := axis.Clamp(float64(p.From), c.W-x-1), axis.Clamp(float64(p.To), c.W-x-1)
		for at := from; at < to; at++ {
			c.Heat(x+at, 0, step)
		}
		c.Set(x+to, 0, '│', cell.Axis, 0)
	}
}

// Causes lists what a trace tells of causes, or why it tells nothing.
func Causes(e *explain.Brief) (out []string) {
	if e == nil {
		return nil
	}
	if e.Note != "" {
		out = append(out, "Who waited for whom is not shown: "+e.Note+".")
	}
	for _, f := range e.Findings {
		out = append(out, strings.TrimSpace(f.Text+" "+f.More))
	}
	return out
}
