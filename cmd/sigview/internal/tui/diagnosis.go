package tui

import (
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// diagnosis returns the findings about the selected packets: those of the run if no part of
// it is selected.
func (s *Selection) diagnosis(d *Data) analysis.Diagnosis {
	whole := trace.Group{Tag: s.Tag, Kind: trace.AllKinds}
	if !s.timed(d) && s.group() == whole && s.Sender == everyone && s.Receiver == everyone && len(d.tags) < 2 {
		return d.Diagnosis
	}
	of := d.Signature
	of.Rows, of.Classes = nil, nil
	for _, p := range s.classes(d) {
		for _, x := range p.Stats {
			of.Classes = append(of.Classes, trace.ClassRow{Group: whole, Class: p.Class, Sizes: p.Sizes, Stat: x})
		}
	}
	return analysis.Diagnose(of, d.facts())
}

// byClass pools packets by size into classes.
func byClass(d *Data, cols []analysis.Packets) (out []analysis.Packets) {
	of := sizesOf(d.Signature)
	for _, class := range trace.Classes() {
		p := analysis.Packets{Class: class, Sizes: of[class]}
		for _, c := range cols {
			if c.SizeHiBytes > p.SizeLoBytes && c.SizeHiBytes <= p.SizeHiBytes {
				p.Stats = analysis.Pool(p.Stats, c.Stats)
			}
		}
		if p.Stats != nil {
			out = append(out, p)
		}
	}
	return out
}

// classes returns the selected packets by size class: for a time by the trace, else as
// recorded, for nodes over all kinds, and for kinds over all nodes.
func (s *Selection) classes(d *Data) []analysis.Packets {
	if s.timed(d) {
		return byClass(d, s.slice(d).cols)
	}
	if s.diagnosed(d)&ofSender != 0 && (s.Sender != everyone || s.Receiver != everyone) {
		return s.ofPairs(d)
	}
	return filter(d.Signature.ByClass(), func(p analysis.Packets) bool { return p.Group == s.group() })
}

// diagnosed returns the settings that diagnosis obeys.
func (s *Selection) diagnosed(d *Data) settings {
	if by := s.byColumns(d); s.timed(d) || s.Kind == trace.AllKinds || by&ofKind == 0 {
		return by
	}
	return ofTag | ofKind
}

// summary returns the findings about the selected packets in words.
func (s *Selection) summary(d *Data) []string {
	out := s.diagnosis(d).Summary
	if s.diagnosed(d)&ofSender == 0 && (s.Sender != everyone || s.Receiver != everyone) {
		return slices.Insert(slices.Clone(out), 0, "Of this kind from and to all nodes, since classes of pairs are recorded over all kinds:")
	}
	return out
}
