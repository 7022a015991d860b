package scene

import (
	"fmt"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// Settings is a set of settings of the selection.
type Settings uint16

const (
	OfTag Settings = 1 << iota
	OfKind
	OfSender
	OfReceiver
	OfClass
	OfSize
	OfStage
	OfTime
	OfFilter
)

// ofPackets are the settings without which all packets of a program are selected.
const ofPackets = OfKind | OfSender | OfReceiver | OfTime

// Claim is a setting in words.
type Claim struct {
	Of   Settings
	Text string
	set  bool // to other than what a fresh selection has
}

// Claims returns the selection in words, setting by setting.
func Claims(s *data.Selection, d *data.Data) []Claim {
	usual := Scene{Runs: []*data.Data{d}, Sel: data.NewSelection()}
	usual.Settle()
	fresh := usual.Sel
	return []Claim{
		{OfTag, fmt.Sprintf("tag %d %s", s.Tag, d.Run.Manifest.Program(s.Tag)), s.Tag != fresh.Tag},
		{OfKind, "kind " + s.KindName(), s.Group() != trace.Group{Tag: s.Tag, Kind: trace.AllKinds}},
		{OfSender, "sender " + strconv.Itoa(s.Sender), s.Sender != data.Everyone},
		{OfReceiver, "receiver " + strconv.Itoa(s.Receiver), s.Receiver != data.Everyone},
		{OfClass, "class " + s.Class, s.Class != fresh.Class},
		{OfSize, fmt.Sprintf("at %d B", s.SizeBytes), s.SizeBytes != fresh.SizeBytes},
		{OfStage, "stage " + d.StageName(s.Stage), s.Stage != fresh.Stage},
		{OfTime, analysis.Period(s.FromNs, s.ToNs), s.ToNs > s.FromNs},
		{OfFilter, "/" + s.Filter, s.Filter != ""},
	}
}

// DrawClaims writes the settings that a view obeys, and then those that are set without
// meaning anything in it.
func (s *Scene) DrawClaims(c *cell.Canvas, x, y int, obeyed Settings) {
	claims := Claims(&s.Sel, s.Data())
	between, all := "", obeyed&ofPackets != 0
	write := func(text string, ink cell.Ink, attr cell.Attr) {
		x = c.Text(x, y, between, cell.Faint, 0)
		x = c.Text(x, y, text, ink, attr)
		between = " · "
	}
	for _, k := range claims {
		all = all && !(k.set && k.Of&obeyed&ofPackets != 0)
	}
	for _, k := range claims {
		if always := k.Of == OfTag || k.Of == OfStage; k.Of&obeyed != 0 && (k.set || always) {
			write(k.Text, cell.Plain, 0)
		}
		if k.Of == OfTag && all {
			write("all packets", cell.Plain, 0)
		}
	}
	for _, k := range claims {
		if k.set && k.Of&obeyed == 0 {
			write(k.Text, cell.Faint, cell.Strike)
			x = c.Text(x, y, ": not here", cell.Faint, 0)
		}
	}
}

// ByColumns returns the settings that columns obeys.
func ByColumns(s *data.Selection, d *data.Data) Settings {
	if s.Timed(d) {
		return OfTag | OfKind | OfSender | OfReceiver | OfTime
	}
	if _, kinds := s.FromTrace(d); !kinds {
		return OfTag | OfSender | OfReceiver
	}
	return OfTag | OfKind | OfSender | OfReceiver
}

// ByBins returns the settings that bins obeys.
func ByBins(s *data.Selection, d *data.Data) Settings {
	switch {
	case s.Sliced(d):
		return OfTag | OfKind | OfSender | OfReceiver | OfSize | OfTime
	case s.Kind == trace.AllKinds:
		return OfTag | OfKind | OfSize
	}
	return OfTag | OfKind
}
