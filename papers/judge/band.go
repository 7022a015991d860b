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

// Band is the range that a measured value has to lie in, ends included.
type Band struct {
	Lo, Hi float64
	Rule   string // in words, as shown to the user
}

// Contains reports whether v lies in the band. NaN lies in none.
func (b Band) Contains(v float64) bool { return v >= b.Lo && v <= b.Hi }

// band returns what a numeric row accepts, by its reading and tolerance.
func (r Row) band() Band {
	if !r.Numeric {
		panic(fmt.Sprintf("judge: row %s has no number", r.ID))
	}
	switch r.Reading {
	case Range:
		return Band{r.Lo, r.Hi, "within the published range"}
	case Exact:
		d := math.Abs(r.Lo) * rounding
		return Band{r.Lo - d, r.Hi + d, "equal"}
	}
	pct := r.WithinPct
	if pct == 0 {
		pct = approxPct
	}
	d := math.Abs(r.Lo) * pct / 100
	return Band{r.Lo - d, r.Hi + d, fmt.Sprintf("within %g %%", pct)}
}

// errorPct returns how far v is from the published value, in per cent of it:
// signed, zero inside a range, measured from the nearer end outside. It is NaN
// when that end is zero or infinite.
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

// expects reports whether v is what the row, a known gap, expects. A gap in
// words expects only that the statement does not hold.
func (r Row) expects(v float64) bool {
	return !r.Numeric || math.Abs(v-r.Expected) <= math.Abs(r.Expected)*gapPct/100+rounding
}
