package causal

import (
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/trace/waits"
)

// Slow is an engine that serves packets longer than the same engine of other nodes serves
// packets of the same size.
type Slow struct {
	Resource waits.Resource
	Node     int
	Ratio    float64 // of its service to the usual one
	OnPath   int64   // ps of the critical path by which it serves longer than usual
	Saved    int64   // ps by which the run is shorter in a replay with the usual service
}

// Cost is by what slow engines are ranked among queues; see Queue.Cost.
func (s *Slow) Cost() int64 { return cost(s.OnPath, s.Saved) }

const (
	slowFrom  = 1.25 // ratio from which on an engine counts as slow
	slowNodes = 3    // nodes that have to serve a size, so that one of them can differ
)

// slowness is what of service is longer than usual, by slow engine. Others have no entry.
type slowness struct {
	*graph.Graph
	places map[account.Place]*Slow
}

// load is the service of packets of one size in bytes by an engine, out or in.
type load struct {
	resource waits.Resource
	out      bool
	size     int32
}

// sum is the service of several packets: ps, and their number.
type sum struct{ total, count int64 }

// mean returns the mean service in ps. Invariant: count is above 0.
func (s sum) mean() float64 { return float64(s.total) / float64(s.count) }

// newSlowness compares the engines of nodes. The usual service of a size is the median of
// the nodes' means.
func newSlowness(g *graph.Graph) slowness {
	of := map[load]map[int32]sum{}
	for i := range g.Pieces {
		p := &g.Pieces[i]
		a := &g.Actors[g.Owner[i]]
		if p.What != waits.Service || p.Resource != waits.HostDMA && p.Resource != waits.SEngine || !a.Type.IsPacket() {
			continue
		}
		// The sender's engine reads host memory, the receiver's writes it: each is compared with its like.
		l := load{p.Resource, p.Instance == a.Node, a.Size}
		if of[l] == nil {
			of[l] = map[int32]sum{}
		}
		s := of[l][p.Instance]
		of[l][p.Instance] = sum{s.total + p.Length(), s.count + 1}
	}
	// By place, in ps: what it served for, and what the usual place of all nodes would have for the same
	// packets.
	did, usual := map[account.Place]int64{}, map[account.Place]int64{}
	for l, nodes := range of {
		if len(nodes) < slowNodes {
			continue
		}
		var means []float64
		for _, s := range nodes {
			means = append(means, s.mean())
		}
		slices.Sort(means)
		for node, s := range nodes {
			at := account.Place{Resource: l.resource, Instance: node}
			did[at] += s.total
			// Of an even number of means it is the lower one in the middle.
			usual[at] += int64(means[(len(means)-1)/2] * float64(s.count)) // whole, so that the order of sums does not matter
		}
	}
	out := slowness{g, map[account.Place]*Slow{}}
	for at, total := range did {
		// A ratio is over all sizes, each weighted by its packets.
		if ratio := float64(total) / float64(usual[at]); ratio >= slowFrom {
			out.places[at] = &Slow{Resource: at.Resource, Node: int(at.Instance), Ratio: ratio}
		}
	}
	return out
}

// take returns the part in ps of a segment of the critical path by which a slow engine serves longer than
// usual, and adds it to the engine's OnPath.
func (s slowness) take(x graph.Segment) int64 {
	if x.Piece < 0 || len(s.places) == 0 {
		return 0
	}
	p := &s.Pieces[x.Piece]
	at := s.places[account.Place{Resource: p.Resource, Instance: p.Instance}]
	if at == nil || p.What != waits.Service {
		return 0
	}
	more := s.longer(at, x.Length())
	at.OnPath += more
	return more
}

// share returns the part in ps of a wait by which a slow engine serves the root of its chain longer than
// usual.
func (s slowness) share(p *account.Rooted) int64 {
	// 1 ps into the part is the piece in which the root is meanwhile.
	i := s.At(p.Root, p.Begin+1)
	if i < 0 || len(s.places) == 0 {
		return 0
	}
	root := &s.Pieces[i]
	at := s.places[account.Place{Resource: root.Resource, Instance: root.Instance}]
	if at == nil || root.What != waits.Service {
		return 0
	}
	return s.longer(at, p.Length())
}

// longer returns the part of a service, both in ps, by which a slow engine serves longer than usual.
func (slowness) longer(at *Slow, service int64) int64 {
	// service = Ratio * usual, so service - usual = service * (1 - 1/Ratio).
	return int64(float64(service) * (1 - 1/at.Ratio))
}
