package fabric

import "github.com/sigview/sigview/sim"

// pathOf sets the route of p, injected at a time, and returns its number. A flow uses one of
// several equally long routes, by a hash of its two nodes and its number. Routes across dead links
// are left out. A pair of nodes that has been given another route uses that one, whatever the flow.
func (b *buffers) pathOf(p *Packet, now int, at sim.Time) int {
	if p.Flow == 0 || now != 0 {
		return now
	}
	n, src, dst := b.net, int(p.Src), int(p.Dst)
	ways := min(n.layout.ways(src, dst), maxWays)
	first := int(sim.Mix(uint64(src)<<48^uint64(dst)<<32^uint64(p.Flow)) % uint64(ways))
	if n.dead == nil {
		return first
	}
	for i := range ways {
		route := (first + i) % ways
		if p.route.path = n.layout.route(p.route.path[:0], src, dst, route); n.whole(p.route.path, at) {
			return route
		}
	}
	return first
}
