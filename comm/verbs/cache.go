package verbs

// cache holds which of many things the card has at hand: the least recently used one makes room. The
// zero value with a size is empty.
type cache struct {
	size         int
	index        map[uint64]*cached
	newest       *cached // a ring, in the order of their use
	hits, misses uint64
}

type cached struct {
	key          uint64
	newer, older *cached
}

func newCache(size int) cache { return cache{size: size, index: map[uint64]*cached{}} }

// lookup reports whether the cache has a key, which it has from then on.
func (c *cache) lookup(key uint64) bool {
	if c.newest != nil && c.newest.key == key {
		c.hits++
		return true
	}
	e, hit := c.index[key]
	switch {
	case hit:
		c.hits++
		e.newer.older, e.older.newer = e.older, e.newer
	case len(c.index) < c.size:
		c.misses++
		e = &cached{key: key}
	default:
		c.misses++
		e = c.newest.newer // the oldest
		delete(c.index, e.key)
		e.newer.older, e.older.newer = e.older, e.newer
		if e == c.newest {
			c.newest = nil
		}
		e.key = key
	}
	c.index[key] = e
	c.first(e)
	return hit
}

// first makes an element that is in no ring the newest.
func (c *cache) first(e *cached) {
	if n := c.newest; n == nil {
		e.newer, e.older = e, e
	} else {
		e.older, e.newer = n, n.newer
		n.newer.older, n.newer = e, e
	}
	c.newest = e
}
