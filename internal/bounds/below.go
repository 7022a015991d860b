package bounds

import (
	"math"
	"strconv"

	"github.com/sigview/sigview/internal/portable"
)

// Below says of a rounding error below which power of ten it is. One below least is said to be
// that, because even its power differs between processors, which round sums of products once or twice.
func Below(x, least float64) string {
	switch {
	case x == 0 || math.Abs(x) < least:
		return "below " + strconv.FormatFloat(least, 'g', -1, 64)
	case math.IsNaN(x) || math.IsInf(x, 0):
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	power := int(math.Floor(portable.Log10(math.Abs(x)))) + 1
	return "below 1e" + strconv.Itoa(power)
}
