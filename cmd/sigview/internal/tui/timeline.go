package tui

import (
	"fmt"
	"sort"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// timeRange is the part of the run that the timeline shows.
func (s *Selection) timeRange(p *Packets) (from, to int64) {
	from, to = s.FromNs, s.ToNs
	if to <= from {
		from, to = 0, p.endNs
	}
	return max(from, 0), min(to, p.endNs)
}

func drawTimeline(c *cell.Canvas, s *State, d *Data) {
	p := d.Packets
	if p == nil {
		untraced(c, d, "packets one by one")
		return
	}
	stage := histStage(s)
	from, to := s.Sel.timeRange(p)
	foot := min(max(c.H/3, 7), 18)
	other, per := s.overPackets(), 1
	if other != nil {
		per = 2 // a band for each run
	}
	rows := min((c.H-foot-3)/per, d.nodes)
	foot = min(c.H-rows*per-3, 30) // few nodes leave room for packets
	x := axis{lo: float64(from) / 1e3, hi: float64(to) / 1e3, n: max(c.W-axisWidth, 1)}
	where := map[trace.Stage]string{trace.Source: "sender", trace.LANai: "sender", trace.Net: "receiver", trace.Dest: "receiver"}[stage]
	c.Text(0, 0, fmt.Sprintf("packets in %s at each node (as %s) over time, µs", analysis.StageName(stage), where), cell.Strong, 0)
	cursor := s.Sel.timeCursor(p)
	lane := min(max(s.Sel.Row, 0), d.nodes-1)
	top := scroll(lane, d.nodes, rows)
	most := 0.0
	for node := range d.nodes {
		for i := range x.n {
			a, b := slotOf(from, to, i, x.n)
			most = max(most, p.mean(stage, node, a, b), other.mean(stage, node, a, b))
		}
	}
	for i := range rows {
		node, y := top+i, 1+i*per
		c.Right(axisWidth-1, y, strconv.Itoa(node), cell.Axis, 0)
		c.Set(axisWidth-1, y, '│', cell.Axis, 0)
		drawBand(c, y, p, stage, node, x.n, from, to, most, cell.Heat)
		if other != nil {
			c.Set(axisWidth-2, y+1, secondMark, cell.Second, cell.Bold)
			c.Set(axisWidth-1, y+1, '│', cell.Second, 0)
			drawBand(c, y+1, other, stage, node, x.n, from, to, most, cell.Second)
		}
		if node == lane {
			c.Set(axisWidth-1, y, '▶', cell.Accent, cell.Bold)
		}
	}
	drawTimeAxis(c, rows*per, x, cursor, most)
	c.Zone(axisWidth, 1, x.n, rows*per, place{panel: "time", w: x.n, h: per, y0: top, x: x})
	list := c.Sub(0, c.H-foot, c.W, foot)
	if o := s.over(); o != nil {
		a, b := slotOf(from, to, min(x.clamp(float64(cursor)/1e3), x.n-1), x.n)
		list.Text(0, 0, againstLane(o, other, p.mean(stage, lane, a, b), other.mean(stage, lane, a, b), lane), cell.Second, 0)
		list = list.Sub(0, 1, list.W, list.H-1)
	}
	drawPackets(list, s, p, lane, cursor)
}

// overPackets is the trace of the run laid over, or nil.
func (s *State) overPackets() *Packets {
	if o := s.over(); o != nil {
		return o.Packets
	}
	return nil
}

// againstLane says what the run laid over has at the cursor.
func againstLane(o *Data, p *Packets, here, there float64, lane int) string {
	switch {
	case p == nil && o.hasTrace():
		return "The trace of the other run is still being read, or cannot be read."
	case p == nil:
		return "The other run was not traced: there is nothing of it to lay over."
	case lane >= p.nodes:
		return fmt.Sprintf("%c other run, which has no node %d.", secondMark, lane)
	}
	return fmt.Sprintf("%c other run, same times; node %d at the cursor: %.3f packets, other %.3f, %+.3f", secondMark, lane, here, there, here-there)
}

// drawBand draws how many packets are in a stage at a node over time.
func drawBand(c *cell.Canvas, y int, p *Packets, stage trace.Stage, node, n int, from, to int64, most float64, ink cell.Ink) {
	for k := range n {
		a, b := slotOf(from, to, k, n)
		v := p.mean(stage, node, a, b)
		if v <= 0 {
			continue
		}
		step := min(int(v/most*(cell.HeatSteps-1)+0.5), cell.HeatSteps-1)
		at := ink
		if ink == cell.Heat {
			at += cell.Ink(step)
		}
		c.Set(axisWidth+k, y, c.Glyphs.Shade(step), at, 0)
	}
}

func drawTimeAxis(c *cell.Canvas, rows int, x axis, cursor int64, most float64) {
	for i := range x.n {
		c.Set(axisWidth+i, rows+1, '─', cell.Axis, 0)
	}
	free := 0
	for _, v := range x.ticks(12) {
		at, _ := x.at(v)
		t := strconv.FormatFloat(v, 'f', -1, 64)
		begin := min(max(axisWidth+at-len(t)/2, 0), c.W-len(t))
		if begin >= free {
			c.Set(axisWidth+at, rows+1, '┴', cell.Axis, 0)
			c.Text(begin, rows+2, t, cell.Axis, 0)
			free = begin + len(t) + 1
		}
	}
	if at, ok := x.at(float64(cursor) / 1e3); ok {
		c.Set(axisWidth+at, rows+1, '▲', cell.Accent, cell.Bold)
	}
	c.Right(c.W, 0, fmt.Sprintf("most %.2f", most), cell.Faint, 0)
}

func slotOf(from, to int64, i, n int) (a, b int64) {
	span := to - from
	return from + span*int64(i)/int64(n), from + span*int64(i+1)/int64(n)
}

// timeCursor is the time that the cursor is at.
func (s *Selection) timeCursor(p *Packets) int64 {
	from, to := s.timeRange(p)
	return min(max(s.AtNs, from), to)
}

// near are the packets kept of a node from a time on, of those selected.
func (p *Packets) near(of sliceKey, node int, at int64, n int) []packet {
	i := sort.Search(len(p.list), func(i int) bool { return p.list[i].begin() >= at })
	var out []packet
	for ; i < len(p.list) && len(out) < n; i++ {
		if k := p.list[i]; (int(k.sender) == node || int(k.receiver) == node) && of.matches(&k) {
			out = append(out, k)
		}
	}
	return out
}

// drawPackets draws the next packets of a node as bars of their stages.
func drawPackets(c *cell.Canvas, s *State, p *Packets, node int, cursor int64) {
	of := s.Sel.key()
	list := p.near(of, node, cursor, c.H-2)
	text := fmt.Sprintf("Node %d from %.3f µs on, of %s packets", node, float64(cursor)/1e3, analysis.Digits(p.Total))
	if p.Total > int64(len(p.list)) {
		text += fmt.Sprintf("; one by one only the first %s", analysis.Digits(int64(len(p.list))))
	}
	if p.Partly > 0 {
		text += fmt.Sprintf("; %s with one end missing", analysis.Digits(p.Partly))
	}
	if of.sender != everyone || of.receiver != everyone || of.group.Kind != trace.AllKinds {
		text += "; listed are those selected"
	}
	c.Text(0, 0, text, cell.Accent, 0)
	if len(list) == 0 {
		c.Text(2, 1, "No packet of this node and selection begins after the cursor.", cell.Faint, 0)
		return
	}
	end := cursor + 1
	for _, k := range list {
		for _, t := range k.at {
			end = max(end, t)
		}
	}
	first := list[0].begin()
	x := axis{lo: float64(first), hi: float64(end), n: max(c.W-34, 10)}
	for i, k := range list {
		c.Text(0, 1+i, fmt.Sprintf("%10.2f %2d>%-2d %5dB %-9.9s", float64(k.begin())/1e3, k.sender, k.receiver, k.size, k.kind), cell.Plain, 0)
		for st := range trace.NumStages {
			a, b, _ := k.stage(st)
			if st == trace.Net && k.at[3] != never {
				a = k.at[3] // the injection is drawn as LANai
			}
			if a == never || b == never {
				continue
			}
			for q := x.clamp(float64(a)); q <= x.clamp(float64(b)); q++ {
				attr := cell.Attr(0)
				if st == s.Sel.Stage {
					attr = cell.Bold
				}
				c.Set(34+q, 1+i, []rune(stageLooks[st].letter)[0], stageLooks[st].ink, attr)
			}
		}
	}
	c.Text(0, c.H-1, fmt.Sprintf("S Source, L LANai, N Net after the injection, D Dest; the bars span %.2f µs", float64(end-first)/1e3), cell.Faint, 0)
}

// moveTimeline takes the cursor along a lane, at its end the lane along the
// run, and to other lanes.
func moveTimeline(s *State, d *Data, dx, dy int) {
	s.Sel.Row = min(max(s.Sel.Row+dy, 0), d.nodes-1)
	if d.Packets == nil || dx == 0 {
		return
	}
	from, to := s.Sel.timeRange(d.Packets)
	by := max((to-from)/60, 1)
	at := min(max(s.Sel.timeCursor(d.Packets)+int64(dx)*by, 0), d.Packets.endNs)
	s.Sel.AtNs = at
	if shift := max(at-to, 0) + min(at-from, 0); shift != 0 && s.Sel.ToNs > s.Sel.FromNs {
		s.Sel.FromNs, s.Sel.ToNs = from+shift, to+shift
	}
}

func pointTimeline(s *State, d *Data, z place) {
	if d.Packets == nil {
		return
	}
	s.Sel.Row = min(z.y0+z.dy/max(z.h, 1), d.nodes-1)
	from, to := s.Sel.timeRange(d.Packets)
	s.Sel.AtNs, _ = slotOf(from, to, z.dx, max(z.w, 1))
}

// zoomTime halves or doubles the part of the run that is shown.
func (s *Selection) zoomTime(p *Packets, in int) {
	from, to := s.timeRange(p)
	at := s.timeCursor(p)
	span := (to - from) / 2
	if in < 0 {
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

func timelineTable(s *State, d *Data) table {
	if d.Packets == nil {
		return table{}
	}
	t := table{head: []string{"run", "tag", "kind", "span", "sender", "receiver", "size_bytes", "t1_ns", "t2_ns", "t3_ns", "t4_ns", "t5_ns", "t6_ns"}}
	from, to := s.Sel.timeRange(d.Packets)
	for _, run := range s.shown(d) {
		if run.Packets != nil {
			t.rows = append(t.rows, packetRecords(run, s.Sel.key(), from, to)...)
		}
	}
	return t
}

func packetRecords(d *Data, of sliceKey, from, to int64) [][]string {
	var out [][]string
	for _, k := range d.Packets.list {
		if b := k.begin(); b < from || b > to || !of.matches(&k) {
			continue
		}
		row := []string{d.Dir, strconv.Itoa(int(k.tag)), k.kind.String(), strconv.Itoa(int(k.span)), strconv.Itoa(int(k.sender)), strconv.Itoa(int(k.receiver)), strconv.Itoa(int(k.size))}
		for _, v := range k.at {
			text := ""
			if v != never {
				text = strconv.FormatInt(v, 10)
			}
			row = append(row, text)
		}
		out = append(out, row)
	}
	return out
}
