package logp

import (
	"context"
	"fmt"
	"math"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/workloads/microbench"
)

// The machines of the LogP assessment (logp, Table 2, sections 3.4 and 5), by
// the names of their profiles.
const (
	paragon   = "paragon"
	meiko     = "meiko"
	meiko50   = "meiko50"
	myrinet   = "myrinet"
	myrinet10 = "myrinet10"
	sunRPC    = "sun-rpc"
)

// short are the machines' names in the ids of rows.
var short = map[string]string{paragon: "par", meiko: "mei", myrinet: "myr"}

// assessed are the three machines that all figures are given for.
var assessed = []string{paragon, meiko, myrinet}

// machine is a platform with a change of its profile, for counter-experiments.
type machine struct {
	name   string
	change change
}

// assessment are the measurements of these machines that rows share.
type assessment struct {
	seed uint64

	signature func(signatureKey) func(context.Context) (shape, error)
	gap       func(signatureKey) func(context.Context) (float64, error)
	trips     func(machine) func(context.Context) (trips, error)
	bulk      func(bulkKey) func(context.Context) (logp.BulkResult, error)
	steady    func(steadyKey) func(context.Context) (float64, error)
	idle      func(machine) func(context.Context) (float64, error)
}

type signatureKey struct {
	machine
	pattern microbench.Pattern
	peers   int
	bytes   int // of stores; 0: requests
}

// shape is a signature with what was found in it.
type shape struct {
	logp.Result
	points []logp.Point
}

// cost is that of bursts of m without delay, NaN when not measured.
func (s shape) cost(m int) float64 {
	for _, p := range s.points {
		if p.M == m && p.DeltaUs == 0 {
			return p.Cost.Value
		}
	}
	return math.NaN()
}

type bulkKey struct {
	machine
	most int // bytes, of powers of two
}

type steadyKey struct {
	machine
	deltaUs float64
	bytes   int // of stores; 0: requests
}

func newAssessment(seed uint64) *assessment {
	a := &assessment{seed: seed}
	a.signature = judge.Memo(a.measureSignature)
	a.gap = judge.Memo(a.measureGap)
	a.trips = judge.Memo(a.measureTrips)
	a.bulk = judge.Memo(a.measureBulk)
	a.steady = judge.Memo(a.measureSteady)
	a.idle = judge.Memo(a.measureIdle)
	return a
}

// subject is a machine's layer, to be measured.
func (a *assessment) subject(ctx context.Context, m machine) (*measure.Subject, error) {
	p, err := overlays.Place(m.name, "", string(m.change))
	if err != nil {
		return nil, err
	}
	return measure.New(ctx, p, a.seed), nil
}

func (a *assessment) measureSignature(ctx context.Context, k signatureKey) (shape, error) {
	s, err := a.subject(ctx, k.machine)
	if err != nil {
		return shape{}, err
	}
	sig, found, err := s.FindSignature(k.asked())
	return shape{found, sig.Points}, err
}

// measureGap is g alone, from the curve without delay, µs.
func (a *assessment) measureGap(ctx context.Context, k signatureKey) (float64, error) {
	s, err := a.subject(ctx, k.machine)
	if err != nil {
		return 0, err
	}
	r, err := s.Ask(k.asked())
	if err != nil {
		return 0, err
	}
	defer r.Engine.Close()
	var sig logp.Signature
	if err := r.Plain(&sig); err != nil {
		return 0, err
	}
	g := sig.Extract().G
	if !g.OK() {
		return 0, fmt.Errorf("%s, %s with %d: %s", k.name, k.pattern, k.peers, g.Reason)
	}
	return g.Value, nil
}

func (k signatureKey) asked() measure.Asked {
	q := measure.Asked{Pattern: k.pattern, Peers: k.peers}
	if k.bytes > 0 {
		q.What, q.Bytes = microbench.Store, k.bytes
	}
	return q
}

// pair is the signature of two nodes.
func (a *assessment) pair(m machine) func(context.Context) (shape, error) {
	return a.signature(signatureKey{machine: m, pattern: microbench.OneToOne, peers: 1})
}

// figures are the parameters of a signature as numbers, µs.
type figures struct{ os, or, l, g, rtt, idle float64 }

func (f figures) sum() float64 { return f.os + f.or }

func (s shape) figures() (figures, error) {
	for name, e := range map[string]logp.Estimate{"o_s": s.Os, "o_r": s.Or, "L": s.L, "g": s.G, "RTT": s.RTT} {
		if !e.OK() {
			return figures{}, fmt.Errorf("%s: %s", name, e.Reason)
		}
	}
	return figures{os: s.Os.Value, or: s.Or.Value, l: s.L.Value, g: s.G.Value, rtt: s.RTT.Value, idle: s.Idle.Value}, nil
}

// params measures the parameters of two nodes.
func (a *assessment) params(m machine) func(context.Context) (figures, error) {
	return judge.Run(func(s *judge.Session) figures {
		f, err := judge.Get(s, a.pair(m)).figures()
		if err != nil {
			s.Fail("%s, %q: %w", m.name, m.change, err)
		}
		return f
	})
}

// of is params of a machine with a change.
func (a *assessment) of(ctx context.Context, name string, c change) (figures, error) {
	return a.params(machine{name, c})(ctx)
}

// Bursts between which the steady cost is taken: both are far beyond what the
// network holds.
const (
	shortSteady = 256
	longSteady  = 512
)

// measureSteady is the cost of one more message among many, µs, with a delay.
func (a *assessment) measureSteady(ctx context.Context, k steadyKey) (float64, error) {
	s, err := a.subject(ctx, k.machine)
	if err != nil {
		return 0, err
	}
	r, err := s.Ask(signatureKey{pattern: microbench.OneToOne, peers: 1, bytes: k.bytes}.asked())
	if err != nil {
		return 0, err
	}
	defer r.Engine.Close()
	short, err := r.Point(shortSteady, k.deltaUs)
	if err != nil {
		return 0, err
	}
	long, err := r.Point(longSteady, k.deltaUs)
	return (longSteady*long.Cost.Value - shortSteady*short.Cost.Value) / (longSteady - shortSteady), err
}

// lifts is by how much more a steady cost counts as lifted.
const lifts = 0.02

// measureIdle is the longest delay, µs, that costs nothing: a delay that lifts
// the steady cost by a little, less that little.
func (a *assessment) measureIdle(ctx context.Context, m machine) (float64, error) {
	g, err := a.steady(steadyKey{machine: m})(ctx)
	if err != nil {
		return 0, err
	}
	lo, hi := 0.0, 2*g
	for range 12 {
		mid := (lo + hi) / 2
		cost, err := a.measureSteady(ctx, steadyKey{machine: m, deltaUs: mid})
		if err != nil {
			return 0, err
		}
		if cost > (1+lifts)*g {
			hi = mid
		} else {
			lo = mid
		}
	}
	return (lo+hi)/2 - lifts*g, nil
}

// trips are round trips between all pairs of the nodes that were measured, µs.
type trips struct{ least, mean, most float64 }

// tripsPerPair begin at random times, so that they meet the interfaces' main
// loops at any point.
const tripsPerPair = 200

func (a *assessment) measureTrips(ctx context.Context, m machine) (trips, error) {
	return talk(a.spec(m, testbed.AllNodes, 1), func(t *testbed.Calls) trips {
		out, n := trips{least: math.Inf(1)}, len(t.Nodes)
		for i := range n {
			for j := range n {
				if i != j {
					us := t.Trip(i, j, tripsPerPair)
					out.least, out.most = min(out.least, us), max(out.most, us)
					out.mean += us / float64(n*(n-1))
				}
			}
		}
		return out
	})(ctx)
}

// spec describes a bed of so many nodes of a machine, for stores of up to most
// bytes.
func (a *assessment) spec(m machine, nodes, most int) testbed.Spec {
	return testbed.Spec{Platform: m.name, Overlay: overlays.Of(string(m.change)), Nodes: nodes, Seed: a.seed, Bytes: most, Monitor: "off"}
}

// talking makes a measurement of programs on such a bed.
func (a *assessment) talking(m machine, nodes, most int, f func(*testbed.Calls) judge.Measured) judge.Measure {
	return talk(a.spec(m, nodes, most), f)
}

// talk makes an experiment of programs that ask and answer.
func talk[T any](spec testbed.Spec, f func(*testbed.Calls) T) func(context.Context) (T, error) {
	return func(ctx context.Context) (T, error) {
		return testbed.With(ctx, spec, func(b *testbed.Bed) (v T) {
			if t := b.Calls(); b.OK() {
				v = f(t)
			}
			return v
		})
	}
}

// near tells whether two figures agree within a share of the second.
func near(v, want, share float64) bool { return math.Abs(v-want) <= share*math.Abs(want) }
