package host

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
)

// Route is how a CPU stores data to the device.
type Route uint8

// Routes. Not every host has the last two.
const (
	Words     Route = iota // word by word
	Combining              // by cache lines, into which the CPU combines stores; they may overtake one another
	MMX                    // by blocks of the size of its registers
	SSE                    // by non-temporal stores of cache lines; the source is prefetched
)

var routeNames = names.NewEnum[Route]("route", "word", "combining", "mmx", "sse")

// String returns the name.
func (r Route) String() string { return routeNames.Name(r) }

// Combined returns Combining or Words.
func Combined(yes bool) Route {
	if yes {
		return Combining
	}
	return Words
}

// Blocks are the stores of a route that is not by words. A block has the bus for all of its
// transactions.
type Blocks struct {
	Bytes int          `toml:"block_bytes" range:"pow2 8..512"`
	Store sim.Duration `toml:"block_ns" range:"0.001..1e5"` // of one block, the bus held
}

// Prefetched are blocks whose source is prefetched.
type Prefetched struct {
	Blocks
	Ahead int `toml:"ahead_bytes" range:"0..65536"` // between a store and the prefetch of its source: as much of a transfer is read first
}

// Routes returns the routes of the host.
func (s *Spec) Routes() []Route {
	out := []Route{Words, Combining}
	if s.MMX != nil {
		out = append(out, MMX)
	}
	if s.SSE != nil {
		out = append(out, SSE)
	}
	return out
}

// Offers returns nil if CPUs of the host can store by route r, and otherwise an error that lists
// the routes that they have.
func (s *Spec) Offers(r Route) error {
	var routes []string
	for _, x := range s.Routes() {
		if x == r {
			return nil
		}
		routes = append(routes, x.String())
	}
	return fmt.Errorf("the host does not store by %v, want one of: %s", r, strings.Join(routes, ", "))
}

// blocks returns the blocks of a route. It panics if the host does not have it.
func (s *Spec) blocks(by Route) Blocks {
	switch {
	case by == Words:
		return Blocks{WordBytes, s.PIOWrite}
	case by == Combining:
		return Blocks{s.CacheLine, s.PIOLine}
	case by == MMX && s.MMX != nil:
		return *s.MMX
	case by == SSE && s.SSE != nil:
		return s.SSE.Blocks
	}
	panic("host: " + s.Offers(by).Error())
}

// PIOWriteTime returns how long storing words to the device takes on an idle bus. The
// words of a partial block are sent as one block or singly, whichever is faster.
func (h *Host) PIOWriteTime(words int, by Route) sim.Duration {
	if short := &h.short[by]; uint(words) < uint(len(short)) && short[words] > 0 {
		return short[words]
	}
	b := h.spec.blocks(by)
	each := b.Bytes / WordBytes
	rest := min(b.Store, sim.Duration(words%each)*h.spec.PIOWrite)
	return sim.Duration(words/each)*b.Store + rest
}

// setShort computes the times of few words.
func (h *Host) setShort() {
	h.short = make([][32]sim.Duration, SSE+1)
	for _, r := range h.spec.Routes() {
		for words := range h.short[r] {
			h.short[r][words] = h.PIOWriteTime(words, r)
		}
	}
}

// PIOWrite stores words to the device.
func (c *Context) PIOWrite(words int, by Route) {
	c.host.stores(words, by)
	c.pio(c.host.PIOWriteTime(words, by))
}

// PIOAnnounce stores a word that tells the device of earlier stores. If stores are combined, the
// word may arrive first, unless a Fence or a store by another route lies between (grim §5.2.1). It
// returns how many words it may overtake.
func (c *Context) PIOAnnounce(by Route) (overtaken int) {
	if by == Combining {
		overtaken = c.host.loose
		c.host.stats.Overtaken += uint64(overtaken)
	}
	c.PIOWrite(1, by)
	return overtaken
}

// Fence empties the CPU's buffers of combined stores.
func (c *Context) Fence() { c.host.loose = 0 }

// buffered is how many cache lines of combined stores a CPU holds back (Pentium Pro: four).
const buffered = 4

// stores counts words stored. Stores that are not combined come after combined ones.
func (h *Host) stores(words int, by Route) {
	h.stats.Stored += uint64(words)
	if by != Combining {
		h.loose = 0
		return
	}
	h.loose = min(h.loose+words, buffered*h.spec.CacheLine/WordBytes)
}

// PIOWriteWhile is PIOWrite by a routine that spends d itself between the
// stores. It returns how long the stores take on an idle bus.
func (c *Context) PIOWriteWhile(d sim.Duration, words int, by Route) (held sim.Duration) {
	c.host.stores(words, by)
	held = c.host.PIOWriteTime(words, by)
	c.occupy(d+held, c.host.stored(words, by, held), OnIOBus)
	return held
}

// stored returns how many bytes of the bus's time stores take that take the CPU so long. A PCIe link carries what is stored,
// with a header for each block; the CPU's time is its own, and other CPUs store meanwhile.
func (h *Host) stored(words int, by Route, held sim.Duration) int64 {
	p := h.spec.PCIe
	if p == nil {
		return bytesIn(h.spec.IOBus, held)
	}
	bytes, block := words*WordBytes, h.spec.blocks(by).Bytes
	return int64(bytes + (bytes+block-1)/block*p.HeaderBytes)
}

// PIOWriteFrom stores n bytes of a space to the device, in whole words. The CPU waits for
// what it reads from memory, except what SSE prefetches while it stores. The traffic of
// these prefetches on the memory bus, no more than the device takes, is neglected.
func (c *Context) PIOWriteFrom(s *Space, a Addr, n int, by Route) {
	words := (n + WordBytes - 1) / WordBytes
	c.host.stores(words, by)
	held := c.host.PIOWriteTime(words, by)
	missed := n - c.host.Touch(s, a, n)
	waits := missed
	if by == SSE {
		waits = min(missed, c.host.spec.SSE.Ahead)
		held = max(held, c.host.spec.MemRead.Time(missed-waits))
	}
	c.MemRead(waits)
	c.pio(held)
}
