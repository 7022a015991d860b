package lanes

import (
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
)

// Path says where the critical path of a run is: at which node, and in which of its parts. A nil
// path is nowhere.
type Path struct {
	nodes []stretch
}

// stretch is when the path is at a node, in any of its parts and in each.
type stretch struct {
	all   Busy
	parts [NumParts]Busy
}

// NewPath returns a path that is nowhere.
func NewPath(nodes int) *Path { return &Path{make([]stretch, nodes)} }

// Add adds a part of the path. A part that nothing in the log explains is nowhere. One at a resource of none of
// the parts is at its node only.
func (p *Path) Add(a *account.Account, s graph.Segment) {
	if s.Piece < 0 {
		return
	}
	at, part := placeOf(&a.Actors[s.Actor], a.Pieces[s.Piece])
	if at < 0 || at >= len(p.nodes) {
		return
	}
	p.nodes[at].all.Add(s.Begin/1000, s.End/1000)
	if part != NumParts {
		p.nodes[at].parts[part].Add(s.Begin/1000, s.End/1000)
	}
}

// Done ends the adding of parts.
func (p *Path) Done() {
	for i := range p.nodes {
		n := &p.nodes[i]
		n.all.Done()
		for part := range n.parts {
			n.parts[part].Done()
		}
	}
}

// Node returns the node at which the path is longest in a period, in ns; -1 if it is at none.
func (p *Path) Node(from, to int64) int {
	node, most := -1, int64(0)
	if p == nil {
		return node
	}
	for i := range p.nodes {
		if ns := p.nodes[i].all.Covered(from, to); ns > most {
			node, most = i, ns
		}
	}
	return node
}

// Part returns the part of a node in which the path is longest in a period, in ns; NumParts if it
// is in none.
func (p *Path) Part(at int, from, to int64) Part {
	part, most := Part(NumParts), int64(0)
	if p == nil || at < 0 || at >= len(p.nodes) {
		return part
	}
	for i := range p.nodes[at].parts {
		if ns := p.nodes[at].parts[i].Covered(from, to); ns > most {
			part, most = Part(i), ns
		}
	}
	return part
}
