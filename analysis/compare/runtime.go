package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
)

// Decomposition splits the difference of a program's run times by parts of the run time.
type Decomposition struct {
	Cell         // the whole
	Parts []Part // that sum to it but for a moment in which processes end; the largest change first
}

// Part is the difference of one part of run time, or of one stage of the packets that the part waits for.
type Part struct {
	Cell
	Points float64 // by how many per cent of A's run time
	Of     []Part  // stages of the packets for which it waits, the largest change first
}

// leastPoints is the smallest change of a part that is mentioned, in per cent of the run time.
const leastPoints = 0.5

// runTimes returns the decomposition of each program's run time. cells are all cells, those of kinds included.
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

// String returns the change of the run time and of the parts that changed most: "run time +12.0%: page wait
// +9.1 points, of it Dest of page-reply +7.2; barrier wait +2.3".
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
				one += fmt.Sprintf(", of it %s of %s %+.1f", analysis.StageName(o.Stage, o.Real), o.Kind, o.Points)
			}
		}
		parts = append(parts, one)
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, "; ")
	}
	return text + "."
}
