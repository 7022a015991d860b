package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// noStage is a column of a packet's bar without the packet.
const noStage = trace.Stage(255)

// packetBar returns in which stage a packet is, column by column. The injection counts as LANai.
func packetBar(k *packet, x chart.Axis, w int) []trace.Stage {
	bar := slices.Repeat([]trace.Stage{noStage}, w)
	for st := range trace.NumStages {
		a, b, _ := k.stage(st)
		if st == trace.Net && k.at[3] != never {
			a = k.at[3]
		}
		if a == never || b == never {
			continue
		}
		for q := x.Clamp(float64(a), w); q <= x.Clamp(float64(b), w); q++ {
			bar[q] = st
		}
	}
	return bar
}

// barRune returns the character of a column: in the network an arrow to the receiver.
func barRune(bar []trace.Stage, q int) rune {
	switch {
	case bar[q] != trace.Net:
		return stageLooks[bar[q]].Letter
	case q+1 < len(bar) && bar[q+1] == trace.Net:
		return '─'
	}
	return '▶'
}

// instants are what happens at the six instants.
var instants = [6]string{"request seen", "in SRAM", "injection begins", "injection ends", "received", "in host memory"}

// drawPacket draws all about one packet: its six instants, its way from the sender to the
// receiver, and who waited for whom.
func drawPacket(c *cell.Canvas, s *Scene, k *packet) {
	d := s.data()
	text := fmt.Sprintf("Packet %d from node %d to %d: %s, %d B", k.number, k.sender, k.receiver, k.kind, k.size)
	if k.span != 0 {
		text += fmt.Sprintf(", of operation %d", k.span)
	}
	c.Text(0, 0, text, cell.Accent, cell.Bold)
	for i, what := range instants {
		line := fmt.Sprintf("T%d  unknown: the record is lost", i+1)
		if k.at[i] != never {
			line = fmt.Sprintf("T%d %15s %s", i+1, analysis.Instant(k.at[i]), what)
		}
		c.Sub(i%2*(c.W/2), 1+i/2, c.W/2, 1).Text(0, 0, line, cell.Plain, 0)
	}
	var parts []string
	for st := range trace.NumStages {
		if from, to, _ := k.stage(st); from != never && to != never {
			parts = append(parts, analysis.StageName(st)+" "+analysis.Time(float64(to-from)))
		}
	}
	c.Text(0, 4, strings.Join(parts, "   "), cell.Faint, 0)
	drawWay(c.Sub(0, 5, c.W, 2), k)
	drawChain(c.Sub(0, 7, c.W, c.H-7), d, k.id())
}

// drawUnlisted draws what is known of a packet that is not among those that were read one by
// one: of one that an interface makes by itself, such as an acknowledgement, no instants are
// recorded.
func drawUnlisted(c *cell.Canvas, d *Data, id packetID) {
	word := id.word()
	text := fmt.Sprintf("Packet %s is not among those that were read from the cursor on.", word.get())
	if i := d.actor(id); i != 0 {
		x := &d.account.Actors[i]
		text = fmt.Sprintf("%s, %d B, from %s to %s.", d.account.Name(i), x.Size, analysis.Instant(x.Begin/1000), analysis.Instant(x.End/1000))
		if x.Number < 0 {
			text += " It carries no request of a host: its six instants are not recorded."
		}
	}
	y := c.Para(0, 0, text, cell.Accent)
	drawChain(c.Sub(0, y, c.W, c.H-y), d, id)
}

// actor returns a packet in the log of who waited for whom, 0 if there is none or if the log
// has not been read.
func (d *Data) actor(id packetID) waits.ID {
	switch {
	case d.account == nil || int(id.actor) >= len(d.account.Actors):
		return 0
	case id.actor != 0:
		return id.actor
	}
	return d.account.Packet(int(id.sender), id.number)
}

// drawWay draws the packet at its sender and, behind an arrow, at its receiver.
func drawWay(c *cell.Canvas, k *packet) {
	const left = 15
	c.Text(0, 0, fmt.Sprintf("sender   %5d", k.sender), cell.Plain, 0)
	c.Text(0, 1, fmt.Sprintf("receiver %5d", k.receiver), cell.Plain, 0)
	w := max(c.W-left, 1)
	bar := packetBar(k, chart.Axis{Lo: float64(k.begin()), Hi: float64(slices.Max(k.at[:]) + 1)}, w)
	for q, st := range bar {
		if st == noStage {
			continue
		}
		y := 0
		if st == trace.Net || st == trace.Dest {
			y = 1
		}
		r := barRune(bar, q)
		if st == trace.Net && r == '─' && (q == 0 || bar[q-1] != trace.Net) {
			r = '└'
		}
		c.Set(left+q, y, r, stageLooks[st].Ink, 0)
	}
}

// drawChain lists what the packet waited for, the longest first, each with the chain of those
// who waited for each other.
func drawChain(c *cell.Canvas, d *Data, k packetID) {
	switch {
	case d.waitRows() == 0:
		c.Para(0, 0, "Who waited for whom is not in this run: run it with --trace=waits.", cell.Faint)
		return
	case d.broken:
		c.Text(0, 0, "Who waited for whom cannot be read; w shows why.", cell.Warn, 0)
		return
	case d.account == nil:
		c.Text(0, 0, "Who waited for whom is being read.", cell.Accent, 0)
		return
	}
	id := d.actor(k)
	if id == 0 {
		c.Text(0, 0, "Who waited for whom has no such packet.", cell.Faint, 0)
		return
	}
	x := &d.account.Actors[id]
	if !d.account.Covers(x.Begin, x.End) {
		c.Text(0, 0, "Who waited for whom is being read.", cell.Accent, 0)
		return
	}
	var pieces []account.Piece
	sum := int64(0)
	for _, p := range d.account.Of(id) {
		if p.What == waits.Waiting {
			pieces, sum = append(pieces, p), sum+p.Length()
		}
	}
	slices.SortStableFunc(pieces, func(a, b account.Piece) int { return int(min(max(b.Length()-a.Length(), -1), 1)) })
	if len(pieces) == 0 {
		c.Text(0, 0, "It waits for nobody.", cell.Strong, 0)
		return
	}
	c.Text(0, 0, fmt.Sprintf("It waits %s of %s; the longest first:", analysis.Time(float64(sum)/1e3), analysis.Time(float64(x.End-x.Begin)/1e3)), cell.Strong, 0)
	y := 1
	for _, p := range pieces {
		if y >= c.H {
			break
		}
		y = c.Para(2, y, fmt.Sprintf("%s for %s", analysis.Time(float64(p.Length())/1e3), chainText(d.account, d.account.Chain(id, p.Begin))), cell.Plain)
	}
}

// chainText writes a chain, without the actor that it begins with.
func chainText(a *account.Account, chain []account.Link) string {
	words := func(p account.Piece) string { return strings.ReplaceAll(p.Resource.String(), "_", " ") }
	text := fmt.Sprintf("%s of node %d", words(chain[0].Piece), chain[0].Instance)
	if chain[0].Resource == waits.Port {
		text = fmt.Sprintf("port of channel %d", chain[0].Instance)
	}
	for _, l := range chain[1:] {
		text += " ← " + a.Name(l.Actor)
		switch {
		case l.Length() == 0:
		case l.What == waits.Waiting:
			text += ", which waits for " + words(l.Piece)
		case l.What == waits.Service:
			text += ", at " + words(l.Piece)
		default:
			text += ", idle"
		}
	}
	return text
}
