package tpil

import (
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Injector injects data of one process into a card.
type Injector struct {
	spec  Spec
	host  *host.Host
	space *host.Space
	plan  Plan
	driver
	buffer host.Addr // pinned and contiguous
}

// New returns the injector of a process whose memory is space. The plan says which mechanism
// takes which size. The card's control program must be loaded before the first injection. One
// context at a time may inject.
func New(card *ni.NIC, space *host.Space, spec Spec, plan Plan) *Injector {
	return &Injector{
		spec: spec, host: card.Host(), space: space, plan: plan,
		driver: driver{card: card, words: spec.ProgramWords},
		buffer: space.Alloc(int64(spec.BufferBytes)),
	}
}

// Inject moves n bytes at from of the process's memory into the card by the mechanism of the
// plan. It returns when the card has them and the memory may be written again. The content
// is the caller's business: only time passes.
func (i *Injector) Inject(c *host.Context, from host.Addr, n int) { i.By(c, i.plan.Best(n), from, n) }

// By is Inject by a mechanism that the host has.
func (i *Injector) By(c *host.Context, m Mechanism, from host.Addr, n int) {
	switch {
	case n <= 0:
	case m == OneCopy:
		i.copied(c, from, n, i.spec.BufferBytes)
	case m == DoubleBuffered:
		i.copied(c, from, n, i.spec.BufferBytes/2)
	case m == ZeroCopy:
		i.pages(c, from, n)
	default:
		c.PIOWriteFrom(i.space, from, n, m.route())
	}
}

// copied injects by way of the pinned buffer, one piece after another. A piece is copied while the
// card reads the one before, if the buffer has room for two.
func (i *Injector) copied(c *host.Context, from host.Addr, n, piece int) {
	places := i.spec.BufferBytes / piece
	for k := 0; n > 0; k++ {
		part := min(n, piece)
		if places == 1 {
			i.await(c)
		}
		place := i.buffer + host.Addr(k%places*piece)
		i.host.Evict(i.space, place, part) // the card's reads have taken modified lines out of the cache
		c.CopyWithin(i.space, from, place, part)
		i.await(c)
		c.Spend(i.spec.Call)
		i.start(c, part)
		from += host.Addr(part)
		n -= part
	}
	i.await(c)
}

// pages injects from the pages of the process.
func (i *Injector) pages(c *host.Context, from host.Addr, n int) {
	first := host.PageBytes - from.Offset()
	pages := 1 + (max(0, n-first)+host.PageBytes-1)/host.PageBytes
	c.Spend(i.spec.Call + sim.Duration(pages)*i.spec.Pin)
	var parts []int
	for part := min(n, first); n > 0; part = min(n, host.PageBytes) {
		parts = append(parts, part)
		n -= part
	}
	i.chain(c, parts)
	i.await(c)
}
