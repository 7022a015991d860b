package tui

import (
	"fmt"
	"math"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// What the matrix shows.
const (
	pairMean = iota
	pairDeviation
	pairPackets
	pairDifference
)

var pairMetrics = []string{"mean latency, µs", "deviation from the baseline, µs", "packets", "difference from the run laid over, µs"}

// ofPair is the selected latency from one node to another, in the selected
// size class.
func (s *Selection) ofPair(d *Data, from, to int) (column, bool) {
	for _, c := range d.pairs[pairKey{s.Tag, int64(from), int64(to)}] {
		if c.class == s.Class {
			return c, true
		}
	}
	return column{}, false
}

// pairValue is what the matrix shows of a pair.
func (s *State) pairValue(d *Data, from, to int) trace.Opt[float64] {
	c, ok := s.Sel.ofPair(d, from, to)
	if !ok {
		return trace.Opt[float64]{}
	}
	switch st := c.stats[s.Sel.Stage]; s.Sel.Metric {
	case pairDifference:
		if o := s.over(); o != nil {
			other, _ := s.Sel.ofPair(o, from, to)
			return inUs(less(st.MeanNs, other.stats[s.Sel.Stage].MeanNs))
		}
		return trace.Opt[float64]{}
	case pairDeviation:
		return inUs(st.DeviationNs)
	case pairPackets:
		return trace.Some(float64(c.count))
	default:
		return inUs(st.MeanNs)
	}
}

func drawMatrix(c *cell.Canvas, s *State, d *Data) {
	n := d.nodes
	e := extent{}
	for from := range n {
		for to := range n {
			e.add(s.pairValue(d, from, to))
		}
	}
	head := fmt.Sprintf("%s, %s, size class %s; rows send, columns receive", pairMetrics[min(s.Sel.Metric, pairDifference)], analysis.StageName(s.Sel.Stage), s.Sel.Class)
	c.Text(0, 0, head, cell.Strong, 0)
	if !e.some && s.Sel.Metric == pairDifference && s.over() == nil {
		c.Para(1, 2, "There is no run laid over. Open another one with :open DIR, and v lays it over; m shows another value.", cell.Warn)
		return
	}
	if !e.some {
		c.Para(1, 2, "No packets between nodes are recorded for this selection. c changes the size class, t the tag.", cell.Warn)
		return
	}
	foot := 4
	rows := c.H - foot - 2
	width := min(max((c.W-5)/n, 1), 9)
	numbers := width >= 5
	if !numbers {
		width = min(width, 2)
	}
	fromTop, toTop := scroll(s.Sel.Sender, n, rows), scroll(s.Sel.Receiver, n, (c.W-5)/width)
	for to := toTop; to < n; to++ {
		x := 4 + (to-toTop)*width
		if label := strconv.Itoa(to); width > len(label) || to%5 == 0 {
			c.Text(x+max(width-len(label)-1, 0)/2, 1, label, cell.Axis, 0)
		}
	}
	for from := fromTop; from < n && from-fromTop < rows; from++ {
		y := 2 + from - fromTop
		c.Right(3, y, strconv.Itoa(from), cell.Axis, 0)
		for to := toTop; to < n; to++ {
			x := 4 + (to-toTop)*width
			if x+width > c.W {
				break
			}
			drawPair(c, s, d, x, y, width, from, to, e, numbers)
		}
	}
	c.Zone(4, 2, min((n-toTop)*width, c.W-4), min(n-fromTop, rows), place{panel: "pairs", w: width, x: axis{lo: float64(toTop)}, y: axis{lo: float64(fromTop)}})
	drawPairText(c.Sub(0, c.H-foot, c.W, foot), s, d, e)
}

// scroll is the first of n things to show, so that the cursor is in view.
func scroll(cursor, n, room int) int {
	if n <= room {
		return 0
	}
	return min(max(cursor-room/2, 0), n-room)
}

func drawPair(c *cell.Canvas, s *State, d *Data, x, y, width, from, to int, e extent, numbers bool) {
	v := s.pairValue(d, from, to)
	if !v.OK {
		c.Text(x+(width-1)/2, y, "·", cell.Faint, 0)
		if from == s.Sel.Sender && to == s.Sel.Receiver {
			c.Mark(x, y, width, cell.Reverse)
		}
		return
	}
	step := cell.HeatSteps - 1
	if e.hi > e.lo {
		step = int((v.Value - e.lo) / (e.hi - e.lo) * (cell.HeatSteps - 1))
	}
	ink := cell.Heat + cell.Ink(step)
	shade := c.Glyphs.Shade(step)
	if numbers {
		text := strconv.FormatFloat(v.Value, 'f', 1, 64)
		switch {
		case s.Sel.Metric == pairPackets:
			text = short(v.Value)
		case s.Sel.Metric == pairDeviation || s.Sel.Metric == pairDifference:
			text = fmt.Sprintf("%+.1f", v.Value)
		}
		if len(text) > width-1 {
			text = strconv.FormatFloat(math.Round(v.Value), 'f', 0, 64)
		}
		if width >= 7 {
			c.Set(x, y, shade, ink, 0)
		}
		attr := cell.Attr(0)
		if col, _ := s.Sel.ofPair(d, from, to); col.stats[s.Sel.Stage].Weak {
			attr = cell.Dim
		}
		c.Right(x+width-1, y, text, ink, attr)
	} else {
		for i := range width {
			c.Set(x+i, y, shade, ink, 0)
		}
		if signed := s.Sel.Metric == pairDeviation || s.Sel.Metric == pairDifference; signed && width > 1 {
			c.Set(x, y, map[bool]rune{true: '-', false: '+'}[v.Value < 0], ink, 0)
		}
	}
	if from == s.Sel.Sender && to == s.Sel.Receiver {
		c.Mark(x, y, width, cell.Reverse)
	}
}

func drawPairText(c *cell.Canvas, s *State, d *Data, e extent) {
	x := c.Text(0, 0, short(round3(e.lo))+" ", cell.Faint, 0)
	for step := range cell.HeatSteps {
		c.Set(x+step, 0, c.Glyphs.Shade(step), cell.Heat+cell.Ink(step), 0)
	}
	c.Text(x+cell.HeatSteps+1, 0, short(round3(e.hi))+"   m shows another value, c another class, enter the pair's signature", cell.Faint, 0)
	if s.Sel.Sender == everyone || s.Sel.Receiver == everyone {
		c.Text(0, 1, "The arrows choose a pair.", cell.Accent, 0)
		return
	}
	col, ok := s.Sel.ofPair(d, s.Sel.Sender, s.Sel.Receiver)
	if !ok {
		c.Text(0, 1, fmt.Sprintf("%d to %d: no packets", s.Sel.Sender, s.Sel.Receiver), cell.Accent, 0)
		return
	}
	st := col.stats[s.Sel.Stage]
	mark, ink := levelMark(analysis.LevelOf(st))
	x = c.Text(0, 1, fmt.Sprintf("%d to %d: %s packets, %s %s µs (%s to %s)%s, baseline %s ", s.Sel.Sender, s.Sel.Receiver, analysis.Digits(col.count),
		analysis.StageName(s.Sel.Stage), analysis.Us(st.MeanNs), analysis.Us(st.CILoNs), analysis.Us(st.CIHiNs), weakly(st), analysis.Us(st.BaselineNs)), cell.Accent, 0)
	c.Set(x, 1, mark, ink, cell.Bold)
	c.Text(x+1, 1, analysis.SignedUs(st.DeviationNs)+" "+share(st), ink, 0)
	text := ""
	for _, stage := range trace.Stages() {
		text += fmt.Sprintf("%s %s  ", analysis.StageName(stage), analysis.Us(col.stats[stage].MeanNs))
	}
	c.Text(0, 2, text, cell.Plain, 0)
	if o := s.over(); o != nil {
		text := "the other run has no such packets"
		if other, ok := s.Sel.ofPair(o, s.Sel.Sender, s.Sel.Receiver); ok {
			m := other.stats[s.Sel.Stage].MeanNs
			text = fmt.Sprintf("other run: %s packets, %s %s µs, difference %s", analysis.Digits(other.count), analysis.StageName(s.Sel.Stage), analysis.Us(m), analysis.SignedUs(less(st.MeanNs, m)))
		}
		c.Text(0, 3, text, cell.Second, 0)
	}
}

func round3(v float64) float64 {
	out, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return out
}

func moveMatrix(s *State, d *Data, dx, dy int) {
	if s.Sel.Sender == everyone || s.Sel.Receiver == everyone {
		s.Sel.Sender, s.Sel.Receiver = max(s.Sel.Sender, 0), max(s.Sel.Receiver, 0)
		return
	}
	s.Sel.Sender = min(max(s.Sel.Sender+dy, 0), d.nodes-1)
	s.Sel.Receiver = min(max(s.Sel.Receiver+dx, 0), d.nodes-1)
}

func pointMatrix(s *State, d *Data, z place) {
	s.Sel.Sender = min(int(z.y.lo)+z.dy, d.nodes-1)
	s.Sel.Receiver = min(int(z.x.lo)+z.dx/max(z.w, 1), d.nodes-1)
}

func matrixTable(s *State, d *Data) table {
	t := table{head: []string{"sender", "receiver", "class", "packets", "stage", "mean_ns", "ci_lo_ns", "ci_hi_ns", "baseline_ns", "deviation_ns", "level", "second_packets", "second_mean_ns", "difference_ns"}}
	for from := range d.nodes {
		for to := range d.nodes {
			col, ok := s.Sel.ofPair(d, from, to)
			if !ok {
				continue
			}
			st := col.stats[s.Sel.Stage]
			second := s.secondRecord(st, func(o *Data) (column, bool) { return s.Sel.ofPair(o, from, to) })
			t.rows = append(t.rows, []string{
				strconv.Itoa(from), strconv.Itoa(to), s.Sel.Class, strconv.FormatInt(col.count, 10), s.Sel.Stage.String(),
				cellOf(st.MeanNs), cellOf(st.CILoNs), cellOf(st.CIHiNs), cellOf(st.BaselineNs), cellOf(st.DeviationNs), string(analysis.LevelOf(st)),
				second[0], second[1], second[2],
			})
		}
	}
	return t
}
