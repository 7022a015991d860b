package views

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// TimelineView shows how many packets are in a stage at each node over time, or what the
// parts of one node do, and under them the packets of one node one by one, or all about one.
type TimelineView struct {
	ofRuns
	Lane   list // of nodes
	Shows  Choice
	Open   bool          // all about one packet
	Picked data.PacketID // that one, unless it is the first from the cursor on
	before data.Period   // the selected part of the run before a packet was picked
	picks  data.Period   // and since
	Ruler  ruler
}

// What is shown over time.
const (
	ofAllNodes Choice = iota
	OfOneNode
)

var TimelineShows = []string{"packets in one stage at all nodes", "what the parts of one node do"}

func (v *TimelineView) Words() []scene.Word {
	return []scene.Word{v.Lane.word(), v.Shows.word(TimelineShows), scene.ChoiceWord("details", &v.Open, "on", scene.OnOff), word(&v.Picked), v.Ruler.word()}
}

// word writes a packet as SENDER:NUMBER or #ACTOR.
func word(id *data.PacketID) scene.Word {
	return scene.Word{Name: "packet", Want: "SENDER:NUMBER, #ACTOR or none",
		Get: func() string {
			switch {
			case !id.Named:
				return "none"
			case id.Actor != 0:
				return fmt.Sprintf("#%d", id.Actor)
			}
			return fmt.Sprintf("%d:%d", id.Sender, id.Number)
		},
		Set: func(v string) error {
			if *id = (data.PacketID{}); v == "none" {
				return nil
			}
			if actor, ok := strings.CutPrefix(v, "#"); ok {
				n, err := data.ParseNumber(actor, 1, math.MaxInt32)
				*id = data.PacketID{Actor: waits.ID(n), Named: err == nil}
				return err
			}
			sender, number, _ := strings.Cut(v, ":")
			node, err := data.ParseNumber(sender, 0, math.MaxUint16)
			n, err1 := data.ParseNumber(number, 0, math.MaxInt64)
			if err = errors.Join(err, err1); err == nil {
				*id = data.PacketID{Sender: uint16(node), Number: n, Named: true}
			}
			return err
		}}
}

func (*TimelineView) Keys() []action.Action {
	return []action.Action{action.Enter, action.NextMetric, action.ZoomIn, action.ZoomOut, action.MarkBegin, action.MarkEnd, action.SelectMarked}
}

// Crumb names the step of a trail at which a packet is shown.
func (v *TimelineView) Crumb() string {
	if v.Open {
		return "packet"
	}
	return ""
}

// Pick shows a packet where it was in a stage.
func (v *TimelineView) Pick(s *scene.Scene, k data.Packet, stage trace.Stage) {
	p, sel := s.Data().Packets, &s.Sel
	v.Unpick(sel)
	v.before = data.Period{From: sel.FromNs, To: sel.ToNs}
	_, _, node := k.Stage(stage)
	v.Lane.Row, v.Picked, sel.AtNs = int(node), k.Id(), k.Begin()
	length := max(slices.Max(k.At[:])-k.Begin(), 1)
	if sel.ToNs <= sel.FromNs {
		sel.ToNs = sel.FromNs + 20*length
	}
	span := sel.ToNs - sel.FromNs
	if sel.AtNs < sel.FromNs || sel.AtNs+length > sel.ToNs || span < length {
		span = max(span, 2*length)
		sel.FromNs = min(max(sel.AtNs-(span-length)/2, 0), max(p.EndNs-span, 0))
		sel.ToNs = sel.FromNs + span
	}
	sel.Within(p)
	v.picks = data.Period{From: sel.FromNs, To: sel.ToNs}
}

// Unpick selects the part of the run again that was selected before a packet was picked, unless the user has
// chosen another since.
func (v *TimelineView) Unpick(sel *data.Selection) {
	if v.picks.To > 0 && v.picks == (data.Period{From: sel.FromNs, To: sel.ToNs}) {
		sel.FromNs, sel.ToNs = v.before.From, v.before.To
	}
	v.picks = data.Period{}
}

// At returns the packet at the cursor: the one picked, or the first of the node from there on.
func (v *TimelineView) At(s *scene.Scene) (k data.Packet, ok bool) {
	p := s.Data().Packets
	if p == nil {
		return k, false
	}
	if v.Picked.Named {
		return p.Find(v.Picked, s.Sel.TimeCursor(p))
	}
	if next := p.Near(s.Sel.Key(), v.Lane.At(s.Nodes()), s.Sel.TimeCursor(p), 1); len(next) > 0 {
		return next[0], true
	}
	return k, false
}

func (*TimelineView) Obeys(s *scene.Scene) scene.Settings {
	if s.Data().Packets == nil {
		return 0
	}
	return scene.OfTag | scene.OfKind | scene.OfSender | scene.OfReceiver | scene.OfStage | scene.OfTime
}

// Act moves the cursor along a lane and to other lanes. At the end of the visible
// part of the run that part moves along.
func (v *TimelineView) Act(s *scene.Scene, a action.Action) bool {
	p, sel := s.Data().Packets, &s.Sel
	if p != nil {
		if said, done := v.Ruler.Act(sel, p, a); done {
			s.Note = said
			return true
		}
	}
	switch {
	case a == action.ToggleBaseline:
		return withoutBaseline(s, "packets over time")
	case a == action.ZoomIn || a == action.ZoomOut:
		if p != nil {
			sel.ZoomTime(p, a == action.ZoomIn)
		}
		return true
	case a == action.NextMetric:
		return v.Shows.next(s, TimelineShows)
	case a == action.Enter || a == action.Leave && v.Open:
		v.turn(s, a)
		return true
	case !v.Lane.Act(a, s.Data().Nodes):
		return false
	}
	v.Picked = data.PacketID{}
	if dx, _ := a.Steps(); p != nil && dx != 0 {
		from, to := sel.TimeRange(p)
		sel.AtNs = min(max(sel.TimeCursor(p)+int64(dx)*max((to-from)/60, 1), 0), p.EndNs)
		if shift := max(sel.AtNs-to, 0) + min(sel.AtNs-from, 0); shift != 0 && sel.ToNs > sel.FromNs {
			sel.FromNs, sel.ToNs = from+shift, to+shift
		}
	}
	return true
}

// turn opens all about the packet at the cursor, and then leads to its operation; leaving
// closes it.
func (v *TimelineView) turn(s *scene.Scene, a action.Action) {
	if v.Open && a == action.Enter {
		if k, ok := v.At(s); ok {
			s.LeadToOperation(&k)
		}
		return
	}
	if v.Open = a == action.Enter; !v.Open {
		s.Note = "packets of the node again"
		return
	}
	s.Note = "all about one packet; enter goes to its operation, esc back"
	switch _, ok := v.At(s); {
	case s.Data().Packets == nil:
		v.Open, s.Note = false, "No packets one by one have been read of this run."
	case !ok && !v.Picked.Named:
		v.Open, s.Note = false, "No selected packet of this node begins after the cursor."
	}
}

// Bands are the lanes as they are drawn: slots of time, one a column.
type Bands struct {
	stage    trace.Stage
	From, To int64
	Slots    int
	most     float64 // packets, over all lanes and slots
}

// slot returns the time of a column.
func (b Bands) slot(i int) (from, to int64) {
	span := b.To - b.From
	return b.From + span*int64(i)/int64(b.Slots), b.From + span*int64(i+1)/int64(b.Slots)
}

// load returns the number of packets in the stage at a node in a column.
func (b Bands) load(p *data.Packets, node, i int) trace.Load {
	if p == nil {
		return trace.Load{}
	}
	from, to := b.slot(i)
	return b.Windows(p).Load(b.stage, node, from, to)
}

// perColumn is how many windows of a column are told apart: a burst of that part of a column is
// seen at its full height at every zoom.
const perColumn = 32

func (b Bands) Windows(p *data.Packets) *trace.Windows {
	return p.Windows(b.From, b.To).Coarse((b.To - b.From) / int64(b.Slots) / perColumn)
}

// resolution says what a shade stands for.
func (b Bands) resolution(p *data.Packets) string {
	return fmt.Sprintf("most %.2f in %s", b.most, analysis.Time(float64(b.Windows(p).WidthNs())))
}

func (v *TimelineView) Draw(c *cell.Canvas, s *scene.Scene) {
	d := s.Data()
	p := d.Packets
	if p == nil {
		untraced(d, c, "packets one by one")
		return
	}
	b := Bands{stage: s.Sel.HistStage(), Slots: max(c.W-chart.AxisWidth, 1)}
	b.From, b.To = s.Sel.TimeRange(p)
	lane := v.Lane.At(d.Nodes)
	over := drawEvents(c.Sub(0, 1, c.W, 2+mostEvents), b, d, lane)
	if v.Shows.Of(TimelineShows) == int(OfOneNode) {
		over += v.drawParts(c, over, b, s)
	} else {
		over += v.drawNodes(c, over, b, s)
	}
	below := c.Sub(0, over, c.W, c.H-over)
	if missing := analysis.GapsOf(d.Run.Gaps, lane); missing != "" {
		below.Text(0, 0, fmt.Sprintf("The trace lacks %s of node %d.", missing, lane), cell.Warn, 0)
		below = below.Sub(0, 1, below.W, below.H-1)
	}
	k, ok := v.At(s)
	if ok && v.Open {
		drawPacket(below, s, &k)
		return
	} else if _, coming := p.Unread(&s.Sel); v.Open && v.Picked.Named && coming && !d.Broken {
		below.Text(0, 0, "The packet is being read.", cell.Accent, 0)
		return
	} else if v.Open && v.Picked.Named {
		drawUnlisted(below, d, v.Picked)
		return
	}
	if below.W >= scene.TwoPanes && ok {
		right := below.W / 2
		drawPacket(below.Sub(right+1, 0, below.W-right-1, below.H), s, &k)
		below = below.Sub(0, 0, right, below.H)
	}
	drawPackets(below, s, p, lane, s.Sel.TimeCursor(p))
}

// drawNodes draws the packets in a stage at each node, from the title in line 0 and lanes from a
// line on, and returns how many lines it takes from there.
func (v *TimelineView) drawNodes(c *cell.Canvas, from int, b Bands, s *scene.Scene) int {
	d, p := s.Data(), s.Data().Packets
	var other *data.Packets
	per := 1
	if o := s.Second(); o != nil {
		other = o.Packets
	}
	if other != nil {
		per = 2 // a band for each run
	}
	below := max(c.H/3, 7)
	if v.Open {
		below = max(c.H/2, 11) // for the packet's chains
	}
	rows := max(min((c.H-from-below-2)/per, d.Nodes), 1)
	where := "sender"
	if b.stage == trace.Net || b.stage == trace.Dest {
		where = "receiver"
	}
	for node := range d.Nodes {
		for i := range b.Slots {
			b.most = max(b.most, b.load(p, node, i).Most, b.load(other, node, i).Most)
		}
	}
	text := fmt.Sprintf("packets in %s at each node (as %s) over time, %s", d.StageName(b.stage), where, b.unit())
	if d.Path != nil {
		text = fmt.Sprintf("%s at each node (as %s), %s; _ critical path", d.StageName(b.stage), where, b.unit())
	}
	v.title(c, text, b.resolution(p))
	f := chart.Lanes(c.Sub(0, from, c.W, c.H-from), rows*per, b.Axis(), 1)
	lane := v.Lane.At(d.Nodes)
	top := scroll(lane, d.Nodes, rows)
	arrow := map[[2]int]rune{}
	if k, ok := v.At(s); ok && (v.Open || v.Picked.Named) {
		arrow = b.arrow(&k, top, rows, per)
	}
	for i := range rows {
		node, y := top+i, i*per
		c.Right(chart.AxisWidth-1, from+y, strconv.Itoa(node), cell.Axis, 0)
		c.Set(chart.AxisWidth-1, from+y, '│', cell.Axis, 0)
		b.Draw(f.Canvas, y, p, node, cell.Heat, arrow)
		if other != nil {
			c.Set(chart.AxisWidth-2, from+y+1, scene.SecondMark, cell.Second, cell.Bold)
			c.Set(chart.AxisWidth-1, from+y+1, '│', cell.Second, 0)
			b.Draw(f.Canvas, y+1, other, node, cell.Second, arrow)
		}
		if node == lane {
			c.Set(chart.AxisWidth-1, from+y, '▶', cell.Accent, cell.Bold)
		}
	}
	for i := range b.Slots {
		if node := d.Path.Node(b.slot(i)); node >= top && node < top+rows {
			underline(f.Canvas, i, (node-top)*per)
		}
	}
	for _, e := range b.events(d) {
		if e.Node < top || e.Node >= top+rows {
			continue
		}
		from, to := b.columns(e)
		f.Mark(from, (e.Node-top)*per, to+1-from, cell.Reverse)
	}
	for at, r := range arrow {
		f.Set(at[0], at[1], r, cell.Accent, cell.Bold)
	}
	b.drawMarks(c, from, f, v.Ruler)
	at := b.drawCursor(c, from, f, s)
	f.Zone(0, 0, f.W, f.H, action.Pointed(func(dx, dy int) {
		v.Lane.Row, v.Picked = min(top+dy/per, d.Nodes-1), data.PacketID{}
		s.Sel.AtNs, _ = b.slot(dx)
	}))
	if o := s.Second(); o != nil {
		c.Text(0, from+f.H+2, againstLane(o, b.load(p, lane, at).Mean, b.load(other, lane, at).Mean, lane), cell.Second, 0)
		return f.H + 3
	}
	return f.H + 2
}

// drawCursor marks the time of the cursor under lanes and returns its column.
func (b Bands) drawCursor(c *cell.Canvas, from int, f *chart.Field, s *scene.Scene) int {
	at := f.Column(float64(s.Sel.TimeCursor(s.Data().Packets)) / b.length())
	c.Set(chart.AxisWidth+at, from+f.H, '▲', cell.Accent, cell.Bold)
	return at
}

// drawMarks draws the marks that are visible over lanes, and under these on the axis.
func (b Bands) drawMarks(c *cell.Canvas, from int, f *chart.Field, marks ruler) {
	for i, at := range marks {
		if !at.OK || at.Value < b.From || at.Value > b.To {
			continue
		}
		x := f.Column(float64(at.Value) / b.length())
		for y := range f.H {
			f.Mark(x, y, 1, cell.Reverse)
		}
		c.Set(chart.AxisWidth+x, from+f.H, rulerMarks[i], cell.Accent, cell.Bold)
	}
}

// underline marks a cell at which the critical path is.
func underline(c *cell.Canvas, x, y int) {
	if c.At(x, y).R == ' ' {
		c.Set(x, y, '_', cell.Strong, cell.Bold)
		return
	}
	c.Mark(x, y, 1, cell.Under)
}

// title writes what is shown, and on the right where the marks are or, without marks, how finely.
func (v *TimelineView) title(c *cell.Canvas, text, right string) {
	if marks := v.Ruler.String(); marks != "" {
		right = marks
	}
	c.Ends(0, text, cell.Strong, right, cell.Faint)
}

// arrow is the way of a packet from its sender to its receiver, by column and line of lanes.
func (b Bands) arrow(k *data.Packet, top, rows, per int) map[[2]int]rune {
	out := map[[2]int]rune{}
	x := chart.Axis{Lo: float64(b.From), Hi: float64(b.To)}
	leaves, comes := k.At[2], k.At[4]
	if leaves == data.Never || comes == data.Never || leaves < b.From || comes > b.To {
		return out
	}
	from, to := (int(k.Sender)-top)*per, (int(k.Receiver)-top)*per
	a, z := x.Clamp(float64(leaves), b.Slots), x.Clamp(float64(comes), b.Slots)
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
func (b Bands) unit() string {
	unit, _ := analysis.UnitOf(float64(b.To))
	return unit
}

// length is the length of the unit in ns.
func (b Bands) length() float64 {
	_, length := analysis.UnitOf(float64(b.To))
	return length
}

// Axis returns the axis of time.
func (b Bands) Axis() chart.Axis {
	x := chart.Axis{Lo: float64(b.From) / b.length(), Hi: float64(b.To) / b.length()}
	x.Marks = x.Ticks(b.Slots, 12)
	for i, t := range x.Marks {
		if t.Value != 0 {
			x.Marks[i].Text = strconv.FormatFloat(math.Round(t.Value*1e9)/1e9, 'f', -1, 64) // to the ns
		}
	}
	return x
}

// Draw draws the number of packets in the stage at a node over time: of each column the most
// that one of its windows has, so that no peak is lost. Some cells are left to others.
func (b Bands) Draw(c *cell.Canvas, y int, p *data.Packets, node int, ink cell.Ink, without map[[2]int]rune) {
	for i := range b.Slots {
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
func againstLane(o *data.Data, here, there float64, lane int) string {
	switch p := o.Packets; {
	case o.Broken:
		return "The trace of the other run cannot be read; w shows why."
	case p == nil && o.HasTrace():
		return "The trace of the other run is still being read."
	case p == nil:
		return "The other run was not traced: there is nothing of it to lay over."
	case lane >= p.Nodes:
		return fmt.Sprintf("%c other run, which has no node %d.", scene.SecondMark, lane)
	}
	return fmt.Sprintf("%c other run, same times; node %d at the cursor: %.3f packets, other %.3f, %+.3f", scene.SecondMark, lane, here, there, here-there)
}

// drawPackets draws the next packets of a node as bars of their stages. This is a picture
// with labels, not a table: reports list no single packets.
func drawPackets(c *cell.Canvas, s *scene.Scene, p *data.Packets, node int, cursor int64) {
	of := s.Sel.Key()
	next := p.Near(of, node, cursor, c.H-2)
	text := fmt.Sprintf("Node %d from %s on, of %s packets", node, analysis.Instant(cursor), analysis.Digits(p.Total))
	if cursor < p.Listed.From || cursor > p.Listed.To {
		switch {
		case s.Data().Broken:
			c.Text(0, 0, text+": they cannot be read; w shows why", cell.Warn, 0)
		case s.Aside:
			c.Text(0, 0, text+": enter reads them", cell.Accent, 0)
		default:
			c.Text(0, 0, text+": they are being read", cell.Accent, 0)
		}
		return
	}
	if p.Partly > 0 {
		text += fmt.Sprintf("; %s with one end missing", analysis.Digits(p.Partly))
	}
	if of.Sender != data.Everyone || of.Receiver != data.Everyone || of.Group.Kind != trace.AllKinds {
		text += "; selected ones are listed"
	}
	c.Text(0, 0, text, cell.Accent, 0)
	if len(next) == 0 && p.Listed.To < p.EndNs && p.After.Request != (data.Request{Beyond: true, Period: data.Period{At: cursor}, Of: of, Node: node}) {
		c.Text(2, 1, "The next selected packet of this node is being looked for.", cell.Faint, 0)
		return
	}
	if len(next) == 0 {
		c.Text(2, 1, "No selected packet of this node begins after the cursor.", cell.Faint, 0)
		return
	}
	end := cursor + 1
	for _, k := range next {
		end = max(end, slices.Max(k.At[:]))
	}
	const left = 34
	first := next[0].Begin()
	x, w := chart.Axis{Lo: float64(first), Hi: float64(end)}, max(c.W-left, 10)
	unit, length := analysis.UnitOf(float64(end))
	digits := int(portable.Log10(length)+0.5) - 1 // tens of ns
	for i, k := range next {
		c.Text(0, 1+i, fmt.Sprintf("%10.*f %2d>%-2d %5dB %-9.9s", max(digits, 0), float64(k.Begin())/length, k.Sender, k.Receiver, k.Size, k.Kind), cell.Plain, 0)
		bar := packetBar(&k, x, w)
		for q, st := range bar {
			if st != noStage {
				c.Set(left+q, 1+i, barRune(s.Data(), bar, q), scene.StageLooks[st].Ink, scene.BoldIf(st == s.Sel.Stage))
			}
		}
	}
	c.Text(0, c.H-1, fmt.Sprintf("begin in %s; S Source, %s, ─▶ Net after the injection, D Dest; the bars span %s", unit, scene.Lettered(s.Data(), trace.LANai), analysis.Time(float64(end-first))), cell.Faint, 0)
}

// Findings begins with all that the packet waited for: there may be room for a part only.
func (v *TimelineView) Findings(s *scene.Scene) []scene.Section {
	out := v.ofRuns.Findings(s)
	k, ok := v.At(s)
	id := v.Picked
	if ok {
		id = k.Id()
	}
	if v.Open && (ok || id.Named) {
		head, pieces := chain(s.Data(), id)
		out = append([]scene.Section{{Head: "The packet at the cursor: " + head.Text, Items: pieces}}, out...)
	}
	return out
}

// Table returns the packets of the visible part, or an error if not all of them are read.
func (*TimelineView) Table(s *scene.Scene) analysis.View {
	if s.Data().Packets == nil {
		return analysis.View{}
	}
	from, to := s.Sel.TimeRange(s.Data().Packets)
	of := s.Sel.Key()
	return s.OfEach(func(d *data.Data) analysis.View {
		var rows []trace.PacketRow
		if d.Packets != nil {
			for _, k := range d.Packets.List {
				if b := k.Begin(); b >= from && b <= to && of.Matches(&k) {
					rows = append(rows, k.Row())
				}
			}
		}
		return analysis.Records(rows, "tag", "kind", "span", "sender", "receiver", "size_bytes", "t1_ns", "t2_ns", "t3_ns", "t4_ns", "t5_ns", "t6_ns")
	})
}

// Complete returns an error if the table lacks packets of the visible part.
func (*TimelineView) Complete(s *scene.Scene) error {
	for _, d := range s.Shown() {
		if d.Packets == nil {
			continue
		}
		if from, to := s.Sel.TimeRange(d.Packets); from < d.Packets.Listed.From || to > d.Packets.Listed.To {
			return fmt.Errorf("the part from %s holds more packets than the view has read: zoom in with +, or write all with sigview export %s --to csv -o DIR",
				analysis.Period(from, to), scene.ShellQuote(d.Dir))
		}
	}
	return nil
}
