package vmmc

import "github.com/sigview/sigview/sim/host"

// tlb is the user-managed translation cache in SRAM: direct mapped, one entry
// per virtual page. A miss fetches the entry from the user's table in host
// memory.
type tlb struct {
	entries      uint64
	blocks       []*[tlbBlock]uint64 // page number + 1; blocks are made when used first
	hits, misses uint64
}

const tlbBlock = 64

func newTLB(entries int) tlb {
	return tlb{entries: uint64(entries), blocks: make([]*[tlbBlock]uint64, (entries+tlbBlock-1)/tlbBlock)}
}

// lookup reports whether the page of addr in a space was cached, and caches it.
func (t *tlb) lookup(space uint32, addr host.Addr) bool {
	page := uint64(addr)>>12 + 1 | uint64(space)<<48
	i := (page ^ uint64(space)*0x9e37) % t.entries
	block := t.blocks[i/tlbBlock]
	if block == nil {
		block = new([tlbBlock]uint64)
		t.blocks[i/tlbBlock] = block
	}
	slot := &block[i%tlbBlock]
	if *slot == page {
		t.hits++
		return true
	}
	*slot = page
	t.misses++
	return false
}
