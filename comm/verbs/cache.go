package verbs

// cache models which of many items the card has in its own memory: a fixed number, replaced by
// least recent use.
type cache struct {
	size, used int
	newest     *cached // a ring, in the order of their use
	misses     uint64
}

// cached is an item's position in a cache. The zero value is not in the cache.
type cached struct{ newer, older *cached }

// lookup reports whether an item is in the cache, and makes it the most recent one.
func (c *cache) lookup(e *cached) bool {
	if e == c.newest {
		return true
	}
	hit := e.newer != nil
	switch {
	case hit:
		c.remove(e)
	case c.used < c.size:
		c.misses++
		c.used++
	default:
		c.misses++
		c.remove(c.newest.newer) // the oldest
	}
	if n := c.newest; n == nil {
		e.newer, e.older = e, e
	} else {
		e.older, e.newer = n, n.newer
		n.newer.older, n.newer = e, e
	}
	c.newest = e
	return hit
}

func (c *cache) remove(e *cached) {
	e.newer.older, e.older.newer = e.older, e.newer
	if e == c.newest {
		c.newest = nil
	}
	*e = cached{}
}
