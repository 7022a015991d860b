package views

import (
	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// waterfallLeft is the room for what the lines of a waterfall are called.
const waterfallLeft = 30

// drawOne draws one operation as a waterfall: its steps, the operations that are part of it,
// and its packets with their stages, over the selected part of the run.
// It is the n-th of a list.
func drawOne(c *cell.Canvas, s *scene.Scene, list []*spans.One, n int) {
	d, o := s.Data(), list[n-1]
	name := o.Operation
	if o.Name != "" {
		name += " " + o.Name
	}
	text := fmt.Sprintf("%d of the %d longest: %s", n, len(list), name)
	if len(list) == 1 {
		text = name
	}
	if o.Span != 0 {
		text += fmt.Sprintf(", span %d", o.Span)
	}
	c.Text(0, 0, fmt.Sprintf("%s of node %d: %s", text, o.Node, analysis.Time(float64(o.DurationNs))), cell.Strong, 0)
	from, to := s.Sel.FromNs, s.Sel.ToNs
	if to <= from {
		from, to = o.BeginNs, o.EndNs
	}
	x := chart.Axis{Lo: float64(from), Hi: float64(max(to, from+1))}
	packets, all := Of(d.Packets, o)
	lines := len(o.Steps) + len(o.Parts) + len(packets)
	room := c.H - 3
	w := waterfall{c.Sub(0, 1, c.W, room), x, 0, 0}
	if lines > room { // packets are what the operation is about: at least a third of the lines
		w.skip = min(max(len(packets), 0), max(room/3, room-len(o.Steps)-len(o.Parts)))
	}
	w.Steps(o, room, lines)
	for i := range packets {
		if w.y >= room {
			c.Right(c.W, c.H-2, fmt.Sprintf(" … %d more packets ", len(packets)-i), cell.Faint, 0)
			break
		}
		w.Packet(s, &packets[i])
	}
	if !all {
		c.Text(2, min(1+w.y, c.H-2), "Packets of other times are not read: up and down go to the time of an operation.", cell.Faint, 0)
	} else if len(packets) == 0 {
		c.Text(2, min(1+w.y, c.H-2), "No recorded packet belongs to it.", cell.Faint, 0)
	}
	c.Text(0, c.H-1, fmt.Sprintf("%s, within %s; S Source, %s, N Net, D Dest", analysis.Period(int64(x.Lo), int64(x.Hi)), analysis.Time(float64(o.BoundNs)), scene.Lettered(d, trace.LANai)), cell.Faint, 0)
	if at := s.Sel.AtNs; at > from && at < to {
		c.Set(waterfallLeft+x.Clamp(float64(at), max(c.W-waterfallLeft, 1)), c.H-2, '▲', cell.Accent, cell.Bold)
	}
}

// waterfall is lines over time.
type waterfall struct {
	*cell.Canvas
	x    chart.Axis
	y    int
	skip int // lines to keep for packets
}

// Steps draws steps and parts; those without room are counted.
func (w *waterfall) Steps(o *spans.One, room, lines int) {
	left := room
	if lines > room {
		left = room - w.skip
	}
	bars := make([]trace.SpanRow, 0, len(o.Steps)+len(o.Parts))
	for _, st := range o.Steps {
		bars = append(bars, trace.SpanRow{Operation: st.Step, Node: st.Node, BeginNs: st.BeginNs, DurationNs: st.DurationNs})
	}
	bars = append(bars, o.Parts...)
	for i, b := range bars {
		if w.y >= left-1 && i < len(bars)-1 {
			w.Text(2, w.y, fmt.Sprintf("… %d more steps", len(bars)-i), cell.Faint, 0)
			w.y++
			return
		}
		glyph, ink := '█', cell.Ink(int(cell.Source)+i%4)
		if i >= len(o.Steps) {
			glyph, ink = '▒', cell.Plain
		}
		w.Text(0, w.y, fmt.Sprintf("%-14.14s %9s  n%-2d", b.Operation, analysis.Time(float64(b.DurationNs)), b.Node), cell.Plain, 0)
		w.bar(b.BeginNs, b.BeginNs+b.DurationNs, glyph, ink, 0)
		w.y++
	}
}

// bar draws a time in the present line, if any of it is visible.
func (w *waterfall) bar(from, to int64, glyph rune, ink cell.Ink, attr cell.Attr) {
	if float64(to) < w.x.Lo || float64(from) > w.x.Hi || to < from {
		return
	}
	width := max(w.W-waterfallLeft, 1)
	for q := w.x.Clamp(float64(from), width); q <= w.x.Clamp(float64(to), width); q++ {
		w.Set(waterfallLeft+q, w.y, glyph, ink, attr)
	}
}

// Packet draws the stages of a packet.
func (w *waterfall) Packet(s *scene.Scene, k *data.Packet) {
	w.Text(0, w.y, fmt.Sprintf("%2d>%-2d %5dB %-16.16s", k.Sender, k.Receiver, k.Size, k.Kind), cell.Plain, 0)
	for st := range trace.NumStages {
		a, b, _ := k.Stage(st)
		if st == trace.Net && k.At[3] != data.Never {
			a = k.At[3] // the injection is drawn as LANai or NI
		}
		if a != data.Never && b != data.Never {
			w.bar(a, b, scene.Letter(s.Data(), st), scene.StageLooks[st].Ink, scene.BoldIf(st == s.Sel.Stage))
		}
	}
	w.y++
}

// Of returns the packets of an operation in the order of time, and whether those of its time
// have been read.
func Of(p *data.Packets, o *spans.One) (out []data.Packet, all bool) {
	for _, k := range p.List {
		if o.Span != 0 && k.Tag == o.Tag && int64(k.Span) == o.Span {
			out = append(out, k)
		}
	}
	return out, p.Listed.From <= max(o.BeginNs, 0) && p.Listed.To >= min(o.EndNs, p.EndNs)
}
