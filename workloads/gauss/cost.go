package gauss

import "github.com/sigview/sigview/sim/host"

// The cost of each part, counted as a compiler for the simulated machines
// would order it, operands in the first-level cache or in memory.
type cost struct {
	order int
	rows  int // of this node
	cache int // bytes of the outermost cache
}

func newCost(order, rows, cacheBytes int) cost { return cost{order, rows, cacheBytes} }

// divideCycles is a division of two float64 on a Pentium; later processors
// take about as many.
const divideCycles = 39

// search returns the work of finding the largest of n elements. Those that
// have just come from the network are not in the cache.
func (c *cost) search(n int, received bool) host.Work {
	w := host.Work{Loads: int64(n), Ints: 3 * int64(n)}
	if received {
		w.Read = int64(n) * elementBytes
	}
	return w
}

// lineBytes is what one element out of the cache brings along.
const lineBytes = 32

// exchange returns the work of exchanging two columns in n rows.
func (c *cost) exchange(n int) host.Work {
	w := host.Work{Loads: 2 * int64(n), Stores: 2 * int64(n), Ints: 3 * int64(n)}
	if n*c.order*elementBytes > c.cache {
		w.Read = 2 * lineBytes * int64(n)
		w.Write = w.Read
	}
	return w
}

// eliminate returns the work of n rows of which length elements are left: a
// division each, then a multiplication and a subtraction per element.
func (c *cost) eliminate(length, n int) host.Work {
	rows, e := int64(n), int64(n)*int64(length-1)
	w := host.Work{
		Cycles: divideCycles * rows, Flops: 2 * e,
		Loads: rows + 2*e, Stores: rows + e, Ints: 4*rows + e,
	}
	if n*length*elementBytes > c.cache {
		w.Read = (e + rows) * elementBytes
		w.Write = w.Read
	}
	return w
}
