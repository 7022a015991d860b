package analysis

import (
	"errors"
	"math"

	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/trace"
)

// minClusters is the number of pairs of nodes from which the spread between
// pairs says how far a mean can be trusted.
const minClusters = 8

// widening is, for each class and stage, how much larger the standard error
// is than for independent packets, and its degrees of freedom.
type widening struct{ list []widen }

type widen struct {
	class  string
	stage  trace.Stage
	factor float64
	df     int64
}

func (w widening) find(class string, stage trace.Stage) (widen, bool) {
	for _, x := range w.list {
		if x.class == class && x.stage == stage {
			return x, true
		}
	}
	return widen{}, false
}

// apply widens the errors of rows that have no sums by pair of their own.
func (w widening) apply(class string, stats []trace.Stat) []trace.Stat {
	for i := range stats {
		s := &stats[i]
		if x, ok := w.find(class, s.Stage); ok && s.SENs.OK {
			setError(s, float64(s.SENs.Value*x.factor), min(s.DF, x.df))
		}
	}
	return stats
}

// cell is what one node sent another: packets and mean.
type cell struct {
	n    uint64
	mean float64
}

// cluster replaces the errors of a class by those that take the packets from
// one node to another as a cluster, where these are larger, and notes by how
// much. With S_g and n_g the sum and count of pair g, N and m those of all, and
// G the number of pairs, the variance of m is G/(G-1) · sum (S_g - n_g·m)²/N².
func (b *builder) cluster(class string, stats []trace.Stat, q histo.Query, out *widening) []trace.Stat {
	if len(stats) == 0 {
		return stats
	}
	var res [trace.NumStages][]float64
	for stage := range trace.NumStages {
		q.Stage = stage
		cells, err := b.cells(q)
		if err != nil {
			b.leaveOut(trace.Group{Tag: q.Tags[0], Kind: "spread between pairs of nodes"}, err)
			return stats
		}
		res[stage] = residuals(cells, stats[stage])
	}
	diff := make([]float64, len(res[trace.Net]))
	for i := range diff {
		diff[i] = res[trace.Net][i] - res[trace.LANai][i]
	}
	for i := range stats {
		r := diff
		if stats[i].Stage != trace.NetMinusLANai {
			r = res[stats[i].Stage]
		}
		widenBy(&stats[i], r, class, out)
	}
	return stats
}

// cells are the means of every ordered pair of nodes, sender by sender.
func (b *builder) cells(q histo.Query) ([]cell, error) {
	nodes := b.layout.Spec().Nodes
	cells := make([]cell, 0, nodes*nodes)
	for s := range nodes {
		for r := range nodes {
			m, err := b.snap.Pair(histo.Pair{Sender: s, Receiver: r}, q)
			if err != nil {
				return nil, err
			}
			cells = append(cells, cell{m.Count, m.MeanNs})
		}
	}
	return cells, nil
}

// residuals gives each pair's share in the error of the mean; NaN for a pair
// that exchanged nothing.
func residuals(cells []cell, s trace.Stat) []float64 {
	out := make([]float64, len(cells))
	for i, c := range cells {
		if c.n == 0 {
			out[i] = math.NaN()
			continue
		}
		out[i] = float64(c.n) / float64(s.Count) * (c.mean - s.MeanNs.Value)
	}
	return out
}

func widenBy(s *trace.Stat, residuals []float64, class string, out *widening) {
	var sum float64
	pairs := 0
	for _, r := range residuals {
		if !math.IsNaN(r) {
			sum += float64(r * r)
			pairs++
		}
	}
	if pairs < minClusters || !s.MeanNs.OK {
		return
	}
	g := float64(pairs)
	se := math.Sqrt(sum * g / (g - 1))
	// Where the spread of packets is not known, that between pairs stands alone
	// and says nothing about rows without pairs.
	if s.SENs.OK {
		if se <= s.SENs.Value || s.SENs.Value == 0 {
			return
		}
		out.list = append(out.list, widen{class, s.Stage, se / s.SENs.Value, int64(pairs - 1)})
	}
	setError(s, se, int64(pairs-1))
}

// pairs adds the rows of each pair of nodes, for all sizes and for each class.
func (b *builder) pairs(g trace.Group, q histo.Query) {
	type sizeClass struct {
		name string
		r    histo.Range
	}
	list := []sizeClass{{trace.AllSizes, histo.Range{}}}
	for _, c := range b.layout.Classes() {
		list = append(list, sizeClass{c.Name, c.Range})
	}
	nodes := b.layout.Spec().Nodes
	for _, c := range list {
		q.Sizes = c.r
		for sender := range nodes {
			for receiver := range nodes {
				stats, err := b.pairStats(histo.Pair{Sender: sender, Receiver: receiver}, q)
				if err != nil {
					b.leaveOut(trace.Group{Tag: g.Tag, Kind: "pairs, " + c.name}, err)
					continue
				}
				for _, s := range stats {
					b.out.Pairs = append(b.out.Pairs, trace.PairRow{
						Group: g, Class: c.name, Sender: int64(sender), Receiver: int64(receiver), Stat: s,
					})
				}
			}
		}
	}
}

const noBinsByPair = "no latency bins are kept per pair of nodes"

func (b *builder) pairStats(p histo.Pair, q histo.Query) ([]trace.Stat, error) {
	var stats []trace.Stat
	some := false
	for stage := range trace.NumStages {
		q.Stage = stage
		m, err := b.snap.Pair(p, q)
		if err != nil {
			return nil, err
		}
		s := describe(stage, m)
		percentiles(&s, func() (*histo.Distribution, error) { return nil, errors.New(noBinsByPair) })
		some = some || m.Count > 0
		stats = append(stats, s)
	}
	if !some {
		return nil, nil
	}
	return append(stats, difference(stats[trace.Net], stats[trace.LANai])), nil
}
