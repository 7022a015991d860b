package histo

import (
	"iter"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// valueDigits is the precision of histograms of single values: three digits.
const valueDigits = 3

// Values returns the HdrHistogram of single values in nanoseconds, each as often as it is
// counted, and how many negative ones, which clock error can cause, it leaves out.
func Values(all iter.Seq2[int64, int64]) (h *hdrhistogram.Histogram, negative int64) {
	// The library wants a highest value of at least twice the lowest.
	top := int64(2)
	for ns := range all {
		top = max(top, ns)
	}
	h = hdrhistogram.New(1, top, valueDigits)
	for ns, count := range all {
		if ns < 0 {
			negative += count
		} else if err := h.RecordValues(ns, count); err != nil {
			panic("histo: " + err.Error()) // no value is above top
		}
	}
	return h, negative
}
