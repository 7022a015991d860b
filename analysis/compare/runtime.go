package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
)

// Decomposition is the difference of a program's run times, decomposed.
type Decomposition struct {
	Cell         // the whole
	Parts []Part // that sum to it but for a moment in which processes end; the largest change first
}

// Part is a part of run time, of which the program's share grows or shrinks.
type Part struct {
	Cell
	Points float64 // by how many per cent of A's run time
	Of     []Part  // stages of the packets for which it waits, the largest change first
}

// leastPoints is the change of a part, in per cent of the run time, from which it is
// mentioned.
const leastPoints = 0.5

// runTimes decomposes the difference of run times.
func runTimes(cells []Cell) (out []Decomposition) {
	part := func(c Cell) Part {
		p := Part{Cell: c}
		if s := c.Share(); s.OK {
			p.Points = 100 * s.Value
		}
		return p
	}
	largest := func(list []Part) {
		slices.SortStableFunc(list, func(a, b Part) int { return cmp.Compare(math.Abs(b.Points), math.Abs(a.Points)) })
	}
	for _, whole := range cells {
		if whole.Quantity != RunTime || whole.Where != "" {
			continue
		}
		r := Decomposition{Cell: whole}
		for _, s := range shares {
			var p Part
			for _, c := range cells {
				switch {
				case c.Program != whole.Program || c.Quantity != s.name || c.Where != "":
				case c.Kind == "":
					own := part(c)
					p.Cell, p.Points = own.Cell, own.Points
				default:
					p.Of = append(p.Of, part(c))
				}
			}
			if !p.A.OK || p.A.Value == 0 && p.B.Value == 0 {
				continue
			}
			largest(p.Of)
			r.Parts = append(r.Parts, p)
		}
		largest(r.Parts)
		out = append(out, r)
	}
	return out
}

// String says by what the run time changed: "run time +12.0%: page wait +9.1 points, of it
// Dest of page-reply +7.2; barrier wait +2.3".
func (r Decomposition) String() string {
	text := r.line()
	if r.Outcome == Unknown && r.Lo.OK {
		text += ", which cannot be told from no change"
	}
	var parts []string
	for _, p := range r.Parts {
		if math.Abs(p.Points) < leastPoints {
			continue
		}
		one := fmt.Sprintf("%s %+.1f points", of(p.Quantity).noun, p.Points)
		for _, o := range p.Of[:min(len(p.Of), 1)] {
			if o.Points*p.Points > 0 && math.Abs(o.Points) >= leastPoints {
				one += fmt.Sprintf(", of it %s of %s %+.1f", analysis.StageName(o.Stage), o.Kind, o.Points)
			}
		}
		parts = append(parts, one)
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, "; ")
	}
	return text + "."
}
