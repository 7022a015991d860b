package tui

import (
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/trace"
)

// nearest returns the index of the item at the smallest distance, -1 of none.
func nearest[T any](list []T, distance func(*T) float64) int {
	best := -1
	for i := range list {
		if best < 0 || distance(&list[i]) < distance(&list[best]) {
			best = i
		}
	}
	return best
}

func far(a, b int64) float64 { return math.Abs(float64(a - b)) }

// filter returns the items that a test keeps.
func filter[T any](list []T, keep func(T) bool) []T {
	var out []T
	for _, x := range list {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

// cycle returns the value by places after one in a list, from the end to the start.
func cycle[T comparable](list []T, now T, by int) T {
	if len(list) == 0 {
		return now
	}
	i := slices.Index(list, now) + by
	return list[(i%len(list)+len(list))%len(list)]
}

// less returns b less a if both are known.
func less(b, a trace.Opt[float64]) trace.Opt[float64] {
	return trace.Opt[float64]{Value: b.Value - a.Value, OK: a.OK && b.OK}
}

// made makes something of each item of a list.
func made[T, U any](list []T, of func(T) U) []U {
	var out []U
	for _, x := range list {
		out = append(out, of(x))
	}
	return out
}

// quote quotes a text as one word of a shell's command line.
func quote(text string) string {
	if text != "" && !strings.ContainsAny(text, " \t\n'\"\\$`!*?[](){}<>|&;#~") {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
