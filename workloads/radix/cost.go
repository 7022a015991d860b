package radix

import (
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
)

// The cost of each part, counted as a compiler for the simulated machines
// would order it. Tables of one number per digit stay in the cache; keys may
// not.
type cost struct {
	cold      bool // a node's keys of source and destination do not fit into the outermost cache
	scattered bool // nor do the pages that a node writes in turns
	strange   bool // nor do their translations into the processor's table
}

// Assumed of all hosts: a table of 64 translations, the cycles of a walk
// through the page table in memory, and 8 bytes on the bus for a single store.
const (
	translations = 64
	walkCycles   = 30
	busBytes     = 8
)

func newCost(h shape, cacheBytes int) cost {
	pages := min(h.radix, (h.keys*keyBytes+svm.PageSize-1)/svm.PageSize)
	return cost{
		cold:      2*h.keys/h.nodes*keyBytes > cacheBytes,
		scattered: pages*svm.PageSize > cacheBytes,
		strange:   pages > translations,
	}
}

// count: key and counter loaded, shift, mask, addition, loop; counter stored.
func (c *cost) count(keys int) host.Work {
	n := int64(keys)
	w := host.Work{Loads: 2 * n, Stores: n, Ints: 5 * n}
	if c.cold {
		w.Read = n * keyBytes
	}
	return w
}

// sum returns the work of adding, or summing up, tables of n numbers. Fetched
// says how many of them have come over the network and are not in the cache.
func (c *cost) sum(n, fetched int) host.Work {
	e := int64(n)
	return host.Work{Loads: 2 * e, Stores: e, Ints: 3 * e, Read: int64(fetched) * keyBytes}
}

// move: key and place loaded, shift, mask, address, addition, loop; place and
// key stored, the key in a line that is not used again soon.
func (c *cost) move(keys int) host.Work {
	n := int64(keys)
	w := host.Work{Loads: 2 * n, Stores: 2 * n, Ints: 7 * n}
	if c.cold {
		w.Read = n * keyBytes
	}
	if c.scattered {
		w.Write = n * busBytes
	}
	if c.strange {
		w.Cycles = n * walkCycles
	}
	return w
}
