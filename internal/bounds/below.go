package bounds

import (
	"math"
	"strconv"
)

// Below says of a rounding error below which power of ten it is. Its digits differ between
// processors, which round sums of products once or twice.
func Below(x float64) string {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	power := int(math.Floor(math.Log10(math.Abs(x)))) + 1
	return "below 1e" + strconv.Itoa(power)
}
