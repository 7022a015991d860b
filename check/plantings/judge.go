package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis/causal"
)

// shown is how many findings a user reads.
const shown = 3

// Verdict is what a list of findings says of a planting.
type Verdict struct {
	Told  bool `json:"told"`  // there are records that say who waited
	Rank  int  `json:"rank"`  // of the first finding that names it; 0: none does
	Place int  `json:"place"` // of the first finding at its place, whatever it calls it
	Cost  bool `json:"cost"`  // that one's cost is right
	// CostUs and its bounds are of the finding that names it.
	CostUs  float64  `json:"cost_us"`
	LeastUs float64  `json:"least_us"`
	MostUs  float64  `json:"most_us"`
	First   []string `json:"first"` // the first findings
}

func (k *kind) judge(all []causal.Finding, node int, addedUs float64) (v Verdict) {
	for i, f := range all {
		if i < shown {
			v.First = append(v.First, fmt.Sprintf("%s [%s, %s, at %s by %s%s%s]", f.Text, f.Cause, f.Resource, number(f.At), number(f.Node), prefixed(" ", f.Port), map[bool]string{true: ", outlier"}[f.Outlier]))
		}
		if !at(f, node) {
			continue
		}
		if v.Place == 0 {
			v.Place = i + 1
		}
		if v.Rank == 0 && k.calls(f) {
			v.Rank, v.CostUs, v.LeastUs, v.MostUs = i+1, f.CostUs, f.LeastUs, f.MostUs
			v.Cost = costs(f, addedUs)
		}
	}
	return v
}

// at reports whether a finding is about a node: its resource, who is to blame, or its link. Every finding is
// about the whole program, node -1.
func at(f causal.Finding, node int) bool {
	return node < 0 || f.At != nil && *f.At == node || f.Node != nil && *f.Node == node ||
		regexp.MustCompile(fmt.Sprintf(`\bnode ?%d\b`, node)).MatchString(f.Port)
}

// calls reports whether a finding calls the cause what a user would.
func (k *kind) calls(f causal.Finding) bool {
	if slices.Contains(k.resources, f.Resource) {
		return true
	}
	said := strings.ToLower(f.Cause + " " + f.Culprit)
	return slices.ContainsFunc(k.words, func(w string) bool { return strings.Contains(said, w) })
}

// costs reports whether a finding's cost is within a fifth of what the planting adds to the run, or bounds it.
func costs(f causal.Finding, addedUs float64) bool {
	return math.Abs(f.CostUs-addedUs) <= 0.2*addedUs || f.LeastUs <= addedUs && addedUs <= f.MostUs
}

func number(n *int) string {
	if n == nil {
		return "-"
	}
	return fmt.Sprint(*n)
}

func prefixed(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}
