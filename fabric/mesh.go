package fabric

import (
	"cmp"

	"fmt"
)

// mesh is a 2D mesh of switches with one node each. Routes go along the row
// first and then along the column; any other route could deadlock with those.
type mesh struct{ nodes, width int }

func newMesh(nodes, width int) mesh {
	return mesh{nodes, cmp.Or(width, squarest(nodes))}
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
	return m.link(at+m.step(direction), direction^1)
}

// step returns the difference of the numbers of two neighbouring switches.
func (m mesh) step(direction int) int {
	return [...]int{east: 1, west: -1, south: m.width, north: -m.width}[direction]
}

func (m mesh) route(path []int32, src, dst, _ int) []int32 {
	path = append(path, int32(src))
	for at := src; at != dst; {
		direction := north
		switch column, to := at%m.width, dst%m.width; {
		case column < to:
			direction = east
		case column > to:
			direction = west
		case at < dst:
			direction = south
		}
		path = append(path, m.link(at, direction))
		at += m.step(direction)
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
