package page

import (
	"cmp"
	"math"
	"slices"

	"github.com/sigview/sigview/papers/judge"
)

// figure is a row with a number, relative to the published one: 1 is the published
// value, the middle of the published range, or its upper end where it begins at zero.
type figure struct {
	judge.Result
	unit       float64 // what counts as 1
	v, lo, hi  float64 // the model's median and range
	from, till float64 // published
}

// figures returns the rows with numbers that nothing set and that are not sums of those
// that rows set, by how far the model is above the published value. Numbers without a
// scale, as a published zero, are last.
func (p part) figures() (out []figure) {
	for _, r := range p.of(judge.Predicted, judge.Provoked, judge.KnownGap, judge.Miss) {
		if !r.Numeric || r.ModelledLo == nil || r.ModelledHi == nil {
			continue
		}
		f := figure{Result: r, unit: (r.Lo + r.Hi) / 2}
		if r.Lo <= 0 {
			f.unit = r.Hi
		}
		f.v, f.lo, f.hi = *r.Modelled.(*float64)/f.unit, *r.ModelledLo/f.unit, *r.ModelledHi/f.unit
		f.from, f.till = math.Max(r.Lo/f.unit, 0), r.Hi/f.unit
		out = append(out, f)
	}
	slices.SortStableFunc(out, func(a, b figure) int { return cmp.Compare(b.rank(), a.rank()) })
	return out
}

func (f figure) drawable() bool { return f.unit > 0 && !math.IsInf(f.unit, 0) }

func (f figure) rank() float64 {
	if !f.drawable() {
		return math.Inf(-1)
	}
	return f.v
}
