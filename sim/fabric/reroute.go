package fabric

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/sim"
)

// Break makes a link fail, like a break of the specification. It returns an error if the
// route between the nodes has no link between switches.
func (n *Net) Break(b Break) error {
	if uint(b.From) >= uint(len(n.nodes)) || uint(b.To) >= uint(len(n.nodes)) || b.From == b.To || b.At < 0 {
		return fmt.Errorf("link between nodes %d and %d dies at %v: want two nodes of %d and a time that is not negative", b.From, b.To, b.At, len(n.nodes))
	}
	path := n.Route(b.From, b.To)
	if len(path) < 3 {
		return fmt.Errorf("no link between switches lies between nodes %d and %d", b.From, b.To)
	}
	if n.dead == nil {
		n.dead = slices.Repeat([]sim.Time{sim.Never}, len(n.ch))
	}
	c := path[1]
	for _, one := range []int32{c, n.layout.opposite(c)} {
		n.dead[one] = min(n.dead[one], b.At)
	}
	return nil
}

// Dead returns the names of the links that are dead, or have been down.
func (n *Net) Dead() (names []string) {
	for _, o := range n.outages {
		if name := n.layout.name(o.Node); o.At <= n.engine.Now() && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for c, at := range n.dead {
		if at <= n.engine.Now() && int32(c) < n.layout.opposite(int32(c)) {
			names = append(names, n.layout.name(c))
		}
	}
	return names
}

// sever drops p, injected at time at, if its route crosses a link that is dead or down.
func (n *Net) sever(p *Packet, at sim.Time) {
	if n.dead != nil && !n.whole(p.route.path, at) || n.down(p, at) {
		p.route.drop, p.route.cut = true, true
	}
}

// down reports whether the link of the sender or the receiver of p is down at a time.
func (n *Net) down(p *Packet, at sim.Time) bool {
	for i := range n.outages {
		if o := &n.outages[i]; (o.Node == int(p.Src) || o.Node == int(p.Dst)) && at >= o.At && at < o.At.Add(o.For) {
			return true
		}
	}
	return false
}

// whole reports whether no link of a path is dead at a time.
func (n *Net) whole(path []int32, at sim.Time) bool {
	if n.dead != nil {
		for _, c := range path {
			if n.dead[c] <= at {
				return false
			}
		}
	}
	return true
}

// routeOf returns the number of the route from src to dst that packets take now, 0 by default.
func (n *Net) routeOf(src, dst int) int {
	if n.chosen == nil || n.chosen[src] == nil {
		return 0
	}
	return int(n.chosen[src][dst])
}

// choose makes a route the one from src to dst.
func (n *Net) choose(src, dst, route int) {
	if n.chosen == nil {
		n.chosen = make([][]uint16, len(n.nodes))
	}
	if n.chosen[src] == nil {
		n.chosen[src] = make([]uint16, len(n.nodes))
	}
	n.chosen[src][dst] = uint16(route)
}

// Ways returns how many routes there are from src to dst. A mesh has one: a second one could
// deadlock with routes of other pairs.
func (n *Net) Ways(src, dst int) int { return n.layout.ways(src, dst) }

// Links returns the number of links in the network.
func (n *Net) Links() int { return len(n.ch) / 2 }

// Reaches reports whether a probe from src to dst is answered: no link of the
// present routes in both directions is dead.
func (n *Net) Reaches(src, dst int) bool {
	now := n.engine.Now()
	return n.whole(n.Route(src, dst), now) && n.whole(n.Route(dst, src), now)
}

// Reroute acts for a node that sends probes along its routes to a peer, the present ones
// first, until one is answered. Routes across dead links are replaced in both directions,
// because a probe carries its return route. Reroute returns the number of probes, whose
// time the caller charges: one if no route is dead. If no probe is answered, nothing
// changes.
func (n *Net) Reroute(src, dst int) (probes int, found bool) {
	there, tried, ok := n.search(src, dst)
	back, also, okBack := n.search(dst, src)
	if !ok || !okBack {
		return n.Ways(src, dst), false
	}
	n.adopt(src, dst, there)
	n.adopt(dst, src, back)
	return max(tried, also), true
}

// Remap acts for a mapper that has probed all links: it replaces all routes across
// dead ones. It returns how many it has replaced, and how many pairs of nodes have no
// route left.
func (n *Net) Remap() (replaced, apart int) {
	for src := range n.nodes {
		for dst := range n.nodes {
			if src == dst {
				continue
			}
			switch route, _, ok := n.search(src, dst); {
			case !ok:
				apart++
			case n.adopt(src, dst, route):
				replaced++
			}
		}
	}
	return replaced, apart
}

// search returns the first route without a dead link, from the present one on, and how many routes
// it has looked at.
func (n *Net) search(src, dst int) (route, looks int, ok bool) {
	ways, first := n.Ways(src, dst), n.routeOf(src, dst)
	var path []int32
	for i := range ways {
		route = (first + i) % ways
		path = n.layout.route(path[:0], src, dst, route)
		if n.whole(path, n.engine.Now()) {
			return route, i + 1, true
		}
	}
	return first, ways, false
}

// adopt makes a route the one from src to dst, and reports whether that is a change.
func (n *Net) adopt(src, dst, route int) (changed bool) {
	if route == n.routeOf(src, dst) {
		return false
	}
	n.choose(src, dst, route)
	return true
}
