package peers

import (
	"math"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

const (
	slowNodes = 3 // nodes, or ways, that have to serve a size, so that one of them can differ
	// slowBeyond is how many times the usual deviation an engine is slower, at the least.
	slowBeyond = 8
	// regular is by what factor the quartiles of interrupts that take about as long each time differ at the most. Polls differ by more.
	regular = 1.25
)

// sum is service of one sort by one engine: ps, the number of packets, and the shortest one in ps.
type sum struct {
	total, count, least int64
	all                 []float64 // ps, of each interrupt; nil: of others
}

// typical returns the shortest service in ps, of interrupts that take about as long each time the upper quartile, as some find the
// processor awake; 0 of others.
func (s sum) typical() float64 {
	if len(s.all) == 0 {
		return float64(s.least)
	}
	if upper := s.quantile(4); upper <= regular*s.all[len(s.all)/4] {
		return upper
	}
	return 0
}

// quantile returns the time in ps which one in so many interrupts exceeds, and not more. It sorts them.
func (s sum) quantile(one int) float64 {
	slices.Sort(s.all)
	return s.all[len(s.all)-1-len(s.all)/one]
}

// mean returns the mean service in ps. Invariant: count is above 0.
func (s sum) mean() float64 { return float64(s.total) / float64(s.count) }

// site is an engine and the node whose it is.
type site struct {
	account.Place
	node int32
}

// interrupts is the place of interrupts at a node.
func interrupts(node int32) account.Place {
	return account.Place{Resource: waits.Event, Instance: node}
}

// into is the place of the link into a node, whose channel a log does not always name.
func into(node int32) account.Place { return account.Place{Resource: waits.Port, Instance: ^node} }

// outOf is the place of the link out of a node whose channel a log does not name.
func outOf(node int32) account.Place {
	return account.Place{Resource: waits.Port, Instance: math.MinInt32 + node}
}

// lowerMedian returns the median of a list, of an even number the lower one in the middle. It sorts the list.
func lowerMedian(list []float64) float64 {
	slices.Sort(list)
	return list[(len(list)-1)/2]
}

// threshold returns the ratio from which on one is unlike the others: from, or more if their median distance from 1 is
// large. It overwrites the list, which is not empty.
func threshold(ratios []float64, from float64) float64 {
	for i, r := range ratios {
		ratios[i] = math.Abs(r - 1)
	}
	return max(from, 1+float64(slowBeyond*lowerMedian(ratios)))
}
