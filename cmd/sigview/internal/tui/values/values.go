// Package values has helpers for lists and values of the views.
package values

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/trace"
)

// Nearest returns the index of the item at the smallest distance, -1 of none.
func Nearest[T any](list []T, distance func(*T) float64) int {
	best := -1
	for i := range list {
		if best < 0 || distance(&list[i]) < distance(&list[best]) {
			best = i
		}
	}
	return best
}

func Distance(a, b int64) float64 { return math.Abs(float64(a - b)) }

// Filter returns the items that a test keeps.
func Filter[T any](list []T, keep func(T) bool) []T {
	var out []T
	for _, x := range list {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

// Cycle returns the value by places after one in a list, from the end to the start.
func Cycle[T comparable](list []T, now T, by int) T {
	if len(list) == 0 {
		return now
	}
	i := slices.Index(list, now) + by
	return list[(i%len(list)+len(list))%len(list)]
}

// Minus returns b less a if both are known.
func Minus(b, a trace.Opt[float64]) trace.Opt[float64] {
	return trace.Opt[float64]{Value: b.Value - a.Value, OK: a.OK && b.OK}
}

// Map makes something of each item of a list.
func Map[T, U any](list []T, of func(T) U) []U {
	var out []U
	for _, x := range list {
		out = append(out, of(x))
	}
	return out
}

// ShellQuote quotes a text as one word of a shell's command line.
func ShellQuote(text string) string {
	if text != "" && !strings.ContainsAny(text, " \t\n'\"\\$`!*?[](){}<>|&;#~") {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// ParseNumber reads a whole number from lo to hi. The error names the text and the range.
func ParseNumber(v string, lo, hi int64) (int64, error) {
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < lo || n > hi {
		return 0, fmt.Errorf("%q is not a number from %d to %d", v, lo, hi)
	}
	return n, nil
}

// SizeLabel writes a message size or burst length.
func SizeLabel(v float64) string {
	switch n := int64(v); {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%dM", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%dK", n>>10)
	}
	return chart.Short(v)
}
