package fabric

import (
	"cmp"
	"fmt"
)

// mesh is a mesh of switches in two or three dimensions, with equally many nodes at
// each but the last. Routes go along the rows first, then along the columns, then
// between the planes; any other route could deadlock with those.
type mesh struct {
	nodes, per int
	size       []int // switches along each dimension
}

func newMesh(t *Topology) mesh {
	m := mesh{nodes: t.Nodes, per: cmp.Or(t.SwitchNodes, 1)}
	n, dimensions := m.switches(), cmp.Or(t.Dimensions, 2)
	m.size = append(m.size, cmp.Or(t.Width, longest(n, dimensions)))
	for len(m.size) < dimensions-1 {
		m.size = append(m.size, longest(m.left(n), dimensions-len(m.size)))
	}
	m.size = append(m.size, m.left(n))
	return m
}

func (m mesh) switches() int { return (m.nodes + m.per - 1) / m.per }

// left returns how many of n switches are left for each position of the dimensions known so far.
func (m mesh) left(n int) int {
	for _, s := range m.size {
		n /= s
	}
	return n
}

// longest is the first side of the full mesh of n switches that is nearest to a square
// or a cube: the smallest divisor of n that is not below its root.
func longest(n, dimensions int) int {
	best := n
	for d := n; d > 0; d-- {
		volume := 1
		for range dimensions {
			volume *= d
		}
		if volume < n {
			break
		}
		if n%d == 0 {
			best = d
		}
	}
	return best
}

// A direction is 2·dimension, plus 1 towards lower positions.
var directions = [...]string{"east", "west", "south", "north", "up", "down"}

func (m mesh) channels() int { return 2*m.nodes + 2*len(m.size)*m.switches() }

func (m mesh) link(at, direction int) int32 {
	return int32(2*m.nodes + 2*len(m.size)*at + direction)
}

// from returns the switch and the direction of a channel between switches.
func (m mesh) from(c int) (at, direction int) {
	c -= 2 * m.nodes
	return c / (2 * len(m.size)), c % (2 * len(m.size))
}

// ways implements layout: one, because dimension order is what avoids deadlock.
func (m mesh) ways(int, int) int { return 1 }

func (m mesh) opposite(c int32) int32 {
	_, direction := m.from(int(c))
	_, to := m.ends(c)
	return m.link(int(to), direction^1)
}

func (m mesh) ends(c int32) (from, to int32) {
	if int(c) < 2*m.nodes {
		return edge(c, int32(m.nodes), func(node int) int { return node / m.per })
	}
	at, direction := m.from(int(c))
	step, size := 1, m.size[direction/2]
	for _, s := range m.size[:direction/2] {
		step *= s
	}
	switch place := at / step % size; {
	case direction%2 == 1 && place > 0:
		return int32(at), int32(at - step)
	case direction%2 == 0 && place < size-1:
		return int32(at), int32(at + step)
	}
	return noSwitch, noSwitch // at the border; no route takes it
}

func (m mesh) ports() int { return m.per + 2*len(m.size) }

func (m mesh) route(path []int32, src, dst, _ int) []int32 {
	path = append(path, int32(src))
	at, to, step := src/m.per, dst/m.per, 1
	for i, s := range m.size {
		for a, b := at/step%s, to/step%s; a != b; {
			direction, by := 2*i, 1
			if a > b {
				direction, by = direction+1, -1
			}
			path = append(path, m.link(at, direction))
			a, at = a+by, at+by*step
		}
		step *= s
	}
	return append(path, int32(m.nodes+dst))
}

func (m mesh) name(c int) string {
	if c < 2*m.nodes {
		return linkName(c, m.nodes)
	}
	at, direction := m.from(c)
	name := "switch"
	for i, s := range m.size {
		if i > 0 {
			name += ","
		}
		name += fmt.Sprint(at % s)
		at /= s
	}
	return name + "." + directions[direction]
}
