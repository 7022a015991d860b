package experiment

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Seeds are N successive seeds. N is positive.
type Seeds struct {
	First uint64
	N     int
}

// maxSeeds is the largest number of seeds of an experiment.
const maxSeeds = 1000

// SeedsForm says how seeds are written.
var SeedsForm = fmt.Sprintf("a number of seeds or FIRST..LAST, %d seeds at most", maxSeeds)

// All returns the seeds in their order.
func (s Seeds) All() []uint64 {
	out := make([]uint64, s.N)
	for i := range out {
		out[i] = s.First + uint64(i)
	}
	return out
}

// ParseSeeds reads N, for the seeds 1 to N, or FIRST..LAST. Its errors do not say what was
// wanted: see SeedsForm.
func ParseSeeds(text string) (Seeds, error) {
	from, to, both := strings.Cut(text, "..")
	if !both {
		from, to = "1", text
	}
	first, err := strconv.ParseUint(from, 10, 64)
	last, err1 := strconv.ParseUint(to, 10, 64)
	if err = cmp.Or(err, err1); err == nil && (last < first || last-first >= maxSeeds) {
		err = fmt.Errorf("%d to %d", first, last)
	}
	return Seeds{First: first, N: int(last-first) + 1}, err
}

// CountForm says how counts are written.
const CountForm = "a positive whole number, K, M and G allowed"

// ParseCount reads a positive whole number with an optional K, M or G for powers of 1024.
func ParseCount(text string) (int64, error) {
	digits, unit := text, int64(1)
	for suffix, u := range map[string]int64{"K": 1 << 10, "M": 1 << 20, "G": 1 << 30} {
		if d, ok := strings.CutSuffix(strings.ToUpper(text), suffix); ok {
			digits, unit = d, u
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err == nil && (n <= 0 || n > math.MaxInt64/unit) {
		err = fmt.Errorf("%s is not allowed", text)
	}
	return n * unit, err
}

// String returns the seeds as ParseSeeds reads them.
func (s Seeds) String() string { return fmt.Sprintf("%d..%d", s.First, s.First+uint64(s.N)-1) }
