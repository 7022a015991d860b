package lu

import "github.com/sigview/sigview/sim/host"

// The cost of each part, counted as a compiler for the simulated machines
// would order it: inner loops that multiply a row by a number and subtract it
// from another one.
type cost struct {
	shape
	cold bool // a node's blocks do not fit into the outermost cache
}

func newCost(h shape, cacheBytes int) cost { return cost{h, h.area > cacheBytes} }

// A division takes the Pentium 39 cycles; it stands for all hosts.
const divideCycles = 39

// inner returns the work of n multiplications with a subtraction: two operands
// loaded, one result stored, loop.
func inner(n int64) host.Work { return host.Work{Flops: 2 * n, Loads: 2 * n, Stores: n, Ints: n} }

// own adds the reading and writing of a block of the node's own.
func (c *cost) own(w host.Work) host.Work {
	if c.cold {
		w.Read += int64(c.blockBytes())
		w.Write += int64(c.blockBytes())
	}
	return w
}

// factor: n(n−1)/2 divisions, n(n−1)(2n−1)/6 inner steps.
func (c *cost) factor() host.Work {
	n := int64(c.block)
	w := inner(n * (n - 1) * (2*n - 1) / 6)
	w.Cycles = n * (n - 1) / 2 * divideCycles
	return c.own(w)
}

// right: n² divisions, n·n(n−1)/2 inner steps.
func (c *cost) right() host.Work {
	n := int64(c.block)
	w := inner(n * n * (n - 1) / 2)
	w.Cycles = n * n * divideCycles
	return c.own(w)
}

// left: n·n(n−1)/2 inner steps.
func (c *cost) left() host.Work {
	n := int64(c.block)
	return c.own(inner(n * n * (n - 1) / 2))
}

// update: n³ inner steps.
func (c *cost) update() host.Work {
	n := int64(c.block)
	return c.own(inner(n * n * n))
}

// fetched is the first reading of a block that has come over the network.
func (c *cost) fetched() host.Work { return host.Work{Read: int64(c.blockBytes())} }
