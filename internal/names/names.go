// Package names checks names that users type: the error for an unknown name
// lists the known ones and suggests the nearest. It also holds the names of
// enumerations.
package names

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Error is a name that is not known.
type Error struct {
	What    string   // what the name is of, for example "workload"
	Name    string   // as typed
	Known   []string // in the order to be shown
	Nearest string   // empty when nothing is close
}

func (e *Error) Error() string {
	hint := ""
	if e.Nearest != "" {
		hint = fmt.Sprintf(", did you mean %q?", e.Nearest)
	}
	known := "there are none"
	if len(e.Known) > 0 {
		known = "known: " + strings.Join(e.Known, ", ")
	}
	return fmt.Sprintf("unknown %s %q%s (%s)", e.What, e.Name, hint, known)
}

// Usage marks the error as a mistake in how the program was called.
func (e *Error) Usage() bool { return true }

// Check returns nil when name is among known, and an *Error otherwise.
func Check(what, name string, known []string) error {
	if slices.Contains(known, name) {
		return nil
	}
	return &Error{What: what, Name: name, Known: slices.Clone(known), Nearest: Nearest(name, known)}
}

// Nearest returns the known name with the smallest edit distance to name, or
// "" if that distance is over a third of the known name's length; one edit is
// always allowed. A known name that starts or ends with name counts as one
// edit away. Case does not matter. Ties go to the earlier name.
func Nearest(name string, known []string) string {
	best, bestCost := "", 0
	lower := strings.ToLower(name)
	for _, k := range known {
		lk := strings.ToLower(k)
		cost := distance(lower, lk)
		if len(lower) >= 2 && (strings.HasPrefix(lk, lower) || strings.HasSuffix(lk, lower)) {
			cost = min(cost, 1)
		}
		allowed := max(1, utf8.RuneCountInString(k)/3)
		if cost <= allowed && (best == "" || cost < bestCost) {
			best, bestCost = k, cost
		}
	}
	return best
}

// distance is the optimal string alignment distance: the number of insertions,
// deletions, substitutions and swaps of neighbours.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, prev, cur := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		cur[0] = i
		for j := 1; j <= len(y); j++ {
			substitute := 1
			if x[i-1] == y[j-1] {
				substitute = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+substitute)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(y)]
}
