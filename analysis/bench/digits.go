package bench

import (
	"strconv"

	"github.com/sigview/sigview/analysis/logp"
)

// Digits writes a number below 10 with three decimals, and with one less for each power of ten.
func Digits(v float64) string {
	digits := 3
	for least := 10.0; v >= least && digits > 0; least *= 10 {
		digits--
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}

// Figure writes the value of an estimate with Digits, or "-" if it is not identifiable.
func Figure(e logp.Estimate) string {
	if !e.OK() {
		return "-"
	}
	return Digits(e.Value)
}
