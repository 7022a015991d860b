package tui

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// timelineView shows how many packets are in a stage at each node over time, or what the
// parts of one node do, and under them the packets of one node one by one, or all about one.
type timelineView struct {
	ofRuns
	lane   list // of nodes
	shows  choice
	open   bool     // all about one packet
	picked packetID // that one, unless it is the first from the cursor on
}

// What is shown over time.
const (
	ofAllNodes choice = iota
	ofOneNode
)

var timelineShows = []string{"packets in one stage at all nodes", "what the parts of one node do"}

func (v *timelineView) words() []word {
	return []word{v.lane.word(), v.shows.word(timelineShows), choiceWord("details", &v.open, "on", onOff), v.picked.word()}
}

// word writes a packet as SENDER:NUMBER or #ACTOR.
func (id *packetID) word() word {
	return word{name: "packet", want: "SENDER:NUMBER, #ACTOR or none",
		get: func() string {
			switch {
			case !id.named:
				return "none"
			case id.actor != 0:
				return fmt.Sprintf("#%d", id.actor)
			}
			return fmt.Sprintf("%d:%d", id.sender, id.number)
		},
		set: func(v string) error {
			if *id = (packetID{}); v == "none" {
				return nil
			}
			if actor, ok := strings.CutPrefix(v, "#"); ok {
				n, err := parseNumber(actor, 1, math.MaxInt32)
				*id = packetID{actor: waits.ID(n), named: err == nil}
				return err
			}
			sender, number, _ := strings.Cut(v, ":")
			node, err := parseNumber(sender, 0, math.MaxUint16)
			n, err1 := parseNumber(number, 0, math.MaxInt64)
			if err = errors.Join(err, err1); err == nil {
				*id = packetID{sender: uint16(node), number: n, named: true}
			}
			return err
		}}
}

func (*timelineView) keys() []action {
	return []action{enter, nextMetric, zoomIn, zoomOut}
}

// crumb names the step of a trail at which a packet is shown.
func (v *timelineView) crumb() string {
	if v.open {
		return "packet"
	}
	return ""
}

// pick shows a packet where it was in a stage.
func (v *timelineView) pick(s *Scene, k packet, stage trace.Stage) {
	p, sel := s.data().Packets, &s.Sel
	_, _, node := k.stage(stage)
	v.lane.row, v.picked, sel.AtNs = int(node), k.id(), k.begin()
	length := max(slices.Max(k.at[:])-k.begin(), 1)
	if sel.ToNs <= sel.FromNs {
		sel.ToNs = sel.FromNs + 20*length
	}
	span := sel.ToNs - sel.FromNs
	if sel.AtNs < sel.FromNs || sel.AtNs+length > sel.ToNs || span < length {
		span = max(span, 2*length)
		sel.FromNs = min(max(sel.AtNs-(span-length)/2, 0), max(p.endNs-span, 0))
		sel.ToNs = sel.FromNs + span
	}
}

// at returns the packet at the cursor: the one picked, or the first of the node from there on.
func (v *timelineView) at(s *Scene) (k packet, ok bool) {
	p := s.data().Packets
	if v.picked.named {
		return p.find(v.picked, s.Sel.timeCursor(p))
	}
	if next := p.near(s.Sel.key(), v.lane.at(s.nodes()), s.Sel.timeCursor(p), 1); len(next) > 0 {
		return next[0], true
	}
	return k, false
}

func (*timelineView) obeys(s *Scene) settings {
	if s.data().Packets == nil {
		return 0
	}
	return ofTag | ofKind | ofSender | ofReceiver | ofStage | ofTime
}

// update moves the cursor along a lane and to other lanes. At the end of the visible
// part of the run that part moves along.
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
	case a == nextMetric:
		return v.shows.next(s, timelineShows)
	case a == enter || a == leave && v.open:
		v.turn(s, a)
		return true
	case !v.lane.update(a, s.data().nodes):
		return false
	}
	v.picked = packetID{}
	if dx, _ := a.steps(); p != nil && dx != 0 {
		from, to := sel.timeRange(p)
		sel.AtNs = min(max(sel.timeCursor(p)+int64(dx)*max((to-from)/60, 1), 0), p.endNs)
		if shift := max(sel.AtNs-to, 0) + min(sel.AtNs-from, 0); shift != 0 && sel.ToNs > sel.FromNs {
			sel.FromNs, sel.ToNs = from+shift, to+shift
		}
	}
	return true
}

// turn opens all about the packet at the cursor, and then leads to its operation; leaving
// closes it.
func (v *timelineView) turn(s *Scene, a action) {
	if v.open && a == enter {
		if k, ok := v.at(s); ok {
			s.leadToOperation(&k)
		}
		return
	}
	if v.open = a == enter; !v.open {
		s.Note = "packets of the node again"
		return
	}
	s.Note = "all about one packet; enter goes to its operation, esc back"
	if s.data().Packets != nil {
		if _, ok := v.at(s); !ok && !v.picked.named {
			v.open, s.Note = false, "No selected packet of this node begins after the cursor."
		}
	}
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
	return b.windows(p).Load(b.stage, node, from, to)
}

// perColumn is how many windows of a column are told apart: a burst of that part of a column is
// seen at its full height at every zoom.
const perColumn = 32

func (b bands) windows(p *Packets) *trace.Windows {
	return p.windows(b.from, b.to).Coarse((b.to - b.from) / int64(b.slots) / perColumn)
}

// resolution says what a shade stands for.
func (b bands) resolution(p *Packets) string {
	return fmt.Sprintf("most %.2f in %s", b.most, analysis.Time(float64(b.windows(p).WidthNs())))
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
	lane := v.lane.at(d.nodes)
	over := drawEvents(c.Sub(0, 1, c.W, 2), b, d, lane)
	if v.shows.of(timelineShows) == int(ofOneNode) {
		over += v.drawParts(c, over, b, s)
	} else {
		over += v.drawNodes(c, over, b, s)
	}
	below := c.Sub(0, over, c.W, c.H-over)
	if missing := analysis.GapsOf(d.Run.Gaps, lane); missing != "" {
		below.Text(0, 0, fmt.Sprintf("The trace lacks %s of node %d.", missing, lane), cell.Warn, 0)
		below = below.Sub(0, 1, below.W, below.H-1)
	}
	k, ok := v.at(s)
	if ok && v.open {
		drawPacket(below, s, &k)
		return
	} else if _, coming := p.unread(&s.Sel); v.open && v.picked.named && coming && !d.broken {
		below.Text(0, 0, "The packet is being read.", cell.Accent, 0)
		return
	} else if v.open && v.picked.named {
		drawUnlisted(below, d, v.picked)
		return
	}
	if below.W >= twoPanes && ok {
		right := below.W / 2
		drawPacket(below.Sub(right+1, 0, below.W-right-1, below.H), s, &k)
		below = below.Sub(0, 0, right, below.H)
	}
	drawPackets(below, s, p, lane, s.Sel.timeCursor(p))
}

// drawNodes draws the packets in a stage at each node, from the title in line 0 and lanes from a
// line on, and returns how many lines it takes from there.
func (v *timelineView) drawNodes(c *cell.Canvas, from int, b bands, s *Scene) int {
	d, p := s.data(), s.data().Packets
	var other *Packets
	per := 1
	if o := s.over(); o != nil {
		other = o.Packets
	}
	if other != nil {
		per = 2 // a band for each run
	}
	below := max(c.H/3, 7)
	if v.open {
		below = max(c.H/2, 11) // for the packet's chains
	}
	rows := max(min((c.H-from-below-2)/per, d.nodes), 1)
	where := "sender"
	if b.stage == trace.Net || b.stage == trace.Dest {
		where = "receiver"
	}
	for node := range d.nodes {
		for i := range b.slots {
			b.most = max(b.most, b.load(p, node, i).Most, b.load(other, node, i).Most)
		}
	}
	text := fmt.Sprintf("packets in %s at each node (as %s) over time, %s", analysis.StageName(b.stage), where, b.unit())
	if d.path != nil {
		text = fmt.Sprintf("%s at each node (as %s), %s; _ critical path", analysis.StageName(b.stage), where, b.unit())
	}
	title(c, text, b.resolution(p))
	f := chart.Lanes(c.Sub(0, from, c.W, c.H-from), rows*per, b.axis(), 1)
	lane := v.lane.at(d.nodes)
	top := scroll(lane, d.nodes, rows)
	arrow := map[[2]int]rune{}
	if k, ok := v.at(s); ok && (v.open || v.picked.named) {
		arrow = b.arrow(&k, top, rows, per)
	}
	for i := range rows {
		node, y := top+i, i*per
		c.Right(chart.AxisWidth-1, from+y, strconv.Itoa(node), cell.Axis, 0)
		c.Set(chart.AxisWidth-1, from+y, '│', cell.Axis, 0)
		b.draw(f.Canvas, y, p, node, cell.Heat, arrow)
		if other != nil {
			c.Set(chart.AxisWidth-2, from+y+1, secondMark, cell.Second, cell.Bold)
			c.Set(chart.AxisWidth-1, from+y+1, '│', cell.Second, 0)
			b.draw(f.Canvas, y+1, other, node, cell.Second, arrow)
		}
		if node == lane {
			c.Set(chart.AxisWidth-1, from+y, '▶', cell.Accent, cell.Bold)
		}
	}
	for i := range b.slots {
		if node := d.path.Node(b.slot(i)); node >= top && node < top+rows {
			underline(f.Canvas, i, (node-top)*per)
		}
	}
	for at, r := range arrow {
		f.Set(at[0], at[1], r, cell.Accent, cell.Bold)
	}
	at := b.drawCursor(c, from, f, s)
	f.Zone(0, 0, f.W, f.H, pointed(func(dx, dy int) {
		v.lane.row, v.picked = min(top+dy/per, d.nodes-1), packetID{}
		s.Sel.AtNs, _ = b.slot(dx)
	}))
	if o := s.over(); o != nil {
		c.Text(0, from+f.H+2, againstLane(o, b.load(p, lane, at).Mean, b.load(other, lane, at).Mean, lane), cell.Second, 0)
		return f.H + 3
	}
	return f.H + 2
}

// drawCursor marks the time of the cursor under lanes and returns its column.
func (b bands) drawCursor(c *cell.Canvas, from int, f *chart.Field, s *Scene) int {
	at := f.Column(float64(s.Sel.timeCursor(s.data().Packets)) / b.length())
	c.Set(chart.AxisWidth+at, from+f.H, '▲', cell.Accent, cell.Bold)
	return at
}

// underline marks a cell at which the critical path is.
func underline(c *cell.Canvas, x, y int) {
	if c.At(x, y).R == ' ' {
		c.Set(x, y, '_', cell.Strong, cell.Bold)
		return
	}
	c.Mark(x, y, 1, cell.Under)
}

// title writes what is shown, and on the right how finely.
func title(c *cell.Canvas, text, right string) {
	c.Ends(0, text, cell.Strong, right, cell.Faint)
}

// arrow is the way of a packet from its sender to its receiver, by column and line of lanes.
func (b bands) arrow(k *packet, top, rows, per int) map[[2]int]rune {
	out := map[[2]int]rune{}
	x := chart.Axis{Lo: float64(b.from), Hi: float64(b.to)}
	leaves, comes := k.at[2], k.at[4]
	if leaves == never || comes == never || leaves < b.from || comes > b.to {
		return out
	}
	from, to := (int(k.sender)-top)*per, (int(k.receiver)-top)*per
	a, z := x.Clamp(float64(leaves), b.slots), x.Clamp(float64(comes), b.slots)
	head, step := '▼', 1
	if to < from {
		head, step = '▲', -1
	}
	put := func(column, line int, r rune) {
		if line >= 0 && line < rows*per {
			out[[2]int{column, line}] = r
		}
	}
	for line := from + step; line != to; line += step {
		put(z, line, '│')
	}
	for column := a; column < z; column++ {
		put(column, from, '─')
	}
	put(a, from, '●')
	put(z, to, head)
	return out
}

// unit is the unit of the axis.
func (b bands) unit() string {
	unit, _ := analysis.UnitOf(float64(b.to))
	return unit
}

// length is the length of the unit in ns.
func (b bands) length() float64 {
	_, length := analysis.UnitOf(float64(b.to))
	return length
}

// axis returns the axis of time.
func (b bands) axis() chart.Axis {
	x := chart.Axis{Lo: float64(b.from) / b.length(), Hi: float64(b.to) / b.length()}
	x.Marks = x.Ticks(b.slots, 12)
	for i, t := range x.Marks {
		if t.Value != 0 {
			x.Marks[i].Text = strconv.FormatFloat(math.Round(t.Value*1e9)/1e9, 'f', -1, 64) // to the ns
		}
	}
	return x
}

// draw draws the number of packets in the stage at a node over time: of each column the most
// that one of its windows has, so that no peak is lost. Some cells are left to others.
func (b bands) draw(c *cell.Canvas, y int, p *Packets, node int, ink cell.Ink, without map[[2]int]rune) {
	for i := range b.slots {
		v := b.load(p, node, i).Most
		if _, taken := without[[2]int{i, y}]; taken || v <= 0 {
			continue
		}
		step := min(int(float64(v/b.most*(cell.HeatSteps-1))+0.5), cell.HeatSteps-1)
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
	case o.broken:
		return "The trace of the other run cannot be read; w shows why."
	case p == nil && o.hasTrace():
		return "The trace of the other run is still being read."
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
	text := fmt.Sprintf("Node %d from %s on, of %s packets", node, analysis.Instant(cursor), analysis.Digits(p.Total))
	if cursor < p.listed.from || cursor > p.listed.to {
		switch {
		case s.data().broken:
			c.Text(0, 0, text+": they cannot be read; w shows why", cell.Warn, 0)
		case s.aside:
			c.Text(0, 0, text+": enter reads them", cell.Accent, 0)
		default:
			c.Text(0, 0, text+": they are being read", cell.Accent, 0)
		}
		return
	}
	if p.Partly > 0 {
		text += fmt.Sprintf("; %s with one end missing", analysis.Digits(p.Partly))
	}
	if of.sender != everyone || of.receiver != everyone || of.group.Kind != trace.AllKinds {
		text += "; selected ones are listed"
	}
	c.Text(0, 0, text, cell.Accent, 0)
	if len(next) == 0 && p.listed.to < p.endNs && p.after.request != (request{beyond: true, period: period{at: cursor}, of: of, node: node}) {
		c.Text(2, 1, "The next selected packet of this node is being looked for.", cell.Faint, 0)
		return
	}
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
	unit, length := analysis.UnitOf(float64(end))
	digits := int(portable.Log10(length)+0.5) - 1 // tens of ns
	for i, k := range next {
		c.Text(0, 1+i, fmt.Sprintf("%10.*f %2d>%-2d %5dB %-9.9s", max(digits, 0), float64(k.begin())/length, k.sender, k.receiver, k.size, k.kind), cell.Plain, 0)
		bar := packetBar(&k, x, w)
		for q, st := range bar {
			if st != noStage {
				c.Set(left+q, 1+i, barRune(bar, q), stageLooks[st].Ink, boldIf(st == s.Sel.Stage))
			}
		}
	}
	c.Text(0, c.H-1, fmt.Sprintf("begin in %s; S Source, L LANai, ─▶ Net after the injection, D Dest; the bars span %s", unit, analysis.Time(float64(end-first))), cell.Faint, 0)
}

// table returns the packets of the visible part, or an error if not all of them are read.
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

// complete returns an error if the table lacks packets of the visible part.
func (*timelineView) complete(s *Scene) error {
	for _, d := range s.shown() {
		if d.Packets == nil {
			continue
		}
		if from, to := s.Sel.timeRange(d.Packets); from < d.Packets.listed.from || to > d.Packets.listed.to {
			return fmt.Errorf("the part from %s holds more packets than the view has read: zoom in with +, or write all with sigview export %s --to csv -o DIR",
				analysis.Period(from, to), quote(d.Dir))
		}
	}
	return nil
}
