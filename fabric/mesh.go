package fabric

import "fmt"

// mesh is a 2D mesh of switches with one node each. Routes go along the row
// first and then along the column; any other way could deadlock with those.
type mesh struct{ nodes, width int }

func newMesh(nodes, width int) mesh {
	if width == 0 {
		width = squarest(nodes)
	}
	return mesh{nodes, width}
}

// squarest is the width of the full mesh of n switches that is nearest to a
// square: the smallest divisor of n that is not below its square root.
func squarest(n int) int {
	best := n
	for d := n; d*d >= n; d-- {
		if n%d == 0 {
			best = d
		}
	}
	return best
}

// Directions of the channels out of a switch.
const (
	east = iota
	west
	south
	north
)

func (m mesh) channels() int { return 2*m.nodes + 4*m.nodes }

func (m mesh) link(at, direction int) int32 { return int32(2*m.nodes + 4*at + direction) }

func (m mesh) ways(int, int) int { return 1 }

func (m mesh) opposite(c int32) int32 {
	at, direction := (int(c)-2*m.nodes)/4, (int(c)-2*m.nodes)%4
	at += [...]int{east: 1, west: -1, south: m.width, north: -m.width}[direction]
	return m.link(at, direction^1)
}

func (m mesh) route(path []int32, src, dst, _ int) []int32 {
	path = append(path, int32(src))
	at := src
	for at%m.width != dst%m.width {
		step, direction := 1, east
		if dst%m.width < at%m.width {
			step, direction = -1, west
		}
		path = append(path, m.link(at, direction))
		at += step
	}
	for at != dst {
		step, direction := m.width, south
		if dst < at {
			step, direction = -m.width, north
		}
		path = append(path, m.link(at, direction))
		at += step
	}
	return append(path, int32(m.nodes+dst))
}

func (m mesh) name(c int) string {
	if c < 2*m.nodes {
		return linkName(c, m.nodes)
	}
	c -= 2 * m.nodes
	at := c / 4
	return fmt.Sprintf("switch%d,%d.%s", at%m.width, at/m.width, [...]string{"east", "west", "south", "north"}[c%4])
}
