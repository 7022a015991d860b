package logp

import (
	"context"
	"fmt"
	"math"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/beds"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/workloads/microbench"
)

// session is one measurement. An error ends it.
type session struct {
	*judge.Session
	*assessment
}

// assessment is what rows share: what they measure is measured once.
type assessment struct {
	seed  uint64
	known map[any]any // by what, and of which machine
}

func newAssessment(seed uint64) *assessment { return &assessment{seed, map[any]any{}} }

// key is what is measured, and of what.
type key struct {
	what string
	of   any
}

// once returns what a measurement gives, which runs at the first call.
func once[V any](s session, what string, of any, measure func() V) V {
	k := key{what, of}
	if _, there := s.known[k]; !there {
		s.known[k] = measure()
	}
	return s.known[k].(V)
}

// subject is a machine's layer, to be measured.
func (s session) subject(m machine) *measure.Subject {
	return judge.Get(s.Session, func(ctx context.Context) (*measure.Subject, error) {
		p, err := overlays.Place(m.name, "", string(m.change))
		return measure.New(ctx, p, s.seed), err
	})
}

// asking lets f measure nodes of a machine that ask and answer.
func asking[T any](s session, m machine, q measure.Asked, f func(*measure.Requests) T) T {
	v, err := measure.Asking(s.subject(m), q, f)
	s.Check(err)
	return v
}

// calls lets f run programs on nodes of a machine, for stores of up to most
// bytes.
func calls[T any](s session, m machine, nodes, most int, f func(*testbed.Calls) T) T {
	spec := testbed.Spec{Platform: m.name, Overlay: overlays.Of(string(m.change)), Nodes: nodes, Seed: s.seed, Bytes: most, Monitor: "off"}
	return beds.Use(s.Session, spec, func(b *testbed.Bed) (v T) {
		if t := b.Calls(); b.OK() {
			v = f(t)
		}
		return v
	})
}

// requests are what small messages are measured with: between two nodes.
var requests = measure.Asked{}

// asked is what is asked of a machine.
type asked struct {
	machine
	measure.Asked
	deltaUs float64
}

// signature is that of requests or stores of a machine.
func (s session) signature(m machine, q measure.Asked) measure.Found {
	return once(s, "signature", asked{m, q, 0}, func() measure.Found {
		found, err := s.subject(m).FindSignature(q)
		s.Check(err)
		return found
	})
}

// figures are the parameters of a signature as numbers, µs.
type figures struct{ os, or, l, g, rtt, idle float64 }

func (f figures) sum() float64 { return f.os + f.or }

// of returns the parameters of requests between two nodes.
func (s session) of(m machine) figures { return s.figures(m, requests) }

func (s session) figures(m machine, q measure.Asked) figures {
	x := s.signature(m, q)
	for _, e := range []logp.Estimate{x.Os, x.Or, x.L, x.G, x.Params.RTT} {
		if !e.OK() {
			s.Fail("%s: %s", m, e.Reason)
		}
	}
	return figures{x.Os.Value, x.Or.Value, x.L.Value, x.G.Value, x.Params.RTT.Value, x.Idle.Value}
}

// gap is g alone, from the curve without delay, µs.
func (s session) gap(m machine, q measure.Asked) float64 {
	return once(s, "gap", asked{m, q, 0}, func() float64 {
		g := asking(s, m, q, func(r *measure.Requests) logp.Estimate {
			return logp.Signature{Points: r.Plain()}.Extract().G
		})
		if !g.OK() {
			s.Fail("%s, %s with %d: %s", m, q.Pattern, q.Peers, g.Reason)
		}
		return g.Value
	})
}

// ratio is the gap of a pattern against that of a pair.
func (s session) ratio(m machine, p microbench.Pattern, peers int) float64 {
	return s.gap(m, measure.Asked{Pattern: p, Peers: peers}) / s.gap(m, requests)
}

// Bursts between which the steady cost is taken: both are far beyond what the
// network holds.
const (
	shortSteady = 256
	longSteady  = 512
)

// steady is the cost of one more message among many with a delay, µs.
func (s session) steady(m machine, q measure.Asked, deltaUs float64) float64 {
	return once(s, "steady", asked{m, q, deltaUs}, func() float64 {
		return asking(s, m, q, func(r *measure.Requests) float64 {
			short, long := r.Point(shortSteady, deltaUs), r.Point(longSteady, deltaUs)
			return (longSteady*long.Cost.Value - shortSteady*short.Cost.Value) / (longSteady - shortSteady)
		})
	})
}

// lifts is by how much more a steady cost counts as lifted.
const lifts = 0.02

// idle is the longest delay that costs nothing, µs: a delay that lifts the
// steady cost by a little, less that little.
func (s session) idle(m machine) float64 {
	return once(s, "idle", m, func() float64 {
		g := s.steady(m, requests, 0)
		lo, hi := 0.0, 2*g
		for range 12 {
			mid := (lo + hi) / 2
			if s.steady(m, requests, mid) > (1+lifts)*g {
				hi = mid
			} else {
				lo = mid
			}
		}
		return (lo+hi)/2 - lifts*g
	})
}

// trips are round trips between all pairs of the nodes that were measured, µs.
type trips struct{ least, mean, most float64 }

// tripsPerPair begin at random times, so that they meet the interfaces' main
// loops at any point.
const tripsPerPair = 200

func (s session) trips(m machine) trips {
	return once(s, "trips", m, func() trips {
		return calls(s, m, testbed.AllNodes, 1, func(t *testbed.Calls) trips {
			out, n := trips{least: math.Inf(1)}, len(t.Nodes)
			for k := range n * n {
				if i, j := k/n, k%n; i != j {
					us := t.Trip(i, j, tripsPerPair)
					out.least, out.most = min(out.least, us), max(out.most, us)
					out.mean += us / float64(n*(n-1))
				}
			}
			return out
		})
	})
}

// stores are the times and overheads of stores of 8 bytes to so many, by powers
// of two.
func (s session) stores(m machine, most int) logp.BulkResult {
	return once(s, fmt.Sprint("stores to ", most), m, func() logp.BulkResult {
		var points logp.Bulk
		for n := shortStore; n <= most; n *= 2 {
			p, err := s.subject(m).StoreTimes(n)
			s.Check(err)
			points = append(points, p)
		}
		return points.Extract()
	})
}
