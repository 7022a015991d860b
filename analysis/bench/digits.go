package bench

import (
	"strconv"

	"github.com/sigview/sigview/analysis/logp"
)

// Digits writes a time or a bandwidth in about four digits.
func Digits(v float64) string {
	digits := 3
	for least := 10.0; v >= least && digits > 0; least *= 10 {
		digits--
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}

// Figure writes an estimate with Digits, or a dash where there is none.
func Figure(e logp.Estimate) string {
	if !e.OK() {
		return "-"
	}
	return Digits(e.Value)
}
