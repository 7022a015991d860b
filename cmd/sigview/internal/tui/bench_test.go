package tui

import (
	"slices"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// BenchmarkPicture is what a key costs: every view on a large terminal.
func BenchmarkPicture(b *testing.B) {
	s := NewState(look(b, "dark", cell.Braille, cell.TrueColour))
	s.add(sample(b, "before", busy(2)))
	for i, v := range kinds {
		b.Run(v.name, func(b *testing.B) {
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
	p.list = slices.Repeat(p.list, keptPackets/len(p.list))
	p.Total = int64(len(p.list))
	s.add(d)
	s.Sel.Sender = 1
	for b.Loop() {
		p.slices = &sliceCache{}
		Draw(s, 200, 60)
	}
}

// BenchmarkPairs sums as many packets as are kept one by one up by their 64 senders and receivers.
func BenchmarkPairs(b *testing.B) {
	d := sample(b, "before", busy(2))
	d.nodes = 64
	p := d.Packets
	p.list = slices.Repeat(p.list, keptPackets/len(p.list))
	for i := range p.list {
		k := &p.list[i]
		k.sender, k.receiver = uint16(i*7919%64), uint16(i*104729/64%64)
	}
	sel := Selection{Tag: d.tags[0], Kind: trace.AllKinds, Sender: everyone, Receiver: everyone, Class: trace.AllSizes, FromNs: 1, ToNs: p.endNs}
	for b.Loop() {
		p.slices = &sliceCache{}
		for from := range d.nodes {
			for to := range d.nodes {
				sel.ofPair(d, from, to, trace.Net)
			}
		}
	}
}

// BenchmarkKey is a key's way through the model and to the terminal's text.
func BenchmarkKey(b *testing.B) {
	s := NewState(look(b, "dark", cell.Braille, cell.TrueColour))
	s.add(sample(b, "before", busy(2)))
	m := NewModel(b.Context(), &fakeShell{}, s, nil)
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	for b.Loop() {
		m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'s'}})
		m.View()
	}
}
