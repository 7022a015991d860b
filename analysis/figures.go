package analysis

import (
	"fmt"
	"math"
	"strconv"

	"github.com/sigview/sigview/trace"
)

// None is how reports and the terminal write an unknown value.
const None = "-"

// Us writes a time in ns as µs with two digits after the point.
func Us(ns trace.Opt[float64]) string { return micro("%.2f", ns) }

// SignedUs writes a difference in ns like Us, with its sign.
func SignedUs(ns trace.Opt[float64]) string { return micro("%+.2f", ns) }

func micro[N int64 | float64](format string, ns trace.Opt[N]) string {
	if !ns.OK {
		return None
	}
	return fmt.Sprintf(format, float64(ns.Value)/1000)
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

// TenthUs writes the time of one packet in ns as µs with one digit after the
// point.
func TenthUs(ns trace.Opt[int64]) string { return micro("%.1f", ns) }

// Plural writes a number of things: "1 run", "2 runs".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// PercentileUs writes a percentile like TenthUs, marked when it is a bound.
func PercentileUs(p trace.Percentile) string {
	text := TenthUs(p.Ns)
	switch {
	case !p.Ns.OK:
	case p.LowerBound:
		return ">" + text
	case p.UpperBound:
		return "<" + text
	}
	return text
}

// Digits writes a count with commas between groups of three digits.
func Digits(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
