package measure

import (
	"fmt"
	"iter"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/microbench"
)

// Asked says which operations are measured, and between which nodes. The zero value is
// small requests from one node to another.
type Asked struct {
	Pattern microbench.Pattern
	Peers   int // 0: one
	What    microbench.Operation
	Bytes   int
}

// Stores asks for stores of n bytes from one node to another.
func Stores(n int) Asked { return Asked{What: microbench.Store, Bytes: n} }

// Requests is a cluster whose nodes send requests and reply. The first error
// sticks to it: later measurements are zero.
type Requests struct {
	*Subject
	*cluster.Cluster
	asked Asked
	asks  *microbench.Requests
	err   error
}

// Asking builds a cluster whose nodes have exchanged requests, lets f measure it,
// and returns the result of f or the first error.
func Asking[T any](s *Subject, a Asked, f func(*Requests) T) (out T, err error) {
	a.Peers = max(1, a.Peers)
	var c *cluster.Cluster
	var nodes []int // all unless named
	k := 0
	switch a.Pattern {
	case microbench.AllPairs:
		c, err = s.Cluster(2 * a.Peers)
	case microbench.OneToMany, microbench.ManyToOne:
		k = a.Peers
		c, err = s.Cluster(1 + a.Peers)
	default:
		c, nodes, err = s.pair()
	}
	if err != nil {
		return out, err
	}
	defer c.Engine.Close()
	r := &Requests{Subject: s, Cluster: c, asked: a}
	if r.asks, err = c.Requests(a.Pattern, k, a.Bytes, nodes...); err != nil {
		return out, err
	}
	for _, err := range r.asks.Costs(r.burst(warmBurst, 0)) { // so that buffers and tables are warm
		r.err = err
		break
	}
	s.start(c)
	if v := f(r); r.err == nil {
		out = v
	}
	return out, r.err
}

func (r *Requests) done(what string) {
	if r.err == nil {
		r.Done(what)
	}
}

// burst returns a burst of m operations with a delay after each, µs.
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

// Point measures the cost of an operation in bursts of m with a delay after each,
// µs: a point of a signature.
func (r *Requests) Point(m int, deltaUs float64) logp.Point {
	cost := r.mean(fmt.Sprintf("bursts of %d, delay %g µs", m, deltaUs), r.asks.Costs(r.burst(m, deltaUs)))
	return logp.Point{M: m, DeltaUs: deltaUs, Cost: cost}
}

// extract returns the parameters of a signature, none after an error.
func (r *Requests) extract(sig logp.Signature) logp.Result {
	if r.err != nil {
		return logp.Result{Curves: make([]logp.Curve, 1)}
	}
	return sig.Extract()
}

// RoundTrips measures the time from the start of one operation until its reply has been
// handled.
func (r *Requests) RoundTrips() logp.Mean {
	return r.mean("round trips", r.asks.RoundTrips(r.asked.What, r.asked.Bytes))
}
