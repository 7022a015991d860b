package judge

import (
	"fmt"
	"math"
)

const (
	// approxPct is how far, in per cent, a value read as Approx may be from
	// the published one if the row has no tolerance of its own.
	approxPct = 10
	// gapPct is how far, in per cent, a known gap may be from its expected
	// value.
	gapPct = 10
	// rounding is the relative error that counts as none.
	rounding = 1e-9
)

// Band is the range of values that meet a row, ends included.
type Band struct {
	Lo, Hi float64
	Rule   string // in words, as shown to the user
}

// Contains reports whether v lies in the band. It is false for NaN.
func (b Band) Contains(v float64) bool { return v >= b.Lo && v <= b.Hi }

// band returns the range that a numeric row accepts, from its reading and
// tolerance. It panics for a row in words.
func (r Row) band() Band {
	if !r.Numeric {
		panic(fmt.Sprintf("judge: row %s has no number", r.ID))
	}
	switch r.Reading {
	case Range:
		return Band{r.Lo, r.Hi, "within the published range"}
	case Exact:
		d := float64(math.Abs(r.Lo) * rounding)
		return Band{r.Lo - d, r.Hi + d, "equal"}
	}
	pct := r.WithinPct
	if pct == 0 {
		pct = approxPct
	}
	d := math.Abs(r.Lo) * pct / 100
	return Band{r.Lo - d, r.Hi + d, fmt.Sprintf("within %g %%", pct)}
}

// errorPct returns the signed error of v in per cent of the published value. For
// a range it is zero inside and relative to the nearer end outside. It is NaN when
// that end is zero or infinite.
func (r Row) errorPct(v float64) float64 {
	ref := min(max(v, r.Lo), r.Hi)
	if v == ref {
		return 0
	}
	if ref == 0 || math.IsInf(ref, 0) {
		return math.NaN()
	}
	return 100 * (v - ref) / math.Abs(ref)
}

// expects reports whether v is near the expected value of the row, a known gap. It
// is true for a gap in words.
func (r Row) expects(v float64) bool {
	return !r.Numeric || math.Abs(v-r.Expected) <= math.Abs(r.Expected)*gapPct/100+rounding
}
