package analysis

import (
	"maps"
	"math"
	"slices"

	"github.com/sigview/sigview/trace"
)

// sizeClass is a size class of a program's packets.
type sizeClass struct {
	tag   trace.Tag
	class string
}

// ClockErrors returns by how much the errors of the nodes' clocks can make a mean latency
// between nodes wrong, in ns: of each size class of each program. A node's error makes
// latencies to it too long and those from it too short by the same. It counts for as many
// packets as the node gets more than it sends, or sends more, so that the mean is wrong by
// at most the sum of the nodes' bounds, each times its surplus as a share of all packets.
// Truncation of stamps to ticks is not in it: that differs from packet to packet, and so
// from run to run.
func ClockErrors(run trace.Run) func(trace.Tag, string) float64 {
	bounds, largest := clockBounds(run)
	surplus, packets := map[sizeClass]map[int64]float64{}, map[sizeClass]float64{}
	for _, r := range run.Pairs {
		if r.Kind != trace.AllKinds || r.First.OK || r.Stage != trace.Net {
			continue
		}
		p := sizeClass{r.Tag, r.Class}
		if surplus[p] == nil {
			surplus[p] = map[int64]float64{}
		}
		surplus[p][r.Receiver] += float64(r.Count)
		surplus[p][r.Sender] -= float64(r.Count)
		packets[p] += float64(r.Count)
	}
	return func(tag trace.Tag, class string) float64 {
		p := sizeClass{tag, class}
		if packets[p] == 0 {
			return 2 * largest // who sends to whom is not known
		}
		sum := 0.0
		for _, node := range slices.Sorted(maps.Keys(surplus[p])) {
			sum += float64(math.Abs(surplus[p][node]) / packets[p] * bounds(node))
		}
		return sum
	}
}

// clockBounds returns the error bound of each node's clock in the last round, and the
// largest. The coordinator's clock is the global one and has no rows. Without rows the
// median bound stands for all.
func clockBounds(run trace.Run) (of func(node int64) float64, largest float64) {
	if len(run.Clock) == 0 {
		if b := run.Manifest.Clock.MedianBoundNs; b != nil {
			largest = *b
		}
		return func(int64) float64 { return largest }, largest
	}
	last := slices.MaxFunc(run.Clock, func(a, b trace.ClockRow) int { return int(a.Round - b.Round) }).Round
	bounds := map[int64]float64{}
	for _, r := range run.Clock {
		if r.Round == last {
			bounds[r.Node] = r.BoundNs.Value
			largest = max(largest, r.BoundNs.Value)
		}
	}
	return func(node int64) float64 { return bounds[node] }, largest
}
