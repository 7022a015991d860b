package views

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// noStage is a column of a packet's bar without the packet.
const noStage = trace.Stage(255)

// packetBar returns in which stage a packet is, column by column. The injection counts as LANai or NI.
func packetBar(k *data.Packet, x chart.Axis, w int) []trace.Stage {
	bar := slices.Repeat([]trace.Stage{noStage}, w)
	for st := range trace.NumStages {
		a, b, _ := k.Stage(st)
		if st == trace.Net && k.At[3] != data.Never {
			a = k.At[3]
		}
		if a == data.Never || b == data.Never {
			continue
		}
		for q := x.Clamp(float64(a), w); q <= x.Clamp(float64(b), w); q++ {
			bar[q] = st
		}
	}
	return bar
}

// barRune returns the character of a column: in the network an arrow to the receiver.
func barRune(d *data.Data, bar []trace.Stage, q int) rune {
	switch {
	case bar[q] != trace.Net:
		return scene.Letter(d, bar[q])
	case q+1 < len(bar) && bar[q+1] == trace.Net:
		return '─'
	}
	return '▶'
}

// instants are what happens at the six instants.
var instants = [6]string{"request seen", "in SRAM", "injection begins", "injection ends", "received", "in host memory"}

// drawPacket draws all about one packet: its six instants, its way from the sender to the
// receiver, and who waited for whom.
func drawPacket(c *cell.Canvas, s *scene.Scene, k *data.Packet) {
	d := s.Data()
	text := fmt.Sprintf("Packet %d from node %d to %d: %s, %d B", k.Number, k.Sender, k.Receiver, k.Kind, k.Size)
	if k.Span != 0 {
		text += fmt.Sprintf(", of operation %d", k.Span)
	}
	c.Text(0, 0, text, cell.Accent, cell.Bold)
	for i, what := range instants {
		line := fmt.Sprintf("T%d  unknown: the record is lost", i+1)
		if k.At[i] != data.Never {
			line = fmt.Sprintf("T%d %15s %s", i+1, analysis.Instant(k.At[i]), what)
		}
		c.Sub(i%2*(c.W/2), 1+i/2, c.W/2, 1).Text(0, 0, line, cell.Plain, 0)
	}
	var parts []string
	for st := range trace.NumStages {
		if from, to, _ := k.Stage(st); from != data.Never && to != data.Never {
			parts = append(parts, d.StageName(st)+" "+analysis.Time(float64(to-from)))
		}
	}
	c.Text(0, 4, strings.Join(parts, "   "), cell.Faint, 0)
	drawWay(c.Sub(0, 5, c.W, 2), d, k)
	drawChain(c.Sub(0, 7, c.W, c.H-7), d, k.Id())
}

// drawUnlisted draws what is known of a packet that is not among those that were read one by
// one: of one that an interface makes by itself, such as an acknowledgement, no instants are
// recorded.
func drawUnlisted(c *cell.Canvas, d *data.Data, id data.PacketID) {
	word := word(&id)
	text := fmt.Sprintf("Packet %s is not among those that were read from the cursor on.", word.Get())
	if i := Actor(d, id); i != 0 {
		x := &d.Account.Actors[i]
		text = fmt.Sprintf("%s, %d B, from %s to %s.", d.Account.Name(i), x.Size, analysis.Instant(x.Begin/1000), analysis.Instant(x.End/1000))
		if x.Number < 0 {
			text += " It carries no request of a host: its six instants are not recorded."
		}
	}
	y := c.Para(0, 0, text, cell.Accent)
	drawChain(c.Sub(0, y, c.W, c.H-y), d, id)
}

// Actor returns a packet in the log of who waited for whom, 0 if there is none or if the log
// has not been read.
func Actor(d *data.Data, id data.PacketID) waits.ID {
	switch {
	case d.Account == nil || int(id.Actor) >= len(d.Account.Actors):
		return 0
	case id.Actor != 0:
		return id.Actor
	}
	return d.Account.Packet(int(id.Sender), id.Number)
}

// drawWay draws the packet at its sender and, behind an arrow, at its receiver.
func drawWay(c *cell.Canvas, d *data.Data, k *data.Packet) {
	const left = 15
	c.Text(0, 0, fmt.Sprintf("sender   %5d", k.Sender), cell.Plain, 0)
	c.Text(0, 1, fmt.Sprintf("receiver %5d", k.Receiver), cell.Plain, 0)
	w := max(c.W-left, 1)
	bar := packetBar(k, chart.Axis{Lo: float64(k.Begin()), Hi: float64(slices.Max(k.At[:]) + 1)}, w)
	for q, st := range bar {
		if st == noStage {
			continue
		}
		y := 0
		if st == trace.Net || st == trace.Dest {
			y = 1
		}
		r := barRune(d, bar, q)
		if st == trace.Net && r == '─' && (q == 0 || bar[q-1] != trace.Net) {
			r = '└'
		}
		c.Set(left+q, y, r, scene.StageLooks[st].Ink, 0)
	}
}

// drawChain lists what the packet waited for. It says so if not all of that fits.
func drawChain(c *cell.Canvas, d *data.Data, k data.PacketID) {
	head, pieces := chain(d, k)
	lines := []scene.Line{head}
	for _, p := range pieces {
		for _, l := range cell.Wrap(p, c.W-2) {
			lines = append(lines, scene.Line{Text: "  " + l, Ink: cell.Plain})
		}
	}
	for y, l := range lines[:min(len(lines), c.H)] {
		if y == c.H-1 && len(lines) > c.H {
			l = scene.Line{Text: fmt.Sprintf("… %d more lines%s", len(lines)-y, c.Keys(", w shows all")), Ink: cell.Warn}
		}
		c.Text(0, y, l.Text, l.Ink, 0)
	}
}

// chain says what a packet waited for, the longest first, each with the chain of those who waited for each other.
func chain(d *data.Data, k data.PacketID) (head scene.Line, pieces []string) {
	id := Actor(d, k)
	switch {
	case d.WaitRows() == 0:
		head = scene.Line{Text: "Who waited for whom is not in this run: run it with --trace=waits.", Ink: cell.Faint}
	case d.Broken:
		head = scene.Line{Text: "Who waited for whom cannot be read; w shows why.", Ink: cell.Warn}
	case d.Account == nil || id != 0 && !d.Account.Covers(d.Account.Actors[id].Begin, d.Account.Actors[id].End):
		head = scene.Line{Text: "Who waited for whom is being read.", Ink: cell.Accent}
	case id == 0:
		head = scene.Line{Text: "Who waited for whom has no such packet.", Ink: cell.Faint}
	default:
		return waited(d.Account, id)
	}
	return head, nil
}

func waited(a *account.Account, id waits.ID) (head scene.Line, out []string) {
	pieces := a.Waits(id)
	if len(pieces) == 0 {
		return scene.Line{Text: "It waits for nobody.", Ink: cell.Strong}, nil
	}
	for _, p := range pieces {
		out = append(out, fmt.Sprintf("%s for %s", analysis.Time(float64(p.Length())/1e3), a.ChainText(a.Chain(id, p.Begin))))
	}
	sum, length := a.Waited(id), a.Actors[id].End-a.Actors[id].Begin
	return scene.Line{Text: fmt.Sprintf("It waits %s of %s; the longest first:", analysis.Time(float64(sum)/1e3), analysis.Time(float64(length)/1e3)), Ink: cell.Strong}, out
}
