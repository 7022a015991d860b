package ocean

import "github.com/sigview/sigview/sim/host"

// cost of relaxing, counted as a compiler for the simulated machines would
// order it.
type cost struct {
	shape
	cold bool // a node's bands do not fit into the outermost cache
}

func newCost(h shape, cacheBytes int) cost { return cost{h, 2*h.area > cacheBytes} }

// relax returns the work of relaxing points, in so many rows: the point, four
// neighbours and the right side loaded, the point stored; eight operations,
// and two for the residual.
func (c *cost) relax(points, rows int) host.Work {
	n := int64(points)
	w := host.Work{Flops: 10 * n, Loads: 6 * n, Stores: n, Ints: 4 * n}
	if c.cold {
		w.Read = 2 * int64(rows*c.rowBytes())
		w.Write = int64(rows * c.rowBytes())
	}
	return w
}

// fetched is the first reading of a row that has come over the network.
func (c *cost) fetched() host.Work { return host.Work{Read: int64(c.rowBytes())} }
