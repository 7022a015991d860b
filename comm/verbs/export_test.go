package verbs

// Cache is a cache for tests.
type Cache struct{ cache }

// NewCache returns an empty one.
func NewCache(size int) *Cache { return &Cache{newCache(size)} }

// Lookup is cache.lookup.
func (c *Cache) Lookup(key uint64) bool { return c.lookup(key) }
