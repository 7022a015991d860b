package host

import "fmt"

// Copy copies n bytes, in the cache or from memory to memory.
func (c *Context) Copy(n int, cached bool) {
	if n < 0 {
		panic(fmt.Sprintf("host: %v: %s copies %d bytes", c.host, c.Name(), n))
	}
	c.host.stats.Copied += uint64(n)
	if cached {
		c.Spend(c.host.spec.CopyHit.Time(n))
		return
	}
	c.occupy(c.host.spec.CopyMiss.Time(n), int64(n)+c.host.written(int64(n)), OnMemBus)
}

// MemRead reads n bytes that are not in the cache.
func (c *Context) MemRead(n int) { c.Compute(Work{Read: int64(n)}) }

// MemWrite writes n bytes that are not in the cache.
func (c *Context) MemWrite(n int) { c.Compute(Work{Write: int64(n)}) }

// CopyWithin copies n bytes of a space from one address to another. The speed depends on
// how much of both is in the cache; afterwards both are.
func (c *Context) CopyWithin(s *Space, from, to Addr, n int) { c.CopyBetween(s, from, s, to, n) }

// CopyBetween is CopyWithin from one space to another.
func (c *Context) CopyBetween(from *Space, at Addr, to *Space, into Addr, n int) {
	hit := (c.host.Touch(from, at, n) + c.host.Touch(to, into, n)) / 2
	if hit > 0 {
		c.Copy(hit, true)
	}
	if n > hit {
		c.Copy(n-hit, false)
	}
	to.CopyFrom(from, at, into, n)
}

// Touch brings n bytes at a into the cache and returns how many were there. It takes no
// time: the context that moves the bytes spends it.
func (h *Host) Touch(s *Space, a Addr, n int) (hit int) {
	blocks(s, a, n, func(b block, bytes int) {
		if h.cache.touch(b) {
			hit += bytes
		}
	})
	return hit
}

// Evict removes n bytes at a from the cache: a device has written them.
func (h *Host) Evict(s *Space, a Addr, n int) {
	blocks(s, a, n, func(b block, _ int) { h.cache.evict(b) })
}

// written returns the bus traffic of n bytes written.
func (h *Host) written(n int64) int64 {
	if h.spec.WriteFill {
		return 2 * n
	}
	return n
}
