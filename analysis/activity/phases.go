package activity

import (
	"cmp"
	"math"
	"slices"

	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/trace"
)

// Phase is a part of a run: between two barriers, or with one rate of packets.
type Phase struct {
	Number   int   // in order of time, from 1
	From, To int64 // ns
	Packets  int64 // sent meanwhile
	// Of a barrier at its end: the node that comes last, -1 without one, and how long the
	// others wait for it on average.
	Last int
	Wait int64 // ns
}

// meeting is one barrier, with the nodes that have entered it.
type meeting struct {
	nodes int
	sum   int64 // of the times at which they come
	last  int64
	node  int
}

// Barriers returns the phases of a run between the barriers of its programs. spans of each node are in order of
// time, to is the end of the run in ns. A phase ends when the last node enters a barrier. A run without
// barriers has none.
func Barriers(spans []trace.SpanRow, to int64) []Phase {
	type place struct {
		tag  trace.Tag
		node int64
	}
	count := map[place]int{}
	meetings := map[trace.Tag][]meeting{}
	for i := range spans {
		s := &spans[i]
		if s.Operation != string(trace.OpBarrier) {
			continue
		}
		at := place{s.Tag, s.Node}
		n := count[at] // the n-th barrier of each node is the same one
		count[at]++
		for len(meetings[s.Tag]) <= n {
			meetings[s.Tag] = append(meetings[s.Tag], meeting{last: math.MinInt64})
		}
		m := &meetings[s.Tag][n]
		m.nodes++
		m.sum += s.BeginNs
		if s.BeginNs > m.last {
			m.last, m.node = s.BeginNs, int(s.Node)
		}
	}
	var out []Phase
	for _, all := range meetings {
		nodes := 0
		for _, m := range all {
			nodes = max(nodes, m.nodes)
		}
		for _, m := range all {
			if m.nodes == nodes && nodes > 1 && m.last > 0 {
				out = append(out, Phase{To: m.last, Last: m.node, Wait: (int64(m.nodes)*m.last - m.sum) / int64(m.nodes-1)})
			}
		}
	}
	return numbered(out, to)
}

// numbered sorts phases by their ends, sets numbers and begins, and appends the time from the last end to the
// end of the run.
func numbered(ends []Phase, to int64) []Phase {
	if len(ends) == 0 {
		return nil
	}
	slices.SortFunc(ends, func(a, b Phase) int { return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.Last, b.Last)) })
	if ends[len(ends)-1].To < to {
		ends = append(ends, Phase{To: to, Last: -1})
	}
	from := int64(0)
	for i := range ends {
		ends[i].Number, ends[i].From = i+1, min(from, ends[i].To)
		from = ends[i].To
	}
	return ends
}

// Limits of the phases by rate. rateFactor is the least ratio of the two rates when a phase is divided.
const (
	mostRates  = 12 // phases by rate, at the most
	leastRates = 8  // windows of a phase, at least
	rateFactor = 1.5
)

// Rates returns phases of the run in each of which packets are sent at one rate. It divides the run again and
// again, each time where two rates instead of one make the counts most likely. It stops when twice the log
// likelihood ratio is at most 4·ln(windows), times the overdispersion of the counts.
func (s *Series) Rates() []Phase {
	if !s.begun {
		return nil
	}
	counts := s.all()
	sums := make([]float64, len(counts)+1)
	for i, n := range counts {
		sums[i+1] = sums[i] + float64(n)
	}
	bound := scatter(counts) * 4 * portable.Log(float64(len(counts)))
	cuts := []int{0, len(counts)}
	for len(cuts) <= mostRates {
		best, at := 0.0, 0
		for i := 1; i < len(cuts); i++ {
			if gain, k := divide(sums, cuts[i-1], cuts[i]); gain > best {
				best, at = gain, k
			}
		}
		if best <= bound {
			break
		}
		cuts = append(cuts, at)
		slices.Sort(cuts)
	}
	var out []Phase
	for i, c := range cuts[1:] {
		out = append(out, Phase{To: min(s.from+int64(c)*s.width, s.to), Last: -1, Packets: int64(sums[c] - sums[cuts[i]])})
	}
	return numbered(out, s.to)
}

// divide returns where in windows [from, to) two rates make the counts most likely, and twice the logarithm of
// the likelihood ratio: 2·(fit(from, k) + fit(k, to) − fit(from, to)), with fit = n·ln(n/windows) of Poisson
// counts. Each half has leastRates windows, and the rates differ by rateFactor. gain is 0 if there is no such
// place. sums are cumulated counts.
func divide(sums []float64, from, to int) (gain float64, at int) {
	fit := func(a, b int) float64 {
		n := sums[b] - sums[a]
		if n == 0 {
			return 0
		}
		return n * portable.Log(n/float64(b-a))
	}
	whole := fit(from, to)
	for k := from + leastRates; k <= to-leastRates; k++ {
		a, b := (sums[k]-sums[from])/float64(k-from), (sums[to]-sums[k])/float64(to-k)
		if g := 2 * (fit(from, k) + fit(k, to) - whole); g > gain && max(a, b) > rateFactor*min(a, b) {
			gain, at = g, k
		}
	}
	return gain, at
}

// scatter returns the overdispersion of the counts, from the differences of neighbours: Σ(n(i) − n(i−1))² /
// Σ(n(i) + n(i−1)). It is 1 for Poisson counts, and never less.
func scatter(counts []int64) float64 {
	var squares, sum float64
	for i := 1; i < len(counts); i++ {
		d := float64(counts[i] - counts[i-1])
		squares += float64(d * d)
		sum += float64(counts[i] + counts[i-1])
	}
	return max(squares/max(sum, 1), 1)
}

// Tally counts the packets of phases. Packets come in the order of T3.
type Tally struct {
	phases []Phase
	at     int
}

// NewTally returns a tally that adds to Packets of these phases.
func NewTally(phases []Phase) *Tally { return &Tally{phases: phases} }

// Add counts packets in the phase that contains their T3; what is later than the last phase counts in it.
func (t *Tally) Add(rows []Passage) {
	for i := range rows {
		for t.at+1 < len(t.phases) && rows[i].T3Ns.Value >= t.phases[t.at].To {
			t.at++
		}
		if t.at < len(t.phases) {
			t.phases[t.at].Packets++
		}
	}
}
