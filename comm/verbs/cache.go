package verbs

// cache models which of many items the card has in its own memory. An item belongs to one set by its number, and a new
// item takes the place of any one of a full set: which one is drawn, from a sequence of the cache's own.
type cache struct {
	sets         [][]*cached
	ways         int
	drawn        uint64
	hits, misses uint64
}

// cached is an item that may be in a cache. The zero value is not.
type cached struct {
	in     bool
	number uint64 // which says its set
}

// newCache returns a cache for so many items, in sets of ways, or one smaller set.
func newCache(size, ways int) cache {
	ways = min(ways, size)
	return cache{sets: make([][]*cached, size/ways), ways: ways, drawn: 1}
}

// lookup reports whether an item is in the cache.
func (c *cache) lookup(e *cached) bool {
	if e.in {
		c.hits++
	} else {
		c.misses++
	}
	return e.in
}

// insert puts an item that has been read into its set.
func (c *cache) insert(e *cached) {
	if e.in {
		return
	}
	e.in = true
	set := &c.sets[e.number%uint64(len(c.sets))]
	if len(*set) < c.ways {
		*set = append(*set, e)
		return
	}
	// The victim, by a linear congruential generator (Knuth's MMIX), whose high bits are the random ones.
	c.drawn = c.drawn*6364136223846793005 + 1442695040888963407
	victim := &(*set)[(c.drawn>>33)%uint64(c.ways)]
	(*victim).in = false
	*victim = e
}
