package histo

import (
	"iter"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// valueDigits is the precision of histograms of single values: three digits.
const valueDigits = 3

// Values returns the HdrHistogram of single values in nanoseconds, each as often as it is
// counted. Negative ones, which clock error can cause, count as zero.
func Values(all iter.Seq2[int64, int64]) *hdrhistogram.Histogram {
	// The library wants a highest value of at least twice the lowest.
	top := int64(2)
	for ns := range all {
		top = max(top, ns)
	}
	h := hdrhistogram.New(1, top, valueDigits)
	for ns, count := range all {
		if err := h.RecordValues(max(ns, 0), count); err != nil {
			panic("histo: " + err.Error()) // no value is above top
		}
	}
	return h
}
