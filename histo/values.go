package histo

import "github.com/HdrHistogram/hdrhistogram-go"

// valueDigits is the precision of histograms of single values: three digits.
const valueDigits = 3

// Values returns the HdrHistogram of single values, in nanoseconds. Negative
// ones, which clock error can cause, count as zero.
func Values(ns []int64) *hdrhistogram.Histogram {
	top := int64(2)
	for _, v := range ns {
		top = max(top, v)
	}
	h := hdrhistogram.New(1, top, valueDigits)
	for _, v := range ns {
		if err := h.RecordValue(max(v, 0)); err != nil {
			panic("histo: " + err.Error()) // no value is above top
		}
	}
	return h
}
