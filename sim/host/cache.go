package host

import (
	"slices"

	"github.com/sigview/sigview/sim"
)

// cache models which blocks of a program's memory are in the outermost cache, for copies
// whose speed depends on it. It has sets of four ways and draws victims at random, which
// approximates pseudo-LRU replacement and pages scattered in physical memory. A program
// that repeatedly reads more than the cache holds misses only a part of it.
type cache struct {
	ways  []block // by set
	sets  uint64
	drawn sim.Stream
}

type block struct {
	space  *Space
	number uint64 // of the block in the space, plus one
}

const (
	cacheBlock = 256 // bytes
	cacheWays  = 4
)

// newCache returns a cache of a size in bytes; one smaller than a set holds nothing.
// Its memory is allocated at the first use.
func newCache(bytes int, drawn sim.Stream) cache {
	return cache{sets: uint64(bytes / (cacheBlock * cacheWays)), drawn: drawn}
}

// touch makes a block the most recent of its set and reports whether it was there.
func (k *cache) touch(b block) bool {
	if k.sets == 0 {
		return false
	}
	if k.ways == nil {
		k.ways = make([]block, k.sets*cacheWays)
	}
	set := k.ways[b.number%k.sets*cacheWays:][:cacheWays]
	victim := -1
	for i := range set {
		switch set[i] {
		case b:
			return true
		case block{}:
			victim = i
		}
	}
	if victim < 0 {
		victim = k.drawn.Below(cacheWays)
	}
	set[victim] = b
	return false
}

func (k *cache) evict(b block) {
	if k.ways == nil {
		return
	}
	set := k.ways[b.number%k.sets*cacheWays:][:cacheWays]
	if i := slices.Index(set, b); i >= 0 {
		set[i] = block{}
	}
}

// blocks calls f for the blocks of n bytes at a, with the number of bytes in
// each.
func blocks(s *Space, a Addr, n int, f func(b block, bytes int)) {
	for n > 0 {
		part := min(n, cacheBlock-int(a%cacheBlock))
		f(block{s, uint64(a)/cacheBlock + 1}, part)
		a += Addr(part)
		n -= part
	}
}
