package clock_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sigview/sigview/clock"
	"github.com/stretchr/testify/require"
)

// The harness plays a cluster's interfaces without an event queue: probes and
// data packets with random lateness, then samples of every node's clock at one
// true instant, which all must convert to the same global time.

const (
	usPs  = 1_000_000
	secPs = 1_000_000_000_000
)

// trial is one experiment.
type trial struct {
	estimator string
	nodes     int
	harsh     bool
	skewUs    float64 // planted fault: the way to node 0 is longer by this
	factor    float64 // rounds and wander this much faster than every 300 s
	rounds    int     // of the full period
	samples   int     // per round
	seed      uint64

	// Lateness of a stamp: idle up to 0.5 us, loaded exponential with this mean.
	loadUs   float64
	fromBoot bool // loaded from the first round on, not from the first full one
	packets  int  // data packets per round, each way between node 0 and another
}

// verdict is what a trial measured; times in us.
type verdict struct {
	maxPair, p99Pair   float64
	maxNode, p99Node   float64
	medianPair         float64 // of the bound
	medianNode         float64
	coverPair, covered float64 // shares of pairs and nodes within their bounds
	settled            float64 // maxPair from the fifth round at the full period on
}

func (v verdict) String() string {
	return fmt.Sprintf("pair: max %.3f settled %.3f p99 %.3f us, bound median %.3f us (%.2f of p99), covers %.4f%%; node: max %.3f p99 %.3f, bound %.3f (%.2f), covers %.4f%%",
		v.maxPair, v.settled, v.p99Pair, v.medianPair, v.medianPair/v.p99Pair, 100*v.coverPair,
		v.maxNode, v.p99Node, v.medianNode, v.medianNode/v.p99Node, 100*v.covered)
}

type harness struct {
	trial
	p     clock.Protocol
	osc   []*clock.Oscillator
	conv  []*clock.Converter
	coord *clock.Coordinator
	rng   *rand.Rand
	now   int64
	busy  bool
	full  int // rounds at the full period

	pairs, pairBounds, errors, bounds []float64
	pairsIn, in                       int
	maxPair                           float64
	settled                           float64 // maxPair without the start
}

func (tr trial) spec(node int) clock.Spec {
	s := clock.Reference(tr.seed, node)
	if tr.harsh {
		s = clock.Harsh(tr.seed, node)
	}
	return s.Accelerate(tr.factor)
}

func (tr trial) protocol() clock.Protocol {
	p := clock.Protocol{Estimator: tr.estimator, Nodes: tr.nodes, JitterPs: usPs / 2}
	p.PeriodPs = int64(300 * secPs / tr.factor)
	pair := 3_000.0
	if tr.harsh {
		pair = 100_000
	}
	s := tr.spec(0)
	return p.Assume(s, pair)
}

func newHarness(t testing.TB, tr trial) *harness {
	h := &harness{trial: tr, p: tr.protocol(), rng: rand.New(rand.NewPCG(tr.seed, 99))}
	for i := range tr.nodes {
		o, err := clock.NewOscillator(tr.spec(i))
		require.NoError(t, err)
		c, err := clock.NewConverter(h.p, i)
		require.NoError(t, err)
		h.osc, h.conv = append(h.osc, o), append(h.conv, c)
	}
	var err error
	h.coord, err = clock.NewCoordinator(h.p, h.conv[0])
	require.NoError(t, err)
	return h
}

// late returns a stamp's lateness in ps.
func (h *harness) late() int64 {
	if h.busy {
		return int64(h.rng.ExpFloat64() * h.loadUs * usPs)
	}
	return int64(h.rng.Float64() * usPs / 2)
}

const pathPs = 2 * usPs

func (h *harness) interpolate() {
	for i, c := range h.conv {
		c.Interpolate(h.osc[i].Counter(h.now))
	}
}

// wait passes time with the interpolations that keep the counts' high words,
// and each node's anchor fresh at the end.
func (h *harness) wait(until int64) {
	for until-h.now > 25*secPs {
		h.now += 25 * secPs
		h.interpolate()
	}
	h.now = until
	h.interpolate()
}

// round exchanges probes and adopts the table through the wire form.
func (h *harness) round(t testing.TB) {
	q := h.coord.Begin()
	for i := 1; i < h.nodes; i++ {
		words := h.p.AppendQuery(nil, q)
		h.coord.Queried(i, h.osc[0].Counter(h.now))
		got, err := h.p.DecodeQuery(words)
		require.NoError(t, err)
		noticed := h.now + pathPs + h.late()
		r := h.conv[i].Reply(got, h.osc[i].Counter(noticed))
		sent := noticed
		if h.estimator == clock.Filtered {
			sent += 3 * usPs
			r.Sent = h.conv[i].Extend(h.osc[i].Counter(sent))
		}
		back := sent + pathPs + int64(h.skewUs*usPs) + h.late()
		r, err = h.p.DecodeReply(h.p.AppendReply(nil, r))
		require.NoError(t, err)
		require.True(t, h.coord.Replied(r, h.osc[0].Counter(back)))
		h.now = max(h.now, back) + 5*usPs
	}
	require.Zero(t, h.coord.Outstanding())
	words := h.p.AppendTable(nil, q.Round, h.coord.End(h.osc[0].Counter(h.now)))
	h.now += 20 * usPs
	_, entries, err := h.p.DecodeTable(nil, words)
	require.NoError(t, err)
	for i, c := range h.conv {
		require.NoError(t, c.Adopt(entries, h.osc[i].Counter(h.now)))
	}
}

// data sends one data packet each way between node 0 and every other.
func (h *harness) data() {
	for i := 1; i < h.nodes; i++ {
		for _, way := range [2][2]int{{0, i}, {i, 0}} {
			from, to := way[0], way[1]
			flight := int64(h.rng.IntN(1000)) * 25_000 // words of 25 ns
			t3 := h.osc[from].Counter(h.now)
			t5 := h.osc[to].Counter(h.now + pathPs + flight + h.late())
			net, _ := h.conv[to].Latency(from, t3, t5)
			h.conv[to].Observe(from, t3, t5, net, flight*33/usPs)
		}
	}
}

// sample converts every node's register at one instant.
func (h *harness) sample() {
	us := func(sub int64) float64 { return float64(sub) / 4096 / 33 }
	at := h.conv[h.rng.IntN(h.nodes)]
	global, bound := make([]int64, h.nodes), make([]int64, h.nodes)
	low, high := int64(math.MaxInt64), int64(math.MinInt64)
	for i := range global {
		global[i], bound[i] = at.Convert(i, h.osc[i].Counter(h.now))
		e := global[i] - global[0]
		low, high = min(low, e), max(high, e)
		if i > 0 {
			h.errors = append(h.errors, math.Abs(us(e)))
			h.bounds = append(h.bounds, us(bound[i]))
			if e <= bound[i] && -e <= bound[i] {
				h.in++
			}
		}
	}
	h.maxPair = max(h.maxPair, us(high-low))
	if h.full > 4 {
		h.settled = max(h.settled, us(high-low))
	}
	for range min(h.nodes*(h.nodes-1)/2, 64) {
		i := h.rng.IntN(h.nodes)
		j := (i + 1 + h.rng.IntN(h.nodes-1)) % h.nodes
		e := global[i] - global[j]
		b := bound[i] + bound[j]
		h.pairs = append(h.pairs, math.Abs(us(e)))
		h.pairBounds = append(h.pairBounds, us(b))
		if e <= b && -e <= b {
			h.pairsIn++
		}
	}
}

func (tr trial) run(t testing.TB) verdict {
	h := newHarness(t, tr)
	h.now = 1000
	h.interpolate()
	for round := 1; h.full < tr.rounds; round++ {
		gap := h.p.Gap(uint32(round))
		if gap == h.p.PeriodPs {
			h.full++
		}
		h.busy = tr.loadUs > 0 && (tr.fromBoot || h.full > 0)
		h.round(t)
		start := h.now
		steps := max(tr.samples, tr.packets)
		for k := range steps {
			h.wait(start + gap*int64(k+1)/int64(steps+1))
			if k < tr.packets && round > 1 && h.busy {
				h.data()
			}
			if round > 1 && k%max(1, steps/tr.samples) == 0 {
				h.sample()
			}
		}
		h.wait(start + gap)
		if round > 1 {
			h.sample()
		}
	}
	require.Zero(t, h.coord.Counts())
	return h.verdict()
}

func (h *harness) verdict() verdict {
	at := func(x []float64, q float64) float64 {
		slices.Sort(x)
		return x[int(q*float64(len(x)-1))]
	}
	return verdict{
		maxPair: h.maxPair, settled: h.settled, p99Pair: at(h.pairs, 0.99), medianPair: at(h.pairBounds, 0.5),
		coverPair: float64(h.pairsIn) / float64(len(h.pairs)),
		maxNode:   at(h.errors, 1), p99Node: at(h.errors, 0.99), medianNode: at(h.bounds, 0.5),
		covered: float64(h.in) / float64(len(h.errors)),
	}
}
