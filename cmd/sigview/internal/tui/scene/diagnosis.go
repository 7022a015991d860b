package scene

import (
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/trace"
)

// Diagnosis returns the findings about the selected packets: those of the run if no part of
// it is selected.
func Diagnosis(s *data.Selection, d *data.Data) analysis.Diagnosis {
	whole := trace.Group{Tag: s.Tag, Kind: trace.AllKinds}
	if !s.Timed(d) && s.Group() == whole && s.Sender == data.Everyone && s.Receiver == data.Everyone && len(d.Tags) < 2 {
		return d.Diagnosis
	}
	of := d.Signature
	of.Rows, of.Classes = nil, nil
	for _, p := range Classes(s, d) {
		for _, x := range p.Stats {
			of.Classes = append(of.Classes, trace.ClassRow{Group: whole, Class: p.Class, Sizes: p.Sizes, Stat: x})
		}
	}
	return analysis.Diagnose(of, d.Facts())
}

// byClass pools packets by size into classes.
func byClass(d *data.Data, cols []analysis.Packets) (out []analysis.Packets) {
	of := data.SizesOf(d.Signature)
	for _, class := range trace.Classes() {
		p := analysis.Packets{Class: class, Real: d.Signature.Real, Sizes: of[class]}
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

// Classes returns the selected packets by size class: for a time by the trace, else as
// recorded, for nodes over all kinds, and for kinds over all nodes.
func Classes(s *data.Selection, d *data.Data) []analysis.Packets {
	if s.Timed(d) {
		return byClass(d, s.Slice(d).Cols)
	}
	if Diagnosed(s, d)&OfSender != 0 && (s.Sender != data.Everyone || s.Receiver != data.Everyone) {
		return s.OfPairs(d)
	}
	return lists.Filter(d.Signature.ByClass(), func(p analysis.Packets) bool { return p.Group == s.Group() })
}

// Diagnosed returns the settings that diagnosis obeys.
func Diagnosed(s *data.Selection, d *data.Data) Settings {
	if by := ByColumns(s, d); s.Timed(d) || s.Kind == trace.AllKinds || by&OfKind == 0 {
		return by
	}
	return OfTag | OfKind
}

// Summary returns the findings about the selected packets in words.
func Summary(s *data.Selection, d *data.Data) []string {
	out := Diagnosis(s, d).Summary
	if Diagnosed(s, d)&OfSender == 0 && (s.Sender != data.Everyone || s.Receiver != data.Everyone) {
		return slices.Insert(slices.Clone(out), 0, "Of this kind from and to all nodes, since classes of pairs are recorded over all kinds:")
	}
	return out
}
