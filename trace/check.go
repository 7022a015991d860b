package trace

import (
	"fmt"
	"math"
	"reflect"
	"sync"
	"unsafe"

	"github.com/sigview/sigview/internal/bounds"
)

// Conditions are what has to hold between the fields of a row. They come after the limits of its
// columns, which stand in the tags of its fields:
//
//   - range:"0.." of numbers, in the language of package bounds;
//   - named:"yes" of texts: not empty.
//
// Numbers that are not integers are finite. A null is within all limits.
type Conditions interface {
	// Conditions returns an error that names the fields, their values and what was wanted.
	Conditions() error
}

// CheckRow checks the limits of a row's columns, and then its conditions. The error names the
// column, its value and what was wanted.
func CheckRow[R Row](row *R) error { return check(row, limitsOf[R]()) }

// CheckRows checks every row. The error names the first wrong one, counted from 1.
func CheckRows[R Row](rows []R) error {
	limits := limitsOf[R]()
	for i := range rows {
		if err := check(&rows[i], limits); err != nil {
			return fmt.Errorf("%s: row %d: %w", rows[i].TableName(), i+1, err)
		}
	}
	return nil
}

func check[R Row](row *R, limits []limit) error {
	for i := range limits {
		l := &limits[i]
		if !l.allows(unsafe.Add(unsafe.Pointer(row), l.Offset())) {
			return l.wrong(reflect.ValueOf(row).Elem())
		}
	}
	if c, ok := any(row).(Conditions); ok {
		return c.Conditions()
	}
	return nil
}

// limit is what the values of a column may be.
type limit struct {
	Column
	in     bounds.Range
	lo, hi int64 // of integers: the ends, which are allowed
}

// limitsByType keeps what limitsOf returns.
var limitsByType sync.Map // by reflect.Type

// limitsOf returns the limits of a row type's columns.
func limitsOf[R Row]() []limit {
	t := reflect.TypeFor[R]()
	if known, ok := limitsByType.Load(t); ok {
		return known.([]limit)
	}
	var out []limit
	for _, c := range Columns[R]() {
		if l, ok := limitOf(c, t.FieldByIndex(c.index).Tag); ok {
			out = append(out, l)
		}
	}
	limitsByType.Store(t, out)
	return out
}

func limitOf(c Column, tag reflect.StructTag) (l limit, ok bool) {
	l = limit{Column: c, lo: math.MinInt64, hi: math.MaxInt64}
	l.in, ok = bounds.Field{Tag: tag}.Range()
	switch {
	case c.Type == Int && ok:
		if c.field.Kind() == reflect.Int {
			panic(fmt.Sprintf("trace: column %s: range of an int, whose size differs, want int64", c.Name))
		}
		if len(l.in.Spans) != 1 || l.in.Pow2 {
			panic(fmt.Sprintf("trace: column %s: range of several spans", c.Name))
		}
		if s := l.in.Spans[0]; !math.IsInf(s.Lo, 0) {
			l.lo = int64(s.Lo)
		}
		if s := l.in.Spans[0]; !math.IsInf(s.Hi, 0) {
			l.hi = int64(s.Hi)
		}
	case c.Type == Float:
		ok = true
	case c.Type == Text:
		ok = tag.Get("named") != ""
	}
	return l, ok
}

// allows reports whether the value of the column's field at an address is within the limit.
func (l *limit) allows(at unsafe.Pointer) bool {
	switch {
	case l.Type == Int && l.Nullable:
		v := (*Opt[int64])(at)
		return !v.OK || l.lo <= v.Value && v.Value <= l.hi
	case l.Type == Int:
		v := *(*int64)(at)
		return l.lo <= v && v <= l.hi
	case l.Type == Float && l.Nullable:
		v := (*Opt[float64])(at)
		return !v.OK || l.holds(v.Value)
	case l.Type == Float:
		return l.holds(*(*float64)(at))
	}
	return *(*string)(at) != ""
}

func (l *limit) holds(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (len(l.in.Spans) == 0 || l.in.Contains(v))
}

// wrong returns the error of a row whose value is not within the limit.
func (l *limit) wrong(row reflect.Value) error {
	v := l.Get(row)
	switch {
	case l.Type == Text:
		return fmt.Errorf("%s: empty, wanted a name", l.Name)
	case l.Type == Int:
		return fmt.Errorf("%s: %d, wanted %v", l.Name, v.I, l.in)
	case len(l.in.Spans) > 0 && !math.IsInf(v.F, 0) && !math.IsNaN(v.F):
		return fmt.Errorf("%s: %v, wanted %v", l.Name, v.F, l.in)
	}
	return fmt.Errorf("%s: %v, wanted a finite number or null", l.Name, v.F)
}
