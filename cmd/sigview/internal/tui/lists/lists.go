// Package lists makes lists of lists, and finds items in them.
package lists

import (
	"slices"
	"strings"
)

// Map makes something of each item of a list.
func Map[T, U any](list []T, of func(T) U) []U {
	var out []U
	for _, x := range list {
		out = append(out, of(x))
	}
	return out
}

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

// Cycle returns the value by places after one in a list, from the end to the start.
func Cycle[T comparable](list []T, now T, by int) T {
	if len(list) == 0 {
		return now
	}
	i := slices.Index(list, now) + by
	return list[(i%len(list)+len(list))%len(list)]
}

// Holds reports whether a text has all of some words, in capitals or not.
func Holds(text, words string) bool {
	text = strings.ToLower(text)
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(words)), func(w string) bool { return !strings.Contains(text, w) })
}
