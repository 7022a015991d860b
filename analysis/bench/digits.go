package bench

import (
	"strconv"

	"github.com/sigview/sigview/analysis/logp"
)

// Digits writes a time or a bandwidth in about four digits.
func Digits(v float64) string {
	switch {
	case v >= 1000:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

// Figure writes an estimate with Digits, or a dash where there is none.
func Figure(e logp.Estimate) string {
	if !e.OK() {
		return "-"
	}
	return Digits(e.Value)
}
