package fabric

import "fmt"

// tree is a fat tree of crossbars with k ports up and k down; the switches of the top
// level use all 2k ports downwards. The number of a node has one digit per level, in
// base k except the first, which is less than 2k. The number w of a switch has one digit
// less; the leaf switch of a node has w = node/k. Switches of levels l and l+1 are
// connected if all digits but digit l agree. So the digits of a switch from l upwards
// are those of the nodes below it, shifted by one, and the digits below l distinguish
// the equivalent ancestors.
//
// A route climbs to the lowest common ancestor. At level l it takes the up port given by
// digit l of the destination, so all routes to one node form one tree and different nodes
// are spread evenly. Other ways take other up ports: digit l of the way is added to the
// default port. All of them climb first and then descend, so no mixture of ways can
// deadlock.
type tree struct {
	nodes, k, levels int
	width            int     // switches per level
	power            []int   // k^i
	digits           []uint8 // of all nodes' numbers, lowest first: levels for each
	steps            []step  // of all nodes, lowest level first: levels-1 for each
}

// step is a node's part of the default routes between level l and l+1. The channel up is the sum
// of the source's from and the destination's to; the channel down depends on the destination alone.
// Two nodes of the same group need not climb so high.
type step struct{ from, to, down, group int32 }

func newTree(nodes, radix int) *tree {
	t := &tree{nodes: nodes, k: radix / 2, levels: 1, power: []int{1}}
	for capacity := radix; capacity < nodes; capacity *= t.k {
		t.levels++
	}
	for i := 0; i < t.levels; i++ {
		t.power = append(t.power, t.power[i]*t.k)
	}
	t.width = 1
	if t.levels > 1 {
		t.width = (nodes + t.k - 1) / t.k
		// Complete groups below each top-level port, so that every digit exists.
		group := t.power[t.levels-2]
		t.width = (t.width + group - 1) / group * group
	}
	for node := range nodes {
		for l := range t.levels {
			d := node / t.power[l]
			if l < t.levels-1 {
				d %= t.k
			}
			t.digits = append(t.digits, uint8(d))
		}
		t.addSteps(node)
	}
	return t
}

// addSteps appends the steps of the next node.
func (t *tree) addSteps(node int) {
	d, below, above := t.digitsOf(node), 0, node/t.k
	for l := range t.levels - 1 {
		port := int(d[l])
		to := t.up(0, below, port) - t.up(0, 0, 0)
		t.steps = append(t.steps, step{t.up(l, above, 0), to, t.down(l, below+above, port), int32(node / t.power[l+1])})
		below += port * t.power[l]
		above -= int(d[l+1]) * t.power[l]
	}
}

// digitsOf returns the digits of a node's number. Those from the second on are those of its
// leaf switch.
func (t *tree) digitsOf(node int) []uint8 { return t.digits[node*t.levels : (node+1)*t.levels] }

func (t *tree) stepsOf(node int) []step {
	first := node * (t.levels - 1)
	return t.steps[first : first+t.levels-1]
}

// Between level l and l+1 every switch of level l has k up and k down channels.
func (t *tree) channels() int { return 2*t.nodes + (t.levels-1)*t.width*2*t.k }

// up is the channel from switch w of level l through its up port; down is the
// opposite direction of the same link.
func (t *tree) up(l, w, port int) int32 {
	return int32(2*t.nodes + ((l*t.width+w)*t.k+port)*2)
}

func (t *tree) down(l, w, port int) int32 { return t.up(l, w, port) + 1 }

// top is the level of the lowest common ancestors of two nodes' leaf switches.
func top(src, dst []uint8) int {
	l := len(src) - 1
	for l > 0 && src[l] == dst[l] {
		l--
	}
	return l
}

func (t *tree) ways(src, dst int) int { return t.power[top(t.digitsOf(src), t.digitsOf(dst))] }

func (t *tree) route(path []int32, src, dst, route int) []int32 {
	of, to := t.stepsOf(src), t.stepsOf(dst)
	most := len(of)
	for most > 0 && of[most-1].group == to[most-1].group {
		most--
	}
	path = append(path, int32(src))
	if route == 0 {
		for l := range most {
			path = append(path, of[l].from+to[l].to)
		}
		for l := most - 1; l >= 0; l-- {
			path = append(path, to[l].down)
		}
	} else {
		path = t.detour(path, src, dst, route, most)
	}
	return append(path, int32(t.nodes+dst))
}

// detour appends the channels between switches of a route that climbs to level most.
func (t *tree) detour(path []int32, src, dst, route, most int) []int32 {
	from, to := t.digitsOf(src), t.digitsOf(dst)
	w := src / t.k
	for l, power := range t.power[:most] {
		port := t.port(to, l, route)
		path = append(path, t.up(l, w, port))
		w += (port - int(from[l+1])) * power
	}
	for l := most - 1; l >= 0; l-- {
		port := t.port(to, l, route)
		w += (int(to[l+1]) - port) * t.power[l]
		path = append(path, t.down(l, w, port))
	}
	return path
}

// port returns the up port that a route to a node takes at level l.
func (t *tree) port(to []uint8, l, route int) int {
	return (int(to[l]) + route/t.power[l]) % t.k
}

func (t *tree) opposite(c int32) int32 { return c ^ 1 }

// ends numbers the switches level by level.
func (t *tree) ends(c int32) (from, to int32) {
	if int(c) < 2*t.nodes {
		return edge(c, int32(t.nodes), t.leaf)
	}
	c -= int32(2 * t.nodes)
	port, l, w := int(c/2)%t.k, int(c/2)/t.k/t.width, int(c/2)/t.k%t.width
	digit := w / t.power[l]
	if l < t.levels-2 { // the highest digit may exceed k
		digit %= t.k
	}
	below := int32(l*t.width + w)
	above := below + int32(t.width+(port-digit)*t.power[l])
	if c%2 == 1 {
		return above, below
	}
	return below, above
}

// leaf returns the switch of a node.
func (t *tree) leaf(node int) int {
	if t.levels == 1 {
		return 0
	}
	return node / t.k
}

func (t *tree) ports() int { return 2 * t.k }

func (t *tree) name(c int) string {
	if c < 2*t.nodes {
		return linkName(c, t.nodes)
	}
	c -= 2 * t.nodes
	dir, link := [...]string{"up", "down"}[c%2], c/2
	w := link / t.k
	return fmt.Sprintf("level%d.switch%d.%s%d", w/t.width, w%t.width, dir, link%t.k)
}

// linkName names the channels between nodes and switches, which have the same
// numbers in all layouts with switches.
func linkName(c, nodes int) string {
	if c < nodes {
		return fmt.Sprintf("node%d>switch", c)
	}
	return fmt.Sprintf("switch>node%d", c-nodes)
}

// edge returns the ends of the channels between nodes and switches, which have the same numbers
// in all layouts with switches; at is the switch of a node.
func edge(c, nodes int32, at func(node int) int) (from, to int32) {
	if c < nodes {
		return noSwitch, int32(at(int(c)))
	}
	return int32(at(int(c - nodes))), noSwitch
}

// noSwitch is where a node is.
const noSwitch int32 = -1
