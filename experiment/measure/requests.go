package measure

import (
	"fmt"
	"iter"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/microbench"
)

// Asked is who asks whom for what: between two nodes if it says no more.
type Asked struct {
	Pattern microbench.Pattern
	Peers   int // 0: one
	What    microbench.Operation
	Bytes   int
}

// Stores are stores of n bytes between two nodes.
func Stores(n int) Asked { return Asked{What: microbench.Store, Bytes: n} }

// Requests is a cluster whose nodes ask and answer. The first error sticks to
// it: what is measured then is zero.
type Requests struct {
	*Subject
	*cluster.Cluster
	asked Asked
	asks  *microbench.Requests
	err   error
}

// Asking sets up a cluster whose nodes have asked and answered before, lets f
// measure it, and returns what f makes of it or the first error.
func Asking[T any](s *Subject, a Asked, f func(*Requests) T) (T, error) {
	var none T
	a.Peers = max(1, a.Peers)
	nodes, k := 2, 0
	switch a.Pattern {
	case microbench.AllPairs:
		nodes = 2 * a.Peers
	case microbench.OneToMany, microbench.ManyToOne:
		nodes, k = 1+a.Peers, a.Peers
	}
	c, err := s.Cluster(nodes)
	if err != nil {
		return none, err
	}
	defer c.Engine.Close()
	r := &Requests{Subject: s, Cluster: c, asked: a}
	if r.asks, err = c.Requests(a.Pattern, k, a.Bytes); err != nil {
		return none, err
	}
	for _, err := range r.asks.Costs(r.burst(warmBurst, 0)) { // buffers and tables have been used
		r.keep(err)
		break
	}
	s.start(c)
	if out := f(r); r.err == nil {
		return out, nil
	}
	return none, r.err
}

func (r *Requests) keep(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *Requests) done(what string) {
	if r.err == nil {
		r.Done(what)
	}
}

// burst is one of m operations with a pause behind each, µs.
func (r *Requests) burst(m int, deltaUs float64) microbench.Burst {
	return microbench.Burst{M: m, Spin: sim.Microseconds(deltaUs), Operation: r.asked.What, Bytes: r.asked.Bytes}
}

// mean takes samples until there are enough.
func (r *Requests) mean(what string, samples iter.Seq2[[]sim.Duration, error]) logp.Mean {
	if r.err != nil {
		return logp.Mean{}
	}
	m, err := r.Mean(samples)
	if err != nil {
		r.err = fmt.Errorf("%s: %w", what, err)
	}
	return m
}

// Point measures the cost of an operation in bursts of m with a delay behind
// each: a point of a signature.
func (r *Requests) Point(m int, deltaUs float64) logp.Point {
	cost := r.mean(fmt.Sprintf("bursts of %d, delay %g µs", m, deltaUs), r.asks.Costs(r.burst(m, deltaUs)))
	return logp.Point{M: m, DeltaUs: deltaUs, Cost: cost}
}

// Trips measures the time of one operation until its reply has been handled.
func (r *Requests) Trips() logp.Mean {
	return r.mean("round trips", r.asks.Trips(r.asked.What, r.asked.Bytes))
}
