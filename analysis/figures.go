package analysis

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/trace"
)

// None is how reports and the terminal write an unknown value.
const None = "-"

// units are the units of time, each a thousand of the one before.
var units = []string{"ns", "µs", "ms", "s"}

// Time writes a time in ns in the largest unit in which it is at least 1, with four digits.
func Time(ns float64) string { return timed("%.*f %s", ns) }

// SignedTime writes a difference in ns like Time, with its sign.
func SignedTime(ns float64) string { return timed("%+.*f %s", ns) }

func timed(format string, ns float64) string {
	unit, value := UnitOf(ns)
	value = ns / value
	digits := 3
	for least := 9.9995; digits > 0 && (math.Abs(value) >= least || unit == "ns"); least *= 10 {
		digits--
	}
	return fmt.Sprintf(format, digits, value, unit)
}

// Instant writes an instant like Time, but to the nanosecond.
func Instant(ns int64) string {
	unit, length := UnitOf(float64(ns))
	return fmt.Sprintf("%.*f %s", int(math.Round(portable.Log10(length))), float64(ns)/length, unit)
}

// Period writes two instants in ns in one unit, to a thousandth of the time between them.
func Period(from, to int64) string {
	unit, length := UnitOf(float64(to))
	most := int(math.Round(portable.Log10(length)))
	digits := min(max(int(math.Ceil(portable.Log10(length/float64(max(to-from, 1)))))+3, 0), most)
	return fmt.Sprintf("%.*f to %.*f %s", digits, float64(from)/length, digits, float64(to)/length, unit)
}

// UnitOf returns the largest unit in which a time in ns is at least 1, and its length in ns.
func UnitOf(ns float64) (unit string, length float64) {
	at := 0
	for length = 1; at < len(units)-1 && math.Abs(ns) >= 999.95*length; at++ {
		length *= 1000
	}
	return units[at], length
}

// Us writes a time in ns as µs with two digits after the point, for a column or a sentence
// that names the unit. A time of 10 ms or more names its own unit.
func Us(ns trace.Opt[float64]) string { return micro("%.2f", ns) }

// SignedUs writes a difference in ns like Us, with its sign.
func SignedUs(ns trace.Opt[float64]) string { return micro("%+.2f", ns) }

func micro[N int64 | float64](format string, ns trace.Opt[N]) string {
	if !ns.OK {
		return None
	}
	return In(1e3, format, float64(ns.Value))
}

// millis writes a time in ns as ms with three digits after the point, for a column or a
// sentence that names the unit. A time of 10 s or more names its own unit.
func millis(ns float64) string { return In(1e6, "%.3f", ns) }

// In writes a time in a unit of this length. From 10,000 of it on it takes a larger one, names
// it, and writes three digits after the point.
func In(length float64, format string, ns float64) string {
	if !(math.Abs(ns) >= 1e4*length) || math.IsInf(ns, 0) {
		return fmt.Sprintf(format, ns/length)
	}
	unit, length := UnitOf(ns)
	sign, _, _ := strings.Cut(format, ".")
	return fmt.Sprintf(sign+".3f "+unit, ns/length)
}

// Beside writes a time in µs next to another one: it names its unit if that one names a larger
// one.
func Beside(first, text string) string {
	if strings.ContainsRune(strings.TrimSuffix(first, " µs"), ' ') {
		return WithUnit(text, "µs")
	}
	return text
}

// WithUnit names the unit of a time that Us, Ms and the like have written, unless they have
// named a larger one.
func WithUnit(text, unit string) string {
	if text == None || strings.ContainsRune(text, ' ') {
		return text
	}
	return text + " " + unit
}

// half writes half the width of an interval.
func half(lo, hi trace.Opt[float64]) string {
	return Us(trace.Opt[float64]{Value: (hi.Value - lo.Value) / 2, OK: lo.OK && hi.OK})
}

// Percent writes a part in per cent of a whole's absolute value, with its sign.
func Percent(part, whole trace.Opt[float64]) string {
	if !part.OK || !whole.OK || whole.Value == 0 {
		return None
	}
	return fmt.Sprintf("%+.0f%%", 100*part.Value/math.Abs(whole.Value))
}

// tenthUs writes the time of one packet in ns as µs with one digit after the
// point.
func tenthUs(ns trace.Opt[int64]) string { return micro("%.1f", ns) }

// Plural writes a number of things: "1 run", "2 runs".
func Plural[N int | int64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// PercentileUs writes a percentile in µs: to a tenth, below 1 µs to a hundredth. A bound is marked, and holds as written.
func PercentileUs(p trace.Percentile) string {
	if !p.Ns.OK {
		return None
	}
	digit := lastDigit(p.Ns.Value)
	switch over := p.Ns.Value % digit; {
	case p.LowerBound:
		p.Ns.Value -= over
	case p.UpperBound && over > 0:
		p.Ns.Value += digit - over
	}
	if p.Ns.Value < 1000 {
		return boundMark(p) + micro("%.2f", p.Ns)
	}
	return boundMark(p) + tenthUs(p.Ns)
}

// lastDigit returns the step in ns to which PercentileUs writes a percentile.
func lastDigit(ns int64) int64 {
	switch {
	case ns < 1000:
		return 10
	case ns < 1e7:
		return 100
	}
	_, length := UnitOf(float64(ns))
	return int64(length) / 1000
}

// boundMark says of which sort a bound is; it is empty for a value.
func boundMark(p trace.Percentile) string {
	switch {
	case p.LowerBound:
		return ">"
	case p.UpperBound:
		return "<"
	}
	return ""
}

// Digits writes a count with commas between groups of three digits.
func Digits(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
