package tui

import (
	"math"
	"strconv"

	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// secondMark stands for a value of the run laid over, in cell.Second; its
// curves are lines of dots without a gap.
const secondMark = '+'

// of finds the column of the same packets.
func (c column) of(cols []column) (column, bool) {
	for _, o := range cols {
		if o.Sizes == c.Sizes && o.class == c.class {
			return o, true
		}
	}
	return column{}, false
}

// shown are the run that is looked at and the one laid over it, if any.
func (s *State) shown(d *Data) []*Data {
	if o := s.over(); o != nil {
		return []*Data{d, o}
	}
	return []*Data{d}
}

// less is the difference of two values that are known.
func less(b, a trace.Opt[float64]) trace.Opt[float64] {
	return trace.Opt[float64]{Value: b.Value - a.Value, OK: a.OK && b.OK}
}

// meanOf is a mean with the half width of its 95 % interval, were the values
// independent; none of fewer than 30 values, which need not be normal.
func meanOf(values []int64) (mean, half trace.Opt[float64]) {
	n := float64(len(values))
	if n == 0 {
		return mean, half
	}
	sum, square := 0.0, 0.0
	for _, v := range values {
		sum += float64(v)
	}
	mean = trace.Some(sum / n)
	for _, v := range values {
		off := float64(v) - mean.Value
		square += float64(off * off)
	}
	if n >= 30 {
		half = trace.Some(1.96 * math.Sqrt(square/(n-1)/n))
	}
	return mean, half
}

// secondRecord is what the run laid over has in the same place, for a file:
// packets, mean, and the difference from it.
func (s *State) secondRecord(st trace.Stat, find func(o *Data) (column, bool)) [3]string {
	o := s.over()
	if o == nil {
		return [3]string{}
	}
	col, ok := find(o)
	if !ok {
		return [3]string{"0"}
	}
	other := col.stats[st.Stage]
	return [3]string{strconv.FormatInt(other.Count, 10), cellOf(other.MeanNs), cellOf(less(st.MeanNs, other.MeanNs))}
}

// drawBaselineLevel draws a baseline's mean across a field, where there is
// nothing else.
func drawBaselineLevel(p panel, us trace.Opt[float64]) {
	at, ok := p.y.at(us.Value)
	if !us.OK || !ok {
		return
	}
	for x := 0; x < p.field.W; x += 2 {
		if p.field.At(x, p.field.H-1-at).R == ' ' {
			p.field.Set(x, p.field.H-1-at, '┄', cell.Plain, 0)
		}
	}
}
