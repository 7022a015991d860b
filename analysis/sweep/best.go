package sweep

import (
	"cmp"
	"slices"
	"strings"
)

// Best is the comparison of the layers in one combination by run time.
type Best struct {
	Where
	First  Cell
	Second *Cell // nil if there is one layer only
	// Slower is by how much the second is slower, in ns, over the seeds that both have.
	// Base is the mean of the first over these.
	Slower Estimate
	Base   float64
	// Others are the layers that are not shown to be slower than First.
	Others []string
}

// Sure reports whether the first layer is shown to be faster than each other.
func (b Best) Sure() bool { return b.Second != nil && len(b.Others) == 0 }

// Layers returns the fastest layer and those that are not shown to be slower, joined by "or". With one seed it
// is the fastest with a question mark.
func (b Best) Layers() string {
	if b.First.RunTime.N == 1 && b.Second != nil {
		return b.First.Layer + "?"
	}
	return strings.Join(append([]string{b.First.Layer}, b.Others...), " or ")
}

// Best returns the fastest layer of each combination that has several layers and a run that finished.
func (s *Sweep) Best() []Best {
	var out []Best
	for _, cells := range alike(s.Cells, func(c Cell) Where { return c.Where }) {
		if len(cells) < 2 {
			continue
		}
		ran := slices.DeleteFunc(slices.Clone(cells), func(c Cell) bool { return len(c.Runs) == 0 })
		if len(ran) == 0 {
			continue
		}
		slices.SortStableFunc(ran, func(a, b Cell) int { return cmp.Compare(a.RunTime.Value, b.RunTime.Value) })
		b := Best{Where: ran[0].Where, First: ran[0]}
		if len(ran) > 1 {
			b.Second = &ran[1]
			b.Slower, b.Base = ran[1].longer(&ran[0])
		}
		for i := range ran[1:] {
			if by, _ := ran[1+i].longer(&ran[0]); !by.Shown() || by.Value < 0 {
				b.Others = append(b.Others, ran[1+i].Layer)
			}
		}
		out = append(out, b)
	}
	return out
}
