package vmmc

import "github.com/sigview/sigview/host"

// tlb is the user-managed translation cache in SRAM: direct mapped, one entry
// per virtual page. A miss fetches the entry from the user's table in host
// memory.
type tlb struct {
	entries      []uint64 // page number + 1
	hits, misses uint64
}

func newTLB(entries int) tlb { return tlb{entries: make([]uint64, entries)} }

// lookup reports whether the page of addr in a space was cached, and caches it.
func (t *tlb) lookup(space uint32, addr host.Addr) bool {
	page := uint64(addr)>>12 + 1 | uint64(space)<<48
	slot := &t.entries[(page^uint64(space)*0x9e37)%uint64(len(t.entries))]
	if *slot == page {
		t.hits++
		return true
	}
	*slot = page
	t.misses++
	return false
}
