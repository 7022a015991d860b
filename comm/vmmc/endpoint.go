package vmmc

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Process gives a process with memory space access to the interface. Every
// packet of the process carries the tag.
func (n *Node) Process(space *host.Space, tag trace.Tag) *Endpoint {
	ep := &Endpoint{node: n, space: space, id: uint32(len(n.processes) + 1), tag: tag}
	n.processes = append(n.processes, ep)
	return ep
}

// Space returns the memory of the process.
func (ep *Endpoint) Space() *host.Space { return ep.space }

// Send deposits bytes from local memory at offset of the imported region.
// The send is asynchronous: it returns when the request is in the interface's
// queue. The buffer must stay unchanged until the interface has fetched it,
// except for messages of at most Spec.InlineBytes, whose data is part of the
// request. When the queue is full Send waits until a quarter of it is free. With
// notify the receiver's notification handler runs when the last byte has
// arrived. The time spent is the send overhead O_s, which grows when the request
// queue is full.
func (ep *Endpoint) Send(c *host.Context, local host.Addr, to deposit.Import, offset, bytes int, meta trace.Meta, notify bool) error {
	m, err := ep.message(local, to, offset, bytes, meta, notify)
	if err != nil {
		return err
	}
	ep.postFrom(c, local, m)
	return nil
}

// SendTracked is Send without a notification. It reports to done when the
// interface has fetched the data.
func (ep *Endpoint) SendTracked(c *host.Context, local host.Addr, to deposit.Import, offset, bytes int, meta trace.Meta, done *Completion) error {
	m, err := ep.message(local, to, offset, bytes, meta, false)
	if err != nil {
		return err
	}
	ep.track(m, done)
	ep.postFrom(c, local, m)
	return nil
}

// postFrom posts a message whose data lies at local.
func (ep *Endpoint) postFrom(c *host.Context, local host.Addr, m *message) {
	if ep.node.inline(m) {
		ep.space.ReadAt(local, m.body[:m.bytes])
	}
	ep.post(c, m)
}

// SendFrame is Send of a frame that is bound at local. The interface reads this
// frame even if another one has been bound at the address meanwhile.
func (ep *Endpoint) SendFrame(c *host.Context, local host.Addr, frame []byte, to deposit.Import, offset int, meta trace.Meta) error {
	m, err := ep.message(local, to, offset, len(frame), meta, false)
	if err != nil {
		return err
	}
	m.rare().frame = frame
	if len(frame) <= ep.node.spec.InlineBytes {
		copy(m.body[:], frame)
	}
	ep.post(c, m)
	return nil
}

func (ep *Endpoint) message(local host.Addr, through deposit.Import, offset, bytes int, meta trace.Meta, notify bool) (*message, error) {
	to := ep.own(through)
	switch {
	case to == nil:
		return nil, fmt.Errorf("vmmc: send through an import that is not this endpoint's")
	case bytes <= 0 || offset < 0 || bytes > to.bytes-offset:
		return nil, fmt.Errorf("vmmc: send of %d B at offset %d into an import of %d B", bytes, offset, to.bytes)
	case !ep.space.Valid(local, bytes):
		return nil, fmt.Errorf("vmmc: send of %d B from %#x, which is not all allocated", bytes, local)
	case bytes > math.MaxInt32:
		return nil, fmt.Errorf("vmmc: send of %d B, want at most %d", bytes, math.MaxInt32)
	}
	m := ep.node.newMessage()
	meta.Tag = ep.tag
	m.peer, m.handle, m.skew, m.offset = to.peer, to.id, to.skew, offset
	m.bytes, m.meta, m.notify = int32(bytes), meta, notify
	m.sent, m.slots = 0, 1
	if !ep.node.inline(m) {
		m.setSource(ep, local)
	}
	if x := m.more; x != nil {
		x.whole, x.frame, x.copies, x.fetched, x.done = nil, nil, x.copies[:0], x.fetched[:0], nil
	}
	return m, nil
}

// inline reports whether a message's data is in its request.
func (n *Node) inline(m *message) bool { return int(m.bytes) <= n.spec.InlineBytes }

// setSource makes a message's data, which is not inline, that of a process at an address.
func (m *message) setSource(ep *Endpoint, local host.Addr) {
	binary.LittleEndian.PutUint32(m.body[:], ep.id)
	binary.LittleEndian.PutUint64(m.body[8:], uint64(local))
}

// source returns the process whose data it is, and its address.
func (n *Node) source(m *message) (*Endpoint, host.Addr) {
	return n.processes[binary.LittleEndian.Uint32(m.body[:])-1], host.Addr(binary.LittleEndian.Uint64(m.body[8:]))
}

// post enters the library, waits for room in the request queue and writes the
// request.
func (ep *Endpoint) post(c *host.Context, m *message) {
	n := ep.node
	words := n.words(m)
	most := int32(n.nic.Spec().RequestSlots)
	for {
		for n.slots+int32(m.slots) > most {
			c.Spin(&n.room, "an entry of the request queue")
			c.PIORead(1)
		}
		n.nic.StoreRequest(c, n.spec.Host.Send, words, host.Combining)
		if n.slots+int32(m.slots) <= most {
			break
		} // a context that interrupted this one has taken the entry
	}
	n.slots += int32(m.slots)
	n.queue.Push(m)
	m.posted = n.nic.Post()
}

// rare returns the fields that few messages need, and allocates them at the first use.
func (m *message) rare() *more {
	if m.more == nil {
		m.more = &more{}
	}
	return m.more
}

// whole returns what is kept of a multicast that is all in SRAM before the second receiver's turn,
// or nil.
func (m *message) whole() *whole {
	if m.more == nil {
		return nil
	}
	return m.more.whole
}

// copies returns the additional receivers of a message.
func (m *message) copies() []target {
	if m.more == nil {
		return nil
	}
	return m.more.copies
}

func (n *Node) newMessage() *message {
	if k := len(n.msgFree); k > 0 {
		m := n.msgFree[k-1]
		n.msgFree = n.msgFree[:k-1]
		return m
	}
	return &message{}
}
