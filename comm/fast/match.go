package fast

import (
	"math/bits"

	"github.com/sigview/sigview/sim"
)

// item is a message without a receive, or a receive without a message. Receives may have
// wildcard as peer and tag.
type item struct {
	peer, tag int32
	value     int32    // bytes of a message, ID of a receive
	next      int32    // in its chain or in the free list, 1-based
	order     uint64   // of the list's items
	at        sim.Time // when a message was stored
}

// pool has the items of all ranks.
type pool struct {
	items []item
	free  int32 // 1-based
	order uint64
}

func (p *pool) take(x item) int32 {
	p.order++
	x.order = p.order
	i := p.free
	if i == 0 {
		p.items = append(p.items, x)
		return int32(len(p.items))
	}
	p.free = p.items[i-1].next
	p.items[i-1] = x
	return i
}

// list has items in order, in chains by peer, so that those of other peers need not be
// looked at.
type list struct {
	n     int
	anys  chain // items whose peer is Any
	mask  int32
	peers []chain // by peer and mask; made by the first item
}

// chain is a queue of items, 1-based.
type chain struct{ head, tail int32 }

// newList returns the list of one of so many ranks.
func newList(ranks int) list {
	return list{mask: int32(min(mostChains, 1<<bits.Len(uint(ranks-1)))) - 1}
}

const mostChains = 64

func (l *list) chain(peer int32) *chain {
	if peer == wildcard {
		return &l.anys
	}
	return &l.peers[peer&l.mask]
}

func (l *list) add(p *pool, x item) {
	if l.peers == nil {
		l.peers = make([]chain, l.mask+1)
	}
	x.next = 0
	i := p.take(x)
	c := l.chain(x.peer)
	if c.tail == 0 {
		c.head = i
	} else {
		p.items[c.tail-1].next = i
	}
	c.tail = i
	l.n++
}

// place is the position of an item in a chain: the chain, and the item before it.
type place struct {
	chain      *chain
	at, before int32
}

// find returns the place of the first item of a chain that matches an item of the other sort.
func (c *chain) find(p *pool, peer, tag int32) (w place, ok bool) {
	before := int32(0)
	for i := c.head; i != 0; i = p.items[i-1].next {
		if x := &p.items[i-1]; takes(peer, tag, x.peer, x.tag) || takes(x.peer, x.tag, peer, tag) {
			return place{c, i, before}, true
		}
		before = i
	}
	return w, false
}

// match removes the first item that matches a message, or a receive, with this peer and tag. It
// reports whether there is one.
func (l *list) match(p *pool, peer, tag int32) (x item, ok bool) {
	if l.n == 0 {
		return x, false
	}
	w, ok := l.anys.find(p, peer, tag)
	earlier := func(c *chain) {
		if v, has := c.find(p, peer, tag); has && (!ok || p.items[v.at-1].order < p.items[w.at-1].order) {
			w, ok = v, true
		}
	}
	if peer != wildcard {
		earlier(l.chain(peer))
	} else {
		for i := range l.peers {
			earlier(&l.peers[i])
		}
	}
	if !ok {
		return x, false
	}
	x = p.items[w.at-1]
	if w.before == 0 {
		w.chain.head = x.next
	} else {
		p.items[w.before-1].next = x.next
	}
	if w.chain.tail == w.at {
		w.chain.tail = w.before
	}
	p.items[w.at-1].next = p.free
	p.free = w.at
	l.n--
	return x, true
}
