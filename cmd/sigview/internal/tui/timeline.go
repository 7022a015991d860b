package tui

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/chart"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// timelineView shows how many packets are in a stage at each node over time,
// and under them the packets of one node one by one.
type timelineView struct {
	ofRuns
	lane list // of nodes
}

func (v *timelineView) words() []word { return []word{v.lane.word()} }

func (*timelineView) obeys(s *Scene) settings {
	if s.data().Packets == nil {
		return 0
	}
	return ofTag | ofKind | ofSender | ofReceiver | ofStage | ofTime
}

// update moves the cursor along a lane and to other lanes. At the end of the visible
// part of the run that part moves along.
func (*timelineView) keys() []action { return []action{zoomIn, zoomOut} }

func (v *timelineView) update(s *Scene, a action) bool {
	p, sel := s.data().Packets, &s.Sel
	switch {
	case a == toggleBaseline:
		return s.withoutBaseline("packets over time")
	case a == zoomIn || a == zoomOut:
		if p != nil {
			sel.zoomTime(p, a == zoomIn)
		}
		return true
	case !v.lane.update(a, s.data().nodes):
		return false
	}
	if dx, _ := a.steps(); p != nil && dx != 0 {
		from, to := sel.timeRange(p)
		sel.AtNs = min(max(sel.timeCursor(p)+int64(dx)*max((to-from)/60, 1), 0), p.endNs)
		if shift := max(sel.AtNs-to, 0) + min(sel.AtNs-from, 0); shift != 0 && sel.ToNs > sel.FromNs {
			sel.FromNs, sel.ToNs = from+shift, to+shift
		}
	}
	return true
}

// timeRange returns the visible part of the run.
func (s *Selection) timeRange(p *Packets) (from, to int64) {
	from, to = s.FromNs, s.ToNs
	if to <= from {
		from, to = 0, p.endNs
	}
	return max(from, 0), min(to, p.endNs)
}

// timeCursor returns the time of the cursor.
func (s *Selection) timeCursor(p *Packets) int64 {
	from, to := s.timeRange(p)
	return min(max(s.AtNs, from), to)
}

// zoomTime halves or doubles the visible part of the run.
func (s *Selection) zoomTime(p *Packets, in bool) {
	from, to := s.timeRange(p)
	at := s.timeCursor(p)
	span := (to - from) / 2
	if !in {
		span = (to - from) * 2
	}
	if span >= p.endNs {
		s.FromNs, s.ToNs = 0, 0
		return
	}
	span = max(span, 1000)
	s.AtNs = at
	s.FromNs = min(max(at-span/2, 0), p.endNs-span)
	s.ToNs = s.FromNs + span
}

// bands are the lanes as they are drawn: slots of time, one a column.
type bands struct {
	stage    trace.Stage
	from, to int64
	slots    int
	most     float64 // packets, over all lanes and slots
}

// slot returns the time of a column.
func (b bands) slot(i int) (from, to int64) {
	span := b.to - b.from
	return b.from + span*int64(i)/int64(b.slots), b.from + span*int64(i+1)/int64(b.slots)
}

// load returns the number of packets in the stage at a node in a column.
func (b bands) load(p *Packets, node, i int) trace.Load {
	if p == nil {
		return trace.Load{}
	}
	from, to := b.slot(i)
	return p.windows(b.from, b.to).Load(b.stage, node, from, to)
}

// resolution says what a shade stands for.
func (b bands) resolution(p *Packets) string {
	return fmt.Sprintf("most %.2f in %s µs", b.most, strconv.FormatFloat(float64(p.windows(b.from, b.to).WidthNs())/1e3, 'f', -1, 64))
}

func (v *timelineView) draw(c *cell.Canvas, s *Scene) {
	d := s.data()
	p := d.Packets
	if p == nil {
		d.untraced(c, "packets one by one")
		return
	}
	b := bands{stage: s.Sel.histStage(), slots: max(c.W-chart.AxisWidth, 1)}
	b.from, b.to = s.Sel.timeRange(p)
	var other *Packets
	if o := s.over(); o != nil {
		other = o.Packets
	}
	per := 1
	if other != nil {
		per = 2 // a band for each run
	}
	foot := min(max(c.H/3, 7), 18)
	rows := min((c.H-foot-3)/per, d.nodes)
	foot = min(c.H-rows*per-3, 30) // few nodes leave room for packets
	where := "sender"
	if b.stage == trace.Net || b.stage == trace.Dest {
		where = "receiver"
	}
	cursor := s.Sel.timeCursor(p)
	lane := v.lane.at(d.nodes)
	for node := range d.nodes {
		for i := range b.slots {
			b.most = max(b.most, b.load(p, node, i).Most, b.load(other, node, i).Most)
		}
	}
	f := chart.Lanes(c.Sub(0, 1, c.W, c.H-1), rows*per, b.axis(), 1)
	top := scroll(lane, d.nodes, rows)
	for i := range rows {
		node, y := top+i, i*per
		c.Right(chart.AxisWidth-1, 1+y, strconv.Itoa(node), cell.Axis, 0)
		c.Set(chart.AxisWidth-1, 1+y, '│', cell.Axis, 0)
		b.draw(f.Canvas, y, p, node, cell.Heat)
		if other != nil {
			c.Set(chart.AxisWidth-2, y+2, secondMark, cell.Second, cell.Bold)
			c.Set(chart.AxisWidth-1, y+2, '│', cell.Second, 0)
			b.draw(f.Canvas, y+1, other, node, cell.Second)
		}
		if node == lane {
			c.Set(chart.AxisWidth-1, 1+y, '▶', cell.Accent, cell.Bold)
		}
	}
	at := f.Column(float64(cursor) / 1e3)
	c.Set(chart.AxisWidth+at, 1+f.H, '▲', cell.Accent, cell.Bold)
	c.Ends(0, fmt.Sprintf("packets in %s at each node (as %s) over time, µs", analysis.StageName(b.stage), where), cell.Strong, b.resolution(p), cell.Faint)
	f.Zone(0, 0, f.W, f.H, pointed(func(dx, dy int) {
		v.lane.row = min(top+dy/per, d.nodes-1)
		s.Sel.AtNs, _ = b.slot(dx)
	}))
	below := c.Sub(0, c.H-foot, c.W, foot)
	if o := s.over(); o != nil {
		below.Text(0, 0, againstLane(o, b.load(p, lane, at).Mean, b.load(other, lane, at).Mean, lane), cell.Second, 0)
		below = below.Sub(0, 1, below.W, below.H-1)
	}
	if missing := analysis.GapsOf(d.Run.Gaps, lane); missing != "" {
		below.Text(0, 0, fmt.Sprintf("The trace lacks %s of node %d.", missing, lane), cell.Warn, 0)
		below = below.Sub(0, 1, below.W, below.H-1)
	}
	drawPackets(below, s, p, lane, cursor)
}

// axis returns the axis of time in µs.
func (b bands) axis() chart.Axis {
	x := chart.Axis{Lo: float64(b.from) / 1e3, Hi: float64(b.to) / 1e3}
	x.Marks = x.Ticks(b.slots, 12)
	for i, t := range x.Marks {
		if t.Value != 0 {
			x.Marks[i].Text = strconv.FormatFloat(t.Value, 'f', -1, 64)
		}
	}
	return x
}

// draw draws the number of packets in the stage at a node over time: of each column the most
// that one of its windows has, so that no peak is lost.
func (b bands) draw(c *cell.Canvas, y int, p *Packets, node int, ink cell.Ink) {
	for i := range b.slots {
		v := b.load(p, node, i).Most
		if v <= 0 {
			continue
		}
		step := min(int(v/b.most*(cell.HeatSteps-1)+0.5), cell.HeatSteps-1)
		at := ink
		if ink == cell.Heat {
			at += cell.Ink(step)
		}
		c.Set(i, y, c.Glyphs.Shade(step), at, 0)
	}
}

// againstLane describes the other run at the cursor.
func againstLane(o *Data, here, there float64, lane int) string {
	switch p := o.Packets; {
	case p == nil && o.hasTrace():
		return "The trace of the other run is still being read, or cannot be read."
	case p == nil:
		return "The other run was not traced: there is nothing of it to lay over."
	case lane >= p.nodes:
		return fmt.Sprintf("%c other run, which has no node %d.", secondMark, lane)
	}
	return fmt.Sprintf("%c other run, same times; node %d at the cursor: %.3f packets, other %.3f, %+.3f", secondMark, lane, here, there, here-there)
}

// drawPackets draws the next packets of a node as bars of their stages. This is a picture
// with labels, not a table: reports list no single packets.
func drawPackets(c *cell.Canvas, s *Scene, p *Packets, node int, cursor int64) {
	of := s.Sel.key()
	next := p.near(of, node, cursor, c.H-2)
	text := fmt.Sprintf("Node %d from %.3f µs on, of %s packets", node, float64(cursor)/1e3, analysis.Digits(p.Total))
	if cursor < p.listed.from || cursor > p.listed.to {
		c.Text(0, 0, text+": they are being read", cell.Accent, 0)
		return
	}
	if p.Partly > 0 {
		text += fmt.Sprintf("; %s with one end missing", analysis.Digits(p.Partly))
	}
	if of.sender != everyone || of.receiver != everyone || of.group.Kind != trace.AllKinds {
		text += "; selected ones are listed"
	}
	c.Text(0, 0, text, cell.Accent, 0)
	if len(next) == 0 {
		c.Text(2, 1, "No selected packet of this node begins after the cursor.", cell.Faint, 0)
		return
	}
	end := cursor + 1
	for _, k := range next {
		end = max(end, slices.Max(k.at[:]))
	}
	const left = 34
	first := next[0].begin()
	x, w := chart.Axis{Lo: float64(first), Hi: float64(end)}, max(c.W-left, 10)
	for i, k := range next {
		c.Text(0, 1+i, fmt.Sprintf("%10.2f %2d>%-2d %5dB %-9.9s", float64(k.begin())/1e3, k.sender, k.receiver, k.size, k.kind), cell.Plain, 0)
		for st := range trace.NumStages {
			a, b, _ := k.stage(st)
			if st == trace.Net && k.at[3] != never {
				a = k.at[3] // the injection is drawn as LANai
			}
			if a == never || b == never {
				continue
			}
			for q := x.Clamp(float64(a), w); q <= x.Clamp(float64(b), w); q++ {
				c.Set(left+q, 1+i, stageLooks[st].Letter, stageLooks[st].Ink, boldIf(st == s.Sel.Stage))
			}
		}
	}
	c.Text(0, c.H-1, fmt.Sprintf("S Source, L LANai, N Net after the injection, D Dest; the bars span %.2f µs", float64(end-first)/1e3), cell.Faint, 0)
}

func (*timelineView) table(s *Scene) analysis.View {
	if s.data().Packets == nil {
		return analysis.View{}
	}
	from, to := s.Sel.timeRange(s.data().Packets)
	of := s.Sel.key()
	return s.ofEach(func(d *Data) analysis.View {
		var rows []trace.PacketRow
		if d.Packets != nil {
			for _, k := range d.Packets.list {
				if b := k.begin(); b >= from && b <= to && of.matches(&k) {
					rows = append(rows, k.row())
				}
			}
		}
		return analysis.Records(rows, "tag", "kind", "span", "sender", "receiver", "size_bytes", "t1_ns", "t2_ns", "t3_ns", "t4_ns", "t5_ns", "t6_ns")
	})
}
