package tui

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// overviewView lists what deviates, the costliest first. Enter leads to where it is to be
// seen.
type overviewView struct {
	ofRuns
	list list
}

func (*overviewView) keys() []action  { return []action{enter} }
func (v *overviewView) words() []word { return []word{v.list.word()} }

func (v *overviewView) update(s *Scene, a action) bool {
	found := s.data().deviating()
	if a != enter {
		return v.list.update(a, len(found))
	}
	if len(found) == 0 {
		s.lead(Place{View: "signature"})
		return true
	}
	s.lead(s.data().placeOf(found[v.list.at(len(found))]))
	return true
}

// deviating returns the findings above or below their baseline, the costliest first.
func (d *Data) deviating() []analysis.Finding {
	out := filter(d.Diagnosis.Findings, func(f analysis.Finding) bool { return f.Level == analysis.Above || f.Level == analysis.Below })
	slices.SortStableFunc(out, func(a, b analysis.Finding) int { return cmp.Compare(b.Cost(), a.Cost()) })
	return out
}

// finding returns the finding on the same stage of the same class, an empty one if there
// is none.
func (d *Data) finding(f analysis.Finding) analysis.Finding {
	i := slices.IndexFunc(d.Diagnosis.Findings, func(g analysis.Finding) bool {
		return g.Tag == f.Tag && g.Class == f.Class && g.Stage == f.Stage
	})
	if i < 0 {
		return analysis.Finding{}
	}
	return d.Diagnosis.Findings[i]
}

// placeOf returns where a finding is to be seen: its stage at the size whose deviation
// costs the packets of its class most.
func (d *Data) placeOf(f analysis.Finding) Place {
	classes := sizesOf(d.Signature)
	best, most := int64(maxBytes), -1.0
	for _, p := range d.bins[trace.Group{Tag: f.Tag, Kind: trace.AllKinds}] {
		of := classes[f.Class]
		if x := p.Stat(f.Stage); p.SizeHiBytes > of.SizeLoBytes && p.SizeHiBytes <= of.SizeHiBytes && x.DeviationNs.OK {
			change := analysis.Change{DiffNs: x.DeviationNs, CountB: x.Count}
			if change.Cost() > most {
				best, most = p.SizeHiBytes, change.Cost()
			}
		}
	}
	return Place{"signature", fmt.Sprintf("tag=%d stage=%s size=%d", f.Tag, f.Stage, best)}
}

func (v *overviewView) draw(c *cell.Canvas, s *Scene) {
	d := s.data()
	y := 0
	if len(d.Diagnosis.Summary) > 0 {
		y = c.Para(0, 0, d.Diagnosis.Summary[0], cell.Strong) + 1
	}
	found := d.deviating()
	if len(found) == 0 {
		text := "Enter shows the signature."
		if len(d.Signature.Rows) == 0 {
			text = d.noSignature()
		}
		c.Para(1, y, text, cell.Plain)
		return
	}
	c.Text(0, y, "What deviates from the baseline, by total time over all packets; enter shows it", cell.Faint, 0)
	left := v.list.draw(c, y+1, c.H-y-1, len(found), func(i, y int, at bool) {
		f := found[i]
		_, attr := here(c, y, at)
		mark, ink := levelMark(f.Level)
		c.Set(2, y, mark, ink, cell.Bold)
		x := c.Text(4, y, fmt.Sprintf("%-9s %-13s tag %d  %10s µs %6s", analysis.StageName(f.Stage), f.Class, f.Tag,
			analysis.SignedUs(f.DiffNs), fmt.Sprintf("%+.0f%%", 100*f.Share())), cell.Plain, attr)
		if o := s.over(); o != nil {
			x = c.Text(x+2, y, fmt.Sprintf("%c other run %10s", secondMark, analysis.SignedUs(o.finding(f).DiffNs)), cell.Second, 0)
		}
		c.Text(x+2, y, analysis.Digits(f.CountB)+" packets", cell.Plain, attr)
	})
	if left > 0 {
		c.Right(c.W, c.H-1, fmt.Sprintf(" … %d more ", left), cell.Faint, 0)
	}
}

func (*overviewView) table(s *Scene) analysis.View {
	return changesView(made(s.data().deviating(), func(f analysis.Finding) analysis.Change { return f.Change }))
}
