package tui

import (
	"fmt"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// settings is a set of settings of the selection.
type settings uint16

const (
	ofTag settings = 1 << iota
	ofKind
	ofSender
	ofReceiver
	ofClass
	ofSize
	ofStage
	ofTime
	ofFilter
)

// ofPackets are the settings without which all packets of a program are selected.
const ofPackets = ofKind | ofSender | ofReceiver | ofTime

// claim is a setting in words.
type claim struct {
	of   settings
	text string
	set  bool // to other than what a fresh selection has
}

// claims returns the selection in words, setting by setting.
func (s *Selection) claims(d *Data) []claim {
	usual := Scene{Runs: []*Data{d}, Sel: NewSelection()}
	usual.settle()
	fresh := usual.Sel
	return []claim{
		{ofTag, fmt.Sprintf("tag %d %s", s.Tag, d.Run.Manifest.Program(s.Tag)), s.Tag != fresh.Tag},
		{ofKind, "kind " + s.kindName(), s.group() != trace.Group{Tag: s.Tag, Kind: trace.AllKinds}},
		{ofSender, "sender " + strconv.Itoa(s.Sender), s.Sender != everyone},
		{ofReceiver, "receiver " + strconv.Itoa(s.Receiver), s.Receiver != everyone},
		{ofClass, "class " + s.Class, s.Class != fresh.Class},
		{ofSize, fmt.Sprintf("at %d B", s.SizeBytes), s.SizeBytes != fresh.SizeBytes},
		{ofStage, "stage " + analysis.StageName(s.Stage), s.Stage != fresh.Stage},
		{ofTime, analysis.Period(s.FromNs, s.ToNs), s.ToNs > s.FromNs},
		{ofFilter, "/" + s.Filter, s.Filter != ""},
	}
}

// drawClaims writes the settings that a view obeys, and then those that are set without
// meaning anything in it.
func (s *Scene) drawClaims(c *cell.Canvas, x, y int, obeyed settings) {
	claims := s.Sel.claims(s.data())
	between, all := "", obeyed&ofPackets != 0
	write := func(text string, ink cell.Ink, attr cell.Attr) {
		x = c.Text(x, y, between, cell.Faint, 0)
		x = c.Text(x, y, text, ink, attr)
		between = " · "
	}
	for _, k := range claims {
		all = all && !(k.set && k.of&obeyed&ofPackets != 0)
	}
	for _, k := range claims {
		if always := k.of == ofTag || k.of == ofStage; k.of&obeyed != 0 && (k.set || always) {
			write(k.text, cell.Plain, 0)
		}
		if k.of == ofTag && all {
			write("all packets", cell.Plain, 0)
		}
	}
	for _, k := range claims {
		if k.set && k.of&obeyed == 0 {
			write(k.text, cell.Faint, cell.Strike)
			x = c.Text(x, y, ": not here", cell.Faint, 0)
		}
	}
}

// byColumns returns the settings that columns obeys.
func (s *Selection) byColumns(d *Data) settings {
	if s.timed(d) {
		return ofTag | ofKind | ofSender | ofReceiver | ofTime
	}
	if _, kinds := s.fromTrace(d); !kinds {
		return ofTag | ofSender | ofReceiver
	}
	return ofTag | ofKind | ofSender | ofReceiver
}

// byBins returns the settings that bins obeys.
func (s *Selection) byBins(d *Data) settings {
	switch {
	case s.sliced(d):
		return ofTag | ofKind | ofSender | ofReceiver | ofSize | ofTime
	case s.Kind == trace.AllKinds:
		return ofTag | ofKind | ofSize
	}
	return ofTag | ofKind
}
