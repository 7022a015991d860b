package logp

import (
	"cmp"
	"fmt"
	"slices"
)

// BulkPoint is one size of bulk transfer: T is the time of one store with its
// reply, O the sender's overhead, both µs. O may be missing (N 0).
type BulkPoint struct {
	SizeBytes int  `json:"size_bytes"`
	T         Mean `json:"T_us"`
	O         Mean `json:"o_us"`
}

// Bulk is bulk transfers over sizes (Culler et al., section 4).
type Bulk []BulkPoint

// BulkResult is the figures of each size, and the lines through all.
type BulkResult struct {
	Sizes []BulkSize `json:"sizes"` // by size
	Lines
	Warnings []string `json:"warnings,omitempty"`
}

// BulkSize is the figures of one size.
type BulkSize struct {
	SizeBytes int `json:"size_bytes"`
	BulkFigures
}

// BulkFigures are the sender's overhead, the time of a transfer with its reply, and
// bytes over that time.
type BulkFigures struct {
	O         Estimate `json:"o_us"`
	T         Estimate `json:"T_us"`
	Bandwidth Estimate `json:"bandwidth_MBps"` // 10⁶ bytes per second
}

// Lines are least-squares lines over all sizes, nil with fewer than two.
type Lines struct {
	T *Line `json:"T_line,omitempty"`
	O *Line `json:"o_line,omitempty"`
}

// Line is T0 + n/Rinf with the interval of T0. T0 is an intercept, not a time:
// it is negative when the slope grows with n, and is then reported as it is.
type Line struct {
	T0Us     float64   `json:"t0_us"`
	T0LoUs   float64   `json:"t0_lo_us"`
	T0HiUs   float64   `json:"t0_hi_us"`
	Rinf     Estimate  `json:"rinf_MBps"`
	OffUs    []float64 `json:"off_us"` // measured − line, by size
	Residual Residual  `json:"residual"`
}

// Extract computes bandwidths and lines. Sizes need not be in order; points
// that cannot be used are counted in a warning.
func (b Bulk) Extract() BulkResult {
	var r BulkResult
	pts := r.usable(b)
	var nT, nO []float64
	var t, o []reading
	for _, p := range pts {
		n := float64(p.SizeBytes)
		s := BulkSize{p.SizeBytes, BulkFigures{T: p.T.Estimate("T"), O: p.O.Estimate("o")}}
		s.Bandwidth = Ratio("bandwidth", Estimate{Value: n, Lo: n, Hi: n}, s.T)
		r.Sizes = append(r.Sizes, s)
		nT, t = append(nT, n), append(t, p.T.reading())
		if s.O.OK() {
			nO, o = append(nO, n), append(o, p.O.reading())
		}
	}
	if len(t) >= 2 {
		l := newLine(nT, t, "T = T0 + n/Rinf")
		r.T = &l
		if l.T0Us < 0 {
			r.Warnings = append(r.Warnings, "T0 is negative: the slope of T grows with n")
		}
	}
	if len(o) >= 2 {
		l := newLine(nO, o, "o = o0 + n/Rinf")
		r.O = &l
	}
	return r
}

// newLine fits T0 + n/Rinf to times in µs over sizes n in bytes, as the paper does, with equal weights. Rinf is
// not identifiable unless the time grows with n by more than its error.
func newLine(n []float64, us []reading, of string) Line {
	l := fit(n, us, nil, of)
	out := Line{T0Us: l.a.v, T0LoUs: l.a.v - l.a.half, T0HiUs: l.a.v + l.a.half, OffUs: l.off, Residual: l.residual}
	// Rinf is the inverse of the slope. The slope's interval must exclude zero.
	b := l.b
	if hi := 1 / (b.v - b.half); !(hi > 0 && finite(hi)) {
		out.Rinf.Reason = "the time does not grow with n by more than its error"
	} else {
		out.Rinf = Estimate{Value: 1 / b.v, Lo: 1 / (b.v + b.half), Hi: hi}
	}
	return out
}

// usable returns the points that can be used, by size. It warns of sizes that cannot be used or are repeated.
func (r *BulkResult) usable(b Bulk) []BulkPoint {
	pts := slices.DeleteFunc(slices.Clone(b), func(p BulkPoint) bool { return p.SizeBytes < 0 || p.T.check() != "" })
	if bad := len(b) - len(pts); bad > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d sizes cannot be used: negative, or T is not a valid time", bad))
	}
	slices.SortStableFunc(pts, func(a, b BulkPoint) int { return cmp.Compare(a.SizeBytes, b.SizeBytes) })
	n := len(pts)
	pts = slices.CompactFunc(pts, func(a, b BulkPoint) bool { return a.SizeBytes == b.SizeBytes })
	if n > len(pts) {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d sizes were measured more than once; the first measurement of each is used", n-len(pts)))
	}
	return pts
}
