package main

import (
	"slices"
	"strings"

	"github.com/sigview/sigview/cluster/platform"
)

// section returns the table that a number stands in.
func section(n platform.Number) string { return n.Path[:strings.LastIndex(n.Path, ".")+1] }

// topTable returns the first part of a number's path.
func topTable(n platform.Number) string {
	top, _, _ := strings.Cut(n.Path, ".")
	return top
}

// grouped groups successive numbers of the same table.
func grouped(numbers []platform.Number, table func(platform.Number) string) (out [][]platform.Number) {
	for i, n := range numbers {
		if i == 0 || table(n) != table(numbers[i-1]) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], n)
	}
	return out
}

// small is the size of a group that is split into single numbers at once.
const small = 4

// parts splits a group in two, or into single numbers.
func parts(group []platform.Number) [][]platform.Number {
	if n := len(group); n > small {
		return [][]platform.Number{group[:n/2], group[n/2:]}
	}
	return slices.Collect(slices.Chunk(group, 1))
}
