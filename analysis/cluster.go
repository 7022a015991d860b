package analysis

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/trace"
)

// minClusters is the least number of pairs of nodes whose spread is used as the error of
// a mean.
const minClusters = 8

// widening is, for each class and stage, the factor by which the standard error exceeds
// that of independent packets, with its degrees of freedom. If pairs are kept only for
// all sizes together, it is a lower bound on the error of every class instead: the
// spread of sizes, which no single class has, would hide a factor.
type widening []widen

// widen is the entry of one class and stage.
type widen struct {
	class  string
	stage  trace.Stage
	factor float64 // on the standard error
	least  float64 // ns: least standard error; of class AllSizes only
	df     int64   // degrees of freedom
}

// apply widens the errors of rows that have no sums by pair of their own.
func (w widening) apply(class string, stats []trace.Stat) []trace.Stat {
	for i := range stats {
		s := &stats[i]
		at := slices.IndexFunc(w, func(x widen) bool { return (x.class == class || x.class == trace.AllSizes) && x.stage == s.Stage })
		if at < 0 || !s.SENs.OK {
			continue
		}
		se := float64(s.SENs.Value * w[at].factor)
		if w[at].class == trace.AllSizes {
			se = w[at].least
		}
		if w[at].class != trace.AllSizes || se > s.SENs.Value {
			setError(s, se, min(s.DF, w[at].df))
		}
	}
	return stats
}

// spread is the spread of a mean over pairs of nodes.
type spread struct {
	sum   float64 // over pairs that exchanged packets: square of (S_g - n_g·m)/N, see cluster
	pairs int
}

// add adds a pair by its (S_g - n_g·m)/N.
func (s *spread) add(residual float64) {
	s.sum += float64(residual * residual)
	s.pairs++
}

// cluster replaces the errors of a class by larger ones, which treat the packets from
// one node to another as a cluster, and records the factors. With S_g
// and n_g the sum and count of pair g, N and m the count and mean of all, and G the
// number of pairs, the variance of m is G/(G-1) · sum (S_g - n_g·m)²/N².
func (b *builder) cluster(class string, stats []trace.Stat, q histo.Query, out *widening) []trace.Stat {
	if len(stats) == 0 {
		return stats
	}
	var by [trace.NumStages + 1]spread // the last one that of Net less LANai
	err := b.snap.EachPair(q, func(_ histo.Pair, means *[trace.NumStages]histo.PairMean) {
		var residual [trace.NumStages]float64
		for stage, m := range means {
			if m.Count > 0 {
				s := &stats[stage]
				residual[stage] = float64(m.Count) / float64(s.Count) * (m.MeanNs - s.MeanNs.Value)
				by[stage].add(residual[stage])
			}
		}
		if means[trace.Net].Count > 0 && means[trace.LANai].Count > 0 {
			by[trace.NumStages].add(residual[trace.Net] - residual[trace.LANai])
		}
	})
	if err != nil {
		b.leaveOut(trace.Group{Tag: q.Tags[0], Kind: "spread between pairs of nodes"}, err)
		return stats
	}
	for i := range stats {
		widenBy(&stats[i], by[min(stats[i].Stage, trace.NumStages)], class, out)
	}
	return stats
}

// widenBy sets the standard error of a row to that over pairs if it is larger and there are enough of them, and
// records the factor. Of all sizes together it records the error only.
func widenBy(s *trace.Stat, by spread, class string, out *widening) {
	if by.pairs < minClusters || !s.MeanNs.OK {
		return
	}
	g := float64(by.pairs)
	se := math.Sqrt(by.sum * g / (g - 1))
	if class == trace.AllSizes {
		*out = append(*out, widen{class: class, stage: s.Stage, least: se, df: int64(by.pairs - 1)})
		return
	}
	// Where the spread of packets is not known, the spread between pairs is used
	// alone. It says nothing about rows without pairs.
	if s.SENs.OK {
		if se <= s.SENs.Value || s.SENs.Value == 0 {
			return
		}
		*out = append(*out, widen{class: class, stage: s.Stage, factor: se / s.SENs.Value, df: int64(by.pairs - 1)})
	}
	setError(s, se, int64(by.pairs-1))
}

// maxPairs is the largest number of pairs of nodes, of those that exchanged packets,
// that get rows of their own: that of a hundred nodes.
const maxPairs = 10_000

// pairs adds the rows of each pair of nodes, for all sizes and for each class.
func (b *builder) pairs(g trace.Group, q histo.Query) {
	list := []histo.Class{{Name: trace.AllSizes}}
	if b.layout.PairClasses() > 1 {
		list = append(list, b.layout.Classes()...)
	}
	for _, c := range list {
		q.Sizes = c.Range
		var some []histo.Pair
		pairs := 0
		err := b.snap.EachPair(q, func(p histo.Pair, _ *[trace.NumStages]histo.PairMean) {
			if pairs++; pairs <= maxPairs {
				some = append(some, p)
			}
		})
		if err == nil && pairs > maxPairs {
			err = fmt.Errorf("%d pairs of nodes, more than %d, exchanged packets; the spread between them is in all intervals", pairs, maxPairs)
			some = nil
		}
		if err != nil {
			b.leaveOut(trace.Group{Tag: g.Tag, Kind: "rows of pairs"}, err)
		}
		for _, p := range some {
			stats, err := b.pairStats(p, q)
			if err != nil {
				b.leaveOut(trace.Group{Tag: g.Tag, Kind: "rows of pairs"}, err)
				continue
			}
			for _, s := range stats {
				b.out.Pairs = append(b.out.Pairs, trace.PairRow{
					Group: g, Class: c.Name, Sender: int64(p.Sender), Receiver: int64(p.Receiver), Stat: s,
				})
			}
		}
	}
}

func (b *builder) pairStats(p histo.Pair, q histo.Query) ([]trace.Stat, error) {
	return stagesOf(q,
		func(q histo.Query) (histo.Moments, error) { return b.snap.Pair(p, q) },
		func(histo.Query) (*histo.Distribution, error) {
			return nil, errors.New("no latency bins are kept per pair of nodes")
		})
}
