package views

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/lanes"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// partNames are the short names of the parts of a node.
var partNames = [lanes.NumParts]string{"prog", "buses", "DMA", "LANai", "wire"}

// operationLetters are the letters of operations in the lane of a program.
var operationLetters = map[string]rune{
	string(trace.OpPageFetch): 'p', string(trace.OpHomeWait): 'h', string(trace.OpLockAcquire): 'l', string(trace.OpBarrier): 'b',
	string(trace.OpDiffFlush): 'd', string(trace.OpSend): 'm', string(trace.OpBroadcast): 'c', string(trace.OpFile): 'f',
}

// drawParts draws what the parts of a node do over time, with the title in line 0 and lanes from a
// line on, and returns how many lines it takes from there. Without who waited for whom, the
// lanes are the stages of packets.
func (v *TimelineView) drawParts(c *cell.Canvas, from int, b Bands, s *scene.Scene) int {
	d, node := s.Data(), v.Lane.At(s.Nodes())
	known := d.Heard(b.From, b.To)
	names := partNames[:]
	if !known {
		names = []string{"prog", "Src", d.StageName(trace.LANai), "Net", "Dest"}
	}
	f := chart.Lanes(c.Sub(0, from, c.W, c.H-from), len(names), b.Axis(), 1)
	for y, name := range names {
		c.Right(chart.AxisWidth-1, from+y, name, cell.Axis, 0)
		c.Set(chart.AxisWidth-1, from+y, '│', cell.Axis, 0)
	}
	used := drawProgram(f.Canvas, b, d, node)
	if known {
		for part := lanes.Buses; part < lanes.NumParts; part++ {
			for i := range b.Slots {
				slotFrom, slotTo := b.slot(i)
				busy, waited := d.Lanes.Shares(node, part, slotFrom, max(slotTo, slotFrom+1))
				drawShare(f.Canvas, i, int(part), busy, waited)
			}
		}
		for i := range b.Slots {
			slotFrom, slotTo := b.slot(i)
			if part := d.Path.Part(node, slotFrom, max(slotTo, slotFrom+1)); part != lanes.NumParts {
				underline(f.Canvas, i, int(part))
			}
		}
		v.title(c, fmt.Sprintf("what the parts of node %d do over time, %s", node, b.unit()), fmt.Sprintf("exact; a column is %s", slotText(b)))
	} else {
		for st := range trace.NumStages {
			one := Bands{stage: st, From: b.From, To: b.To, Slots: b.Slots}
			for i := range b.Slots {
				one.most = max(one.most, one.load(d.Packets, node, i).Most)
			}
			one.Draw(f.Canvas, 1+int(st), d.Packets, node, cell.Heat, nil)
			b.most = max(b.most, one.most)
		}
		v.title(c, fmt.Sprintf("packets of node %d by stage over time, %s", node, b.unit()), b.resolution(d.Packets))
	}
	b.drawMarks(c, from, f, v.Ruler)
	b.drawCursor(c, from, f, s)
	f.Zone(0, 0, f.W, f.H, action.Pointed(func(dx, _ int) {
		s.Sel.AtNs, _ = b.slot(dx)
		v.Picked = data.PacketID{}
	}))
	legend := partsLegend(d, used, b)
	c.Text(0, from+f.H+2, legend, cell.Faint, 0)
	return f.H + 3
}

func slotText(b Bands) string {
	return analysis.Time(float64(b.To-b.From) / float64(b.Slots))
}

// drawShare draws for how much of a column a part is busy, or W if somebody waits for it in
// more than half.
func drawShare(c *cell.Canvas, x, y int, busy, waited float64) {
	switch {
	case waited > 0.5:
		c.Set(x, y, 'W', cell.Warn, cell.Bold)
	case busy > 0:
		c.Heat(x, y, int(busy*cell.HeatSteps))
	case waited > 0:
		c.Set(x, y, 'w', cell.Warn, 0)
	}
}

// drawProgram draws the state of a node's program and returns the operations drawn.
func drawProgram(c *cell.Canvas, b Bands, d *data.Data, node int) (used []string) {
	seen := map[string]bool{}
	for i := range b.Slots {
		from, to := b.slot(i)
		to = max(to, from+1)
		busy, waited := d.Lanes.Shares(node, lanes.Program, from, to)
		name, share := d.Lanes.Operation(node, from, to)
		r, ink := ' ', cell.Plain
		switch {
		case share > 0 && share >= busy:
			if r = operationLetters[name]; r == 0 {
				r = 'o'
			}
			ink = cell.Warn
			if !seen[name] {
				seen[name], used = true, append(used, name)
			}
		case busy > 0 && busy >= waited:
			r, ink = 'C', cell.Accent
		case waited > 0:
			r, ink = 'W', cell.Warn
		}
		if r != ' ' {
			c.Set(i, 0, r, ink, 0)
		}
	}
	return used
}

// partsLegend explains the letters, or says what is not known.
func partsLegend(d *data.Data, operations []string, b Bands) string {
	var out []string
	if d.Heard(b.From, b.To) {
		out = append(out, "shade: busy", "W: somebody waits", "C: computes")
		if d.Path != nil {
			out = append(out, "_: critical path")
		}
	} else {
		out = append(out, unheard(d, b))
	}
	for _, name := range operations {
		r := operationLetters[name]
		if r == 0 {
			r = 'o'
		}
		out = append(out, string(r)+": "+strings.ReplaceAll(name, "_", " "))
	}
	if !d.Heard(b.From, b.To) {
		out = append(out, "blank: computes, or was not recorded")
	}
	return strings.Join(out, ", ")
}

// unheard says why it is not known what buses and engines do.
func unheard(d *data.Data, b Bands) string {
	switch {
	case d.WaitRows() == 0:
		return "--trace=waits records buses and engines"
	case d.Broken:
		return "buses and engines cannot be read"
	case b.To-b.From > d.HeardAtOnce():
		return fmt.Sprintf("buses and engines: zoom in to %s or less", analysis.Time(float64(d.HeardAtOnce())))
	}
	return "buses and engines are being read"
}

// mostEvents is how many events are drawn at once.
const mostEvents = 3

// drawStops draws the longest of the visible events that a trace tells, each in a line with its place and length, and
// returns the number of lines.
func drawStops(c *cell.Canvas, b Bands, d *data.Data) int {
	list := b.events(d)
	slices.SortStableFunc(list, func(x, y causal.Event) int { return cmp.Compare(y.ToNs-y.FromNs, x.ToNs-x.FromNs) })
	list = list[:min(len(list), mostEvents)]
	for i, e := range list {
		from, to := b.columns(e)
		c.Right(chart.AxisWidth-1, i, "event", cell.Axis, 0)
		for q := from; q <= to; q++ {
			c.Set(chart.AxisWidth+q, i, '─', cell.Warn, 0)
		}
		c.Set(chart.AxisWidth+from, i, '├', cell.Warn, 0)
		c.Set(chart.AxisWidth+to, i, '┤', cell.Warn, 0)
		text := e.String()
		at := to + 2
		if at+cell.Width(text) > b.Slots {
			at = max(from-1-cell.Width(text), from)
		}
		c.Text(chart.AxisWidth+at, i, text, cell.Warn, 0)
	}
	return len(list)
}

// events returns the visible events that a trace tells.
func (b Bands) events(d *data.Data) []causal.Event {
	if d.Explained == nil {
		return nil
	}
	return lists.Filter(d.Explained.Events, func(e causal.Event) bool { return e.ToNs > b.From && e.FromNs < b.To })
}

// columns returns the first and the last column of an event.
func (b Bands) columns(e causal.Event) (from, to int) {
	x := chart.Axis{Lo: float64(b.From), Hi: float64(b.To)}
	return x.Clamp(float64(e.FromNs), b.Slots), x.Clamp(float64(e.ToNs), b.Slots)
}

// drawEvents draws the phases of a node's program and its barriers, each if there are any, and the events of all nodes. It
// returns the number of lines with the title's.
func drawEvents(c *cell.Canvas, b Bands, d *data.Data, node int) (lines int) {
	x := chart.Axis{Lo: float64(b.From), Hi: float64(b.To)}
	lines = 1
	phases, barriers := false, false
	end := 0
	for _, s := range d.Events {
		if s.Node != int64(node) || s.EndNs < b.From || s.BeginNs > b.To {
			continue
		}
		phases = phases || s.Operation == string(trace.OpPhase)
		barriers = barriers || s.Operation == string(trace.OpBarrier)
	}
	if phases {
		c.Right(chart.AxisWidth-1, lines-1, "phase", cell.Axis, 0)
		lines++
	}
	if barriers {
		c.Right(chart.AxisWidth-1, lines-1, "barr", cell.Axis, 0)
		lines++
	}
	for _, s := range d.Events {
		if s.Node != int64(node) || s.EndNs < b.From || s.BeginNs > b.To {
			continue
		}
		from, to := x.Clamp(float64(s.BeginNs), b.Slots), x.Clamp(float64(s.EndNs), b.Slots)
		switch s.Operation {
		case string(trace.OpPhase):
			if from < end {
				continue // there is no room behind the one before
			}
			name := []rune("│" + s.Name)
			end = min(from+len(name)+1, max(to, from+1))
			c.Text(chart.AxisWidth+from, 0, string(name[:min(len(name), end-from)]), cell.Strong, 0)
		case string(trace.OpBarrier):
			for q := from; q <= to; q++ {
				c.Set(chart.AxisWidth+q, lines-2, 'b', cell.Warn, 0)
			}
		}
	}
	return lines + drawStops(c.Sub(0, lines-1, c.W, mostEvents), b, d)
}
