package grim

import (
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

func newCache(pages int) cache { return cache{make([]page, pages)} }

// slot returns the entry of the cache that a page has to use.
func (k *cache) slot(p page) *page {
	return &k.entries[(p.number^uint64(p.process)*0x9e37)%uint64(len(k.entries))]
}

// Numbers of pages are stored plus one: zero is an empty entry.

// translate looks up the pages of n bytes of virtual memory, and runs a function when they are
// translated.
func (n *Node) translate(p *process, at host.Addr, bytes int, then func()) {
	if n.cached(p, at, bytes) {
		then()
		return
	}
	n.ask(then)
}

// cached looks up the pages of n bytes of virtual memory. It reports whether the cache has
// all of them; otherwise ask must follow.
func (n *Node) cached(p *process, at host.Addr, bytes int) bool {
	n.asked = n.asked[:0]
	for first, last := at.Page(), (at + host.Addr(max(1, bytes)) - 1).Page(); first <= last; first++ {
		q := page{p.id, uint64(first) + 1}
		if *n.cache.slot(q) == q {
			n.stats.Hits++
			n.nic.SpendTime(n.memory().Hit)
		} else {
			n.stats.Misses++
			n.nic.SpendTime(n.memory().Miss)
			n.asked = append(n.asked, q)
		}
	}
	return len(n.asked) == 0
}

// ask lets the host's driver translate the pages that the cache does not have, and then runs a
// function on the processor: the interface writes a request into host memory and interrupts; the
// driver writes the addresses into the interface. Deliveries behind wait, for they are in order.
func (n *Node) ask(then func()) {
	n.after = then
	n.request.Bytes, n.request.Arg = translationBytes, forTranslation
	n.request.Dir = ni.ToHost
	n.nic.HostDMA(&n.request)
}

// translations is the host's driver.
func (n *Node) translations(c *host.Context) {
	for {
		if len(n.asked) > 0 && n.after != nil && !n.served {
			n.served = true
			c.Spend(n.memory().Translate + sim.Duration(len(n.asked)-1)*n.memory().Page)
			n.replies++
			n.nic.Post()
		}
		c.WaitInterrupt("translations")
	}
}

// translated continues the delivery whose pages have been translated, and those behind it.
func (n *Node) translated() {
	for _, q := range n.asked {
		*n.cache.slot(q) = q
	}
	then := n.after
	n.after, n.served = nil, false
	then()
	for len(n.ordered) > 0 && n.after == nil {
		next := n.ordered[0]
		n.ordered = n.ordered[:copy(n.ordered, n.ordered[1:])]
		next()
	}
}

// stalled reports whether a delivery waits for a translation.
func (n *Node) stalled() bool { return n.after != nil || len(n.ordered) > 0 }

// inOrder runs a step of a delivery, when no earlier one waits for a translation.
func (n *Node) inOrder(f func()) {
	if n.stalled() {
		n.ordered = append(n.ordered, f)
		return
	}
	f()
}

func (n *Node) memory() *Memory { return &n.spec.Memory }
