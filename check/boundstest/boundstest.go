// Package boundstest tests that specifications refuse numbers out of range.
package boundstest

import (
	"math"
	"reflect"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
)

// Refuses sets every number of spec, a pointer to a struct, to the nearest
// values outside the range in its tag, one at a time. It requires that each number has
// a range with two ends, and that the error of validate names the field and says what
// is wanted. It returns the number of numbers.
func Refuses(t require.TestingT, section string, spec any, validate func() error) int {
	require.NoError(t, validate())
	count := 0
	_ = bounds.Walk(section, spec, func(f bounds.Field) error {
		v := f.Value
		if _, word := v.Interface().(names.Enumeration); word || !v.CanInt() && !v.CanUint() && !v.CanFloat() {
			return nil
		}
		count++
		r, tagged := f.Range()
		require.True(t, tagged, "%s has no range", f.Path)
		old := reflect.ValueOf(v.Interface())
		for _, bad := range outside(f, r) {
			v.Set(bad)
			err := validate()
			require.Error(t, err, "%s = %v", f.Path, v)
			require.Contains(t, err.Error(), f.Path+" is ")
			require.Contains(t, err.Error(), ", want ")
		}
		v.Set(old)
		return nil
	})
	return count
}

// outside returns the values of a number's type just outside its range: at most one
// beyond each end of each span.
func outside(f bounds.Field, r bounds.Range) []reflect.Value {
	v := f.Value
	scale := 1.0 // of the number in its unit to the number itself
	probe := reflect.New(v.Type()).Elem()
	if _, measured := v.Interface().(bounds.Measured); measured {
		probe.SetInt(1)
		f.Value = probe
		scale = f.Number()
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range r.Spans {
		lo, hi = min(lo, s.Lo/scale), max(hi, s.Hi/scale)
	}
	var out []reflect.Value
	add := func(set func()) {
		set()
		out = append(out, reflect.ValueOf(probe.Interface()))
	}
	switch {
	case v.CanFloat():
		for _, x := range []float64{math.Nextafter(lo, math.Inf(-1)), math.Nextafter(hi, math.Inf(1)), math.NaN()} {
			if !r.Contains(x) {
				add(func() { probe.SetFloat(x) })
			}
		}
	case v.CanUint():
		if lo > 0 {
			add(func() { probe.SetUint(uint64(lo) - 1) })
		}
		if hi < 1<<63 {
			add(func() { probe.SetUint(uint64(hi) + 1) })
		}
	default: // a step more where the scale has rounded a limit
		below, above := int64(math.Ceil(lo))-1, int64(max(math.Floor(hi)+1, math.Nextafter(hi, math.Inf(1))))
		if lo > -1<<62 {
			if r.Contains(float64(below) * scale) {
				below--
			}
			add(func() { probe.SetInt(below) })
		}
		if hi < 1<<62 {
			if r.Contains(float64(above) * scale) {
				above++
			}
			add(func() { probe.SetInt(above) })
		}
	}
	return out
}
