package fabric

import "fmt"

// trees is several equal fat trees above the same leaf links: a node has one link into
// each direction, from which a packet enters the tree that its route names. The
// channels of the trees between switches follow one another. The default route takes
// the tree given by the sum of both nodes' numbers, so that the nodes of a leaf switch
// share each tree evenly; other ways take the same routes of the other trees.
type trees struct {
	*tree
	count int
}

func (t trees) inner() int { return t.tree.channels() - 2*t.nodes }

func (t trees) channels() int { return 2*t.nodes + t.count*t.inner() }

func (t trees) ways(src, dst int) int {
	if n := t.tree.ways(src, dst); n > 1 {
		return t.count * n
	}
	return 1 // under one leaf switch, which is the same for all
}

func (t trees) route(path []int32, src, dst, route int) []int32 {
	first := len(path)
	path = t.tree.route(path, src, dst, route/t.count)
	shift := int32((src + dst + route) % t.count * t.inner())
	for i := first + 1; i < len(path)-1; i++ {
		path[i] += shift
	}
	return path
}

// The leaf switches come first, then the others tree by tree.
func (t trees) ends(c int32) (from, to int32) {
	first := int32(2 * t.nodes)
	if c < first {
		return t.tree.ends(c)
	}
	of, inner := (c-first)/int32(t.inner()), (c-first)%int32(t.inner())
	from, to = t.tree.ends(first + inner)
	above := of * int32((t.levels-1)*t.width)
	if from >= int32(t.width) {
		from += above
	}
	if to >= int32(t.width) {
		to += above
	}
	return from, to
}

func (t trees) ports() int { return t.k + t.count*t.k }

func (t trees) name(c int) string {
	if c < 2*t.nodes {
		return t.tree.name(c)
	}
	c -= 2 * t.nodes
	return fmt.Sprintf("tree%d.%s", c/t.inner(), t.tree.name(2*t.nodes+c%t.inner()))
}
