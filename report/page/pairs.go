package page

import (
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// between is what is shown of a stage of the packets from one row of nodes to another. Times are in ns.
type between struct {
	n, mean   float64
	deviation float64 // from idle nodes, or from the median pair
	half      float64 // of its 95 % interval; below 0: not known
}

// judged returns the pairs of a signature that has them, and a baseline.
func judged(s analysis.Signature, nodes int) (cells [trace.NumStages][]between, ok bool) {
	for st := range cells {
		cells[st] = make([]between, nodes*nodes)
	}
	for _, p := range s.ByPair() {
		if p.Kind != trace.AllKinds || p.First.OK || p.Class == trace.AllSizes {
			continue
		}
		for st := range trace.NumStages {
			x, s := &cells[st][int(p.Sender)*nodes+int(p.Receiver)], p.Stat(st)
			if !s.DeviationCILoNs.OK || !s.DeviationCIHiNs.OK {
				continue
			}
			ok = true
			// Sizes together: means by their packets, intervals as of independent means.
			n, half := float64(s.Count), (s.DeviationCIHiNs.Value-s.DeviationCILoNs.Value)/2
			all := x.n + n
			x.mean = (float64(x.mean*x.n) + float64(s.MeanNs.Value*n)) / all
			x.deviation = (float64(x.deviation*x.n) + float64(s.DeviationNs.Value*n)) / all
			x.half = math.Sqrt(square(x.half*x.n)+square(half*n)) / all
			x.n = all
		}
	}
	return cells, ok
}

func square(x float64) float64 { return float64(x * x) }

// intervals is half a 95 % interval in standard errors.
const intervals = 1.96

// compared returns the pairs of rows by their packets, each beside the median pair.
func (g *grid) compared() (cells [trace.NumStages][]between) {
	for st := range cells {
		var means []float64
		for i := range g.pairs {
			p := g.pairs[i][st]
			x := between{n: p.n, half: -1}
			if p.n > 0 {
				x.mean = p.ns / p.n
				means = append(means, x.mean)
			}
			if p.n > 1 {
				x.half = intervals * math.Sqrt(max(p.squares/p.n-square(x.mean), 0)/(p.n-1))
			}
			cells[st] = append(cells[st], x)
		}
		slices.Sort(means)
		for i := range cells[st] {
			if x := &cells[st][i]; x.n > 0 {
				x.deviation = x.mean - means[len(means)/2]
			}
		}
	}
	return cells
}

// addPairs adds the columns of pairs.
func addPairs(c *columns, cells [trace.NumStages][]between) {
	count := make([]int64, len(cells[0]))
	for st := range cells {
		mean, deviation, half := make([]int64, len(count)), make([]int64, len(count)), make([]int64, len(count))
		for i, x := range cells[st] {
			count[i] = max(count[i], int64(x.n))
			mean[i], deviation[i] = int64(math.Round(x.mean)), int64(math.Round(x.deviation))
			if x.n > 0 && x.half >= 0 {
				half[i] = int64(math.Round(x.half)) + 1
			}
		}
		c.add(fmt.Sprintf("pairs%d", st), delta, mean)
		c.add(fmt.Sprintf("dev%d", st), delta, deviation)
		c.add(fmt.Sprintf("half%d", st), varint, half)
	}
	c.add("pairs_n", varint, count)
}
