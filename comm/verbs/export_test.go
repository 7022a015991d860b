package verbs

// Cache is a cache for tests, of things that have numbers.
type Cache struct {
	cache
	things map[uint64]*cached
}

// NewCache returns an empty one.
func NewCache(size int) *Cache { return &Cache{cache{size: size}, map[uint64]*cached{}} }

// Lookup is cache.lookup.
func (c *Cache) Lookup(number uint64) bool {
	if c.things[number] == nil {
		c.things[number] = &cached{}
	}
	return c.lookup(c.things[number])
}
