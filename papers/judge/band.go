package judge

import (
	"fmt"
	"math"
	"strings"
)

// singlePct is how far the model may be from a single published value.
const singlePct = 10

// exact is the relative error that counts as none.
const exact = 1e-9

// Band is what a measured value has to lie in, ends included.
type Band struct {
	Lo, Hi float64
	Rule   string // in words, as shown to the user
}

// Contains reports whether v lies in the band. NaN lies in none.
func (b Band) Contains(v float64) bool { return v >= b.Lo && v <= b.Hi }

// band returns what a numeric row accepts. A range, and a row whose note says
// BOUND, is kept as published; a single value has ten per cent to either
// side; a single value of a design row is a matter of construction and has to
// be met, unless its note says APPROX. withinPct overrides the ten per cent
// when it is positive.
func (r Row) band(withinPct float64) Band {
	switch {
	case !r.Numeric:
		panic(fmt.Sprintf("judge: row %s has no number", r.ID))
	case r.Lo != r.Hi:
		return Band{r.Lo, r.Hi, "within the published range"}
	case strings.Contains(r.Note, "BOUND"):
		return Band{math.Inf(-1), r.Hi, "below the published bound"}
	case r.Kind == Design && !strings.Contains(r.Note, "APPROX") && withinPct <= 0:
		d := math.Abs(r.Lo) * exact
		return Band{r.Lo - d, r.Hi + d, "equal"}
	}
	pct := withinPct
	if pct <= 0 {
		pct = singlePct
	}
	d := math.Abs(r.Lo) * pct / 100
	return Band{r.Lo - d, r.Hi + d, fmt.Sprintf("within %g %%", pct)}
}

// errorPct returns how far v is from the published value in per cent of it:
// signed, zero inside a range, against the nearer end outside. It is NaN when
// that end is zero or infinite.
func (r Row) errorPct(v float64) float64 {
	ref := r.Lo
	switch {
	case r.Lo != r.Hi && v >= r.Lo && v <= r.Hi:
		return 0
	case v > r.Hi:
		ref = r.Hi
	}
	if v == ref {
		return 0
	}
	if ref == 0 || math.IsInf(ref, 0) {
		return math.NaN()
	}
	return 100 * (v - ref) / math.Abs(ref)
}
