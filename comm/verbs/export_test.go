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
