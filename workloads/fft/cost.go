package fft

import "github.com/sigview/sigview/sim/host"

// The cost of each part, counted as a compiler for the simulated machines
// would order it: two float64 per element, operands in the first-level cache
// or in memory. A node's bands fit into the second-level cache or not.
type cost struct {
	shape
	cold bool // two bands do not fit into the outermost cache
	long bool // a row does not fit
}

func newCost(h shape, cacheBytes int) cost {
	return cost{
		shape: h,
		cold:  2*h.bandBytes() > cacheBytes,
		long:  2*h.root*elementBytes > cacheBytes,
	}
}

// butterfly: four multiplications and six additions; root and two operands
// loaded, two results stored.
var butterfly = host.Work{Flops: 10, Loads: 6, Stores: 4, Ints: 3}

// row returns the work of transforming one row, with the multiplication by a
// row of the matrix of roots when twiddle is set.
func (c *cost) row(twiddle bool) host.Work {
	n := int64(c.root)
	w := times(butterfly, n/2*int64(c.levels))
	w.Loads += 2 * n // bit reversal: each element moves once at most
	w.Stores += 2 * n
	w.Ints += 4 * n
	passes := int64(0)
	if c.cold {
		passes = 1
	}
	if c.long {
		passes = int64(c.levels)
	}
	w.Read += passes * n * elementBytes
	w.Write += passes * n * elementBytes
	if twiddle {
		w.Flops += 6 * n
		w.Loads += 4 * n
		w.Stores += 2 * n
		w.Ints += n
		if c.cold {
			w.Read += n * elementBytes // the roots are used once
		}
	}
	return w
}

// segment returns the work of moving n elements of a remote or own row to a
// column of the destination.
func (c *cost) segment(n int, remote bool) host.Work {
	e := int64(n)
	w := host.Work{Loads: 2 * e, Stores: 2 * e, Ints: 3 * e}
	if remote || c.cold {
		w.Read = e * elementBytes // a page that DMA has brought is not in the cache
	}
	if c.cold {
		w.Write = e * elementBytes
	}
	return w
}

// touch returns the work of adding up n elements for the first time.
func (c *cost) touch(n int) host.Work {
	e := int64(n)
	return host.Work{Flops: 2 * e, Ints: e, Read: e * elementBytes}
}

func times(w host.Work, n int64) host.Work {
	return host.Work{Flops: w.Flops * n, Ints: w.Ints * n, Loads: w.Loads * n, Stores: w.Stores * n}
}
