package tui

import (
	"slices"
	"testing"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// BenchmarkPicture is what a key costs: every view on a large terminal.
func BenchmarkPicture(b *testing.B) {
	s := NewState(look(b, "dark", cell.Braille, cell.TrueColour))
	s.Add(sample(b, "before", busy(2)))
	for i, v := range views.Kinds {
		b.Run(v.Name, func(b *testing.B) {
			s.show(i)
			for b.Loop() {
				Draw(s, 200, 60).ANSI(s.Look.Theme, s.Look.Depth)
			}
		})
	}
}

// BenchmarkSlice is the first picture of the packets of one sender, of as many
// as are kept one by one.
func BenchmarkSlice(b *testing.B) {
	s := NewState(look(b, "dark", cell.Braille, cell.TrueColour))
	d := sample(b, "before", busy(2))
	p := d.Packets
	p.List = slices.Repeat(p.List, data.KeptPackets/len(p.List))
	p.Total = int64(len(p.List))
	s.Add(d)
	s.Sel.Sender = 1
	for b.Loop() {
		p.Slices = &data.SliceCache{}
		Draw(s, 200, 60)
	}
}

// BenchmarkPairs sums as many packets as are kept one by one up by their 64 senders and receivers.
func BenchmarkPairs(b *testing.B) {
	d := sample(b, "before", busy(2))
	d.Nodes = 64
	p := d.Packets
	p.List = slices.Repeat(p.List, data.KeptPackets/len(p.List))
	for i := range p.List {
		k := &p.List[i]
		k.Sender, k.Receiver = uint16(i*7919%64), uint16(i*104729/64%64)
	}
	sel := data.Selection{Tag: d.Tags[0], Kind: trace.AllKinds, Sender: data.Everyone, Receiver: data.Everyone, Class: trace.AllSizes, FromNs: 1, ToNs: p.EndNs}
	for b.Loop() {
		p.Slices = &data.SliceCache{}
		for from := range d.Nodes {
			for to := range d.Nodes {
				sel.OfPair(d, from, to, trace.Net)
			}
		}
	}
}

// BenchmarkKey is a key's way through the model and to the terminal's text.
func BenchmarkKey(b *testing.B) {
	s := NewState(look(b, "dark", cell.Braille, cell.TrueColour))
	s.Add(sample(b, "before", busy(2)))
	m := NewModel(b.Context(), &fakeShell{}, s, nil)
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	for b.Loop() {
		m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'s'}})
		m.View()
	}
}
