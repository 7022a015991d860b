package bounds

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Range is a set of numbers.
type Range struct {
	Spans []Span // the number lies in one of them
	Pow2  bool   // and is a power of two
	unit  string // printed after the range
}

// Span is an interval from Lo to Hi.
type Span struct {
	Lo, Hi         float64
	OpenLo, OpenHi bool // the end is excluded
	lo, hi         string
}

// Contains reports whether x is in the range. NaN never is.
func (r Range) Contains(x float64) bool {
	if r.Pow2 && x != 0 && (x < 1 || x != math.Trunc(x) || bits.OnesCount64(uint64(x)) != 1) {
		return false
	}
	return slices.ContainsFunc(r.Spans, func(s Span) bool {
		return (x > s.Lo || x == s.Lo && !s.OpenLo) && (x < s.Hi || x == s.Hi && !s.OpenHi)
	})
}

// String returns the range in words, as errors say what is wanted.
func (r Range) String() string {
	var words []string
	for _, s := range r.Spans {
		words = append(words, s.words(r.Pow2))
	}
	return strings.TrimSpace(strings.Join(words, " or ") + " " + r.unit)
}

func (s Span) words(pow2 bool) string {
	below := "at most " + s.hi
	if s.OpenHi {
		below = "below " + s.hi
	}
	switch {
	case s.lo == s.hi:
		return s.lo
	case s.lo == "":
		return below
	case s.hi == "" && s.OpenLo:
		return "more than " + s.lo
	case s.hi == "":
		return "at least " + s.lo
	case s.OpenLo:
		return "more than " + s.lo + " and " + below
	case pow2:
		return "a power of two from " + s.lo + " to " + s.hi
	case s.OpenHi:
		return s.lo + " to " + below
	}
	return s.lo + " to " + s.hi
}

// parse reads a tag. Sibling finds the numbers of other fields; when it is nil,
// ends that are fields are open.
func parse(tag string, sibling func(name string) (float64, bool)) (Range, error) {
	var r Range
	rest, pow2 := strings.CutPrefix(tag, "pow2 ")
	r.Pow2 = pow2
	spans, unit, _ := strings.Cut(rest, " ")
	r.unit = unit
	for _, text := range strings.Split(spans, "|") {
		lo, hi, isSpan := strings.Cut(text, "..")
		if !isSpan {
			hi = lo
		}
		var s Span
		lo, s.OpenLo = strings.CutSuffix(lo, "<")
		hi, s.OpenHi = strings.CutPrefix(hi, "<")
		var err error
		if s.Lo, s.lo, err = end(lo, math.Inf(-1), sibling); err != nil {
			return r, err
		}
		if s.Hi, s.hi, err = end(hi, math.Inf(1), sibling); err != nil {
			return r, err
		}
		r.Spans = append(r.Spans, s)
	}
	return r, nil
}

// end reads one end of a span, which stands for none when it is empty.
func end(text string, none float64, sibling func(string) (float64, bool)) (x float64, shown string, err error) {
	if text == "" {
		return none, "", nil
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x, text, nil
	}
	if sibling == nil {
		return none, "", nil
	}
	x, known := sibling(text)
	if !known {
		return 0, "", fmt.Errorf("%q is neither a number nor a field", text)
	}
	return x, fmt.Sprintf("%s = %v", text, x), nil
}
