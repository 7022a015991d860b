package microbench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/internal/names"
)

// Pattern says which nodes send requests and which reply (logp, section 3.5).
type Pattern uint8

// Patterns.
const (
	OneToOne  Pattern = iota // node 0 asks node 1
	AllPairs                 // the first half of the nodes asks, each a partner in the second
	OneToMany                // node 0 asks K others in turn
	ManyToOne                // K nodes ask node 0
)

var patternNames = names.NewEnum[Pattern]("pattern", "pair", "all-pairs", "one-to-many", "many-to-one")

// Words returns the names.
func (Pattern) Words() names.Words { return patternNames.Words() }

// String returns the name.
func (p Pattern) String() string { return patternNames.Name(p) }

// UnmarshalText reads a pattern by its name.
func (p *Pattern) UnmarshalText(name []byte) error { return patternNames.Set(p, name) }

// ask is a requester and the nodes that it sends requests to in turn.
type ask struct {
	from int
	to   []int
}

// asks lists the requesters of a pattern among so many nodes. Peers is K, and 0
// for patterns without it.
func (p Pattern) asks(nodes, peers int) ([]ask, error) {
	k := p == OneToMany || p == ManyToOne
	switch {
	case nodes < 2:
		return nil, fmt.Errorf("microbench: %s over %d nodes, want at least 2", p, nodes)
	case k && (peers < 1 || peers >= nodes):
		return nil, fmt.Errorf("microbench: %s with %d peers, want 1 to %d on %d nodes", p, peers, nodes-1, nodes)
	case !k && peers != 0:
		return nil, fmt.Errorf("microbench: %s with %d peers, want 0: it has none to choose", p, peers)
	case p == AllPairs && nodes%2 != 0:
		return nil, fmt.Errorf("microbench: %s over %d nodes, want an even number", p, nodes)
	}
	switch p {
	case OneToOne:
		return []ask{{0, []int{1}}}, nil
	case AllPairs:
		var out []ask
		for i := range nodes / 2 {
			out = append(out, ask{i, []int{i + nodes/2}})
		}
		return out, nil
	case OneToMany:
		all := ask{}
		for i := 1; i <= peers; i++ {
			all.to = append(all.to, i)
		}
		return []ask{all}, nil
	case ManyToOne:
		var out []ask
		for i := 1; i <= peers; i++ {
			out = append(out, ask{i, []int{0}})
		}
		return out, nil
	}
	return nil, fmt.Errorf("microbench: %s is none of the patterns %s", p, strings.Join(p.Words().Names(), ", "))
}

// nodesOf returns those that a list of asks names, in order.
func nodesOf(asks []ask) []int {
	var out []int
	for _, a := range asks {
		out = append(out, a.from)
		out = append(out, a.to...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
