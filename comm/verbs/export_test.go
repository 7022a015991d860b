package verbs

// Cache is a cache for tests, of things that have numbers.
type Cache struct {
	cache
	things map[uint64]*cached
}

// NewCache returns an empty one.
func NewCache(size, ways int) *Cache { return &Cache{newCache(size, ways), map[uint64]*cached{}} }

// Lookup is cache.lookup, after which what was not there is.
func (c *Cache) Lookup(number uint64) bool {
	if c.things[number] == nil {
		c.things[number] = &cached{number: number}
	}
	hit := c.lookup(c.things[number])
	c.insert(c.things[number])
	return hit
}

// Kept returns the numbers of the atomic operations whose results a responder with a window keeps after these have ended.
func Kept(window int, ended ...uint32) (numbers []uint32) {
	q := &Pair{node: &Node{spec: Spec{Window: window}}}
	for _, psn := range ended {
		q.keep(psn, 0)
	}
	for i := range q.results.Len() {
		numbers = append(numbers, q.results.At(i).psn)
	}
	return numbers
}

// Counts returns how many lookups have found what they looked for, and how many have not.
func (c *Cache) Counts() (hits, misses uint64) { return c.hits, c.misses }
