package causal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
)

// Shift is by how much longer one sort of the critical path is in one run than in another.
type Shift struct {
	Sort
	A, B       int64  // ps
	SeeA, SeeB string // as Portion.See; empty where there is none
}

// Diff returns B less A in ps.
func (s Shift) Diff() int64 { return s.B - s.A }

// Difference says of what the difference of two run times is made.
//
// Invariant: the shifts sum to B - A.
type Difference struct {
	A, B       int64 // ps: the run times
	DirA, DirB string
	Shifts     []Shift // the largest first; none that is 0
}

// Split is the critical path of a run as it is compared with another's.
type Split struct {
	Dir      string
	Length   int64 // ps
	Phases   int   // as of Explanation
	Portions []Portion
}

// Split returns the critical path by sort.
func (e *Explanation) Split() Split {
	s := Split{e.Dir, e.Length(), e.Phases, slices.Clone(e.Portions)}
	for i := range s.Portions {
		if p := &s.Portions[i]; p.longest.Actor != 0 {
			p.See, p.longest = e.selection(p.longest), Wait{}
		}
	}
	return s
}

// Differ splits the difference of two run times along both critical paths. Phases count if both runs have as many.
func Differ(a, b Split) Difference {
	d := Difference{A: a.Length, B: b.Length, DirA: a.Dir, DirB: b.Dir}
	of := map[Sort]*Shift{}
	for i, e := range []Split{a, b} {
		for _, p := range e.Portions {
			if a.Phases != b.Phases {
				p.Phase = 0
			}
			s := entry(of, p.Sort, Shift{Sort: p.Sort})
			length, see := &s.A, &s.SeeA
			if i == 1 {
				length, see = &s.B, &s.SeeB
			}
			if *see == "" { // the longest portion comes first
				*see = p.See
			}
			*length += p.Length
		}
	}
	for _, s := range of {
		if s.Diff() != 0 {
			d.Shifts = append(d.Shifts, *s)
		}
	}
	slices.SortFunc(d.Shifts, func(x, y Shift) int {
		return cmp.Or(cmp.Compare(abs(y.Diff()), abs(x.Diff())), cmp.Compare(x.Phase, y.Phase), cmp.Compare(x.What, y.What), cmp.Compare(x.Operation, y.Operation))
	})
	return d
}

func abs(x int64) int64 { return max(x, -x) }

const (
	told     = 10 // a shift is told that is one in so many parts of the difference, or more
	mostTold = 3  // shifts at the most
)

// String says the difference in a sentence: the largest shifts, those of outliers first, and what all others come to.
func (d Difference) String() string {
	shifts := slices.Clone(d.Shifts)
	slices.SortStableFunc(shifts, func(x, y Shift) int { return trueFirst(x.Outlier, y.Outlier) })
	var parts []string
	rest := d.B - d.A
	for _, s := range shifts {
		// What the others have in common is told only if outliers leave something to explain, and nothing that is less than a finding costs.
		least := max(abs(d.B-d.A)/told, int64(material*float64(d.A)))
		if abs(rest) < least && !s.Outlier || len(parts) == mostTold {
			break
		}
		if diff := s.Diff(); abs(diff) >= least {
			parts = append(parts, fmt.Sprintf("%s %s", s.words(), signed(diff)))
			rest -= diff
		}
	}
	if len(parts) > 0 && rest != 0 {
		parts = append(parts, fmt.Sprintf("all else %s", signed(rest)))
	}
	text := fmt.Sprintf("The critical path is %s longer", span(d.B-d.A))
	if d.B < d.A {
		text = fmt.Sprintf("The critical path is %s shorter", span(d.A-d.B))
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, "; ")
	}
	return text + "."
}

// words names a shift in a sentence.
func (s Shift) words() string {
	text := s.What
	if s.Operation != "" && !s.Outlier {
		text += " in " + strings.ReplaceAll(s.Operation, "_", " ")
	}
	if s.Phase > 0 {
		text += fmt.Sprintf(" of phase %d", s.Phase)
	}
	return text
}

// signed writes a change of time, given in ps.
func signed(ps int64) string {
	return strings.Replace(analysis.SignedTime(float64(ps)/1e3), "-", "−", 1)
}

// View shows the shifts, the largest first.
func (d Difference) View() analysis.View {
	v := analysis.Tabulate(d.Shifts,
		analysis.Word("on the path", "what", func(s Shift) string { return s.What }),
		analysis.Word("operation", "operation", func(s Shift) string { return s.Operation }),
		analysis.Keyed("phase", "phase", func(s Shift) analysis.Cell {
			if s.Phase == 0 {
				return analysis.Cell{Text: "-"}
			}
			return analysis.Cell{Text: fmt.Sprint(s.Phase), Value: s.Phase}
		}),
		milliseconds("A, ms", "a_us", func(s Shift) int64 { return s.A }),
		milliseconds("B, ms", "b_us", func(s Shift) int64 { return s.B }),
		analysis.Keyed("B less A, ms", "difference_us", func(s Shift) analysis.Cell {
			return analysis.Cell{Text: fmt.Sprintf("%+.3f", float64(s.Diff())/1e9), Value: float64(s.Diff()) / 1e6}
		}),
		analysis.Hidden("select_a", func(s Shift) any { return selection(s.SeeA) }),
		analysis.Hidden("select_b", func(s Shift) any { return selection(s.SeeB) }))
	v.Title, v.Fold = "Of what the difference is made", true
	return v.Noted("Both critical paths, split by what is done or waited for, and set beside each other. The rows sum to the difference of the run times.")
}

// selection is null for none.
func selection(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// mostSeen is of how many shifts places are shown.
const mostSeen = 8

// Link returns the address of a page that shows what the timeline selects in the run of a directory.
type Link func(dir, selection string) string

// PlacesView shows the commands that show the largest shifts in both runs, each where it is longest. They lead to pages if link is not nil.
func (d Difference) PlacesView(link Link) analysis.View {
	v := analysis.View{
		Title:   "Where it is seen",
		Columns: []analysis.Column{{Name: "on the path", Left: true, Once: true}, {Name: "run", Left: true}, {Name: "command", Left: true}},
	}
	for _, s := range d.Shifts[:min(len(d.Shifts), mostSeen)] {
		for _, at := range []struct{ run, dir, see string }{{"A", d.DirA, s.SeeA}, {"B", d.DirB, s.SeeB}} {
			if at.see == "" {
				continue
			}
			command := analysis.Cell{Text: see(at.dir, at.see)}
			if link != nil {
				command.To = link(at.dir, at.see)
			}
			v.Rows = append(v.Rows, []analysis.Cell{{Text: s.words()}, {Text: at.run}, command})
		}
	}
	return v.Noted("Each shows the longest time of a part on the critical path of a run, with the packet that waits.")
}
