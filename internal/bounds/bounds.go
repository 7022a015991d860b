// Package bounds holds the numbers of a specification against their ranges.
package bounds

import "fmt"

// Field is a number of a specification and the range that it may lie in.
type Field struct {
	name          string
	value, lo, hi float64
}

// Number is a field by the name that a profile has for it.
func Number[T int | int32 | int64 | uint64 | float64](name string, value T, lo, hi float64) Field {
	return Field{name, float64(value), lo, hi}
}

// Check returns an error for the first field of a section that is outside its
// range, NaN included: name, value and what was wanted.
func Check(section string, fields ...Field) error {
	for _, f := range fields {
		if !(f.value >= f.lo && f.value <= f.hi) {
			return fmt.Errorf("%s.%s is %v, want %v to %v", section, f.name, f.value, f.lo, f.hi)
		}
	}
	return nil
}
