package verbs

// cache is which of many things the card has at hand, so many at most: the least recently used one makes
// room.
type cache struct {
	size, used int
	newest     *cached // a ring, in the order of their use
	misses     uint64
}

// cached is the place of a thing in a cache. The zero value is that of one that is not there.
type cached struct{ newer, older *cached }

// lookup reports whether the cache has a thing, which it has from then on.
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
