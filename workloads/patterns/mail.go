package patterns

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/content"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

func (m *member) peer(i int) *peer { return of(m.peers, i) }

// of returns the element of node i. It allocates the element's block at the first use.
func of[T any](blocks []*[block]T, i int) *T {
	b := &blocks[uint(i)/block]
	if *b == nil {
		*b = new([block]T)
	}
	return &(*b)[uint(i)%block]
}

// open sets up a member's memory and exports.
func (m *member) open() error {
	s := &m.p.spec
	m.space = m.port.Space()
	ring := m.p.slots * m.p.stride
	m.inbox = m.space.Alloc(int64(s.Nodes * ring))
	m.rooms = m.space.Alloc(int64(4 * s.Nodes))
	m.outs = m.space.Alloc(int64(m.buffers() * m.p.stride))
	blocks := (s.Nodes + block - 1) / block
	m.parts = make(map[int]int)
	m.peers, m.others = make([]*[block]peer, blocks), make([]*[block]imports, blocks)
	var err error
	if m.box, err = m.port.Export(m.inbox, s.Nodes*ring, nil); err != nil {
		return err
	}
	m.box.OnWrite(m.arrived)
	if m.credits, err = m.port.Export(m.rooms, 4*s.Nodes, nil); err != nil {
		return err
	}
	m.credits.OnWrite(m.credited)
	return nil
}

// buffers returns how many buffers are needed: after as many sends one may be written again.
func (m *member) buffers() int { return m.port.Depth() + 1 }

// arrived records a packet in the inbox; it runs when the bytes are in memory. A message is there
// when all its bytes are: its last packet may overtake others.
func (m *member) arrived(d deposit.Arrival) {
	s := &m.p.spec
	slots, stride := m.p.slots, m.p.stride
	ring := slots * stride
	from, slot := d.Offset/ring, d.Offset%ring/stride
	if from != d.From {
		m.p.wrong("node %d: a packet of node %d came into the ring of node %d", m.id, d.From, from)
		return
	}
	q := m.peer(from)
	ahead := (slot + slots - int(q.come)%slots) % slots
	number := q.come + uint32(ahead)
	want := s.size(m.id, number)
	if n := d.Offset + d.Bytes - from*ring - slot*stride; d.Last && n != want {
		m.p.wrong("node %d: message %d of node %d has %d B, want %d", m.id, number, from, n, want)
	}
	if d.Bytes < want {
		at := from*slots + slot
		if m.parts[at] += d.Bytes; m.parts[at] < want {
			return
		}
		delete(m.parts, at)
	}
	q.early |= 1 << ahead
	for n := bits.TrailingZeros32(^q.early); n > 0; n-- {
		q.early >>= 1
		q.come++
		m.ready.Push(int32(from))
	}
	m.wake.Fire()
}

// credited stores a receiver's credit, unless a later credit has overtaken it.
func (m *member) credited(d deposit.Arrival) {
	i := d.Offset / 4
	q := m.peer(i)
	v := m.space.Load32(m.rooms + host.Addr(4*i))
	if i != d.From || v > q.sent {
		m.p.wrong("node %d: node %d says that it has read %d messages of %d", m.id, d.From, v, q.sent)
		return
	}
	q.room = max(q.room, v)
	m.wake.Fire()
}

// room waits until a node has room for another message.
func (m *member) room(c *host.Context, to int) {
	q := m.peer(to)
	for q.sent-q.room >= uint32(m.p.slots) {
		if !m.take(c) {
			m.wait(c, "room in a ring")
		}
	}
}

// send sends the next message for a node, which has room, from a buffer.
func (m *member) send(c *host.Context, to int, buffer host.Addr, kind trace.Kind) {
	s := &m.p.spec
	q := m.peer(to)
	x := of(m.others, to)
	if x.to == nil {
		x.to = m.connect(m.p.members[to].box)
	}
	slot := int(q.sent) % m.p.slots
	offset := (m.id*m.p.slots + slot) * m.p.stride
	n := s.size(to, q.sent)
	q.sent++
	was := c.Enter(host.Messaging)
	m.post(c, buffer, x.to, offset, n, kind)
	c.Enter(was)
}

func (m *member) post(c *host.Context, at host.Addr, to deposit.Import, offset, n int, kind trace.Kind) {
	if err := m.port.Send(c, at, to, offset, n, trace.Meta{Kind: kind}, false); err != nil {
		panic(fmt.Sprintf("patterns: node %d at %v: %v", m.id, c.Now(), err))
	}
}

func (m *member) connect(x deposit.Export) deposit.Import {
	i, err := m.port.Import(x)
	if err != nil {
		panic(fmt.Sprintf("patterns: node %d: %v", m.id, err))
	}
	return i
}

// buffer returns the next buffer to send from. What was sent from it before has
// been fetched, if every buffer taken since has been sent.
func (m *member) buffer() host.Addr {
	at := m.outs + host.Addr(m.next*m.p.stride)
	m.next = (m.next + 1) % m.buffers()
	return at
}

// message is a message that has been read: its description, or if it has none its bytes.
type message struct {
	part  content.Part
	bytes []byte
}

// read takes the n bytes at an address.
func (x *message) read(s *host.Space, at host.Addr, n int) {
	var ok bool
	if x.part, ok = s.Described(at, n); !ok {
		x.bytes = slices.Grow(x.bytes[:0], n)[:n]
		s.ReadAt(at, x.bytes)
	}
}

// content returns the bytes, until the next message is read.
func (x *message) content() []byte {
	if x.part.Source != nil {
		x.bytes = slices.Grow(x.bytes[:0], x.part.Bytes)[:x.part.Bytes]
		x.part.Read(x.bytes)
	}
	return x.bytes
}

// compose spends the pause, then writes a message into the next buffer.
func (m *member) compose(c *host.Context, l letter) host.Addr {
	s := &m.p.spec
	c.Compute(host.Work{Time: m.p.pause(m), Stores: int64(s.Bytes / 4)})
	at := m.buffer()
	m.space.Make(at, content.Part{Source: l.words(), Bytes: s.Bytes})
	return at
}

// take reads one arrived message, if any, and passes it to the pattern.
func (m *member) take(c *host.Context) bool {
	if m.ready.Len() == 0 {
		return false
	}
	from := int(m.ready.Pop())
	s := &m.p.spec
	q := m.peer(from)
	slot := int(q.read) % m.p.slots
	n := s.size(m.id, q.read)
	m.got.read(m.space, m.inbox+host.Addr((from*m.p.slots+slot)*m.p.stride), n)
	was := c.Enter(host.Messaging)
	c.MemRead(n)
	c.Enter(was)
	number := q.read
	q.read++
	m.read++
	if s.answered() {
		q.room = q.sent // it has read all, or it would not have gone on
	}
	m.p.use(c, m, from, number)
	m.returnCredit(c, from, q)
	return true
}

// check compares the message read last with what it should be.
func (m *member) check(l letter) {
	m.p.messages++
	if m.got.part.Source == content.Source(l.words()) && m.got.part.From == 0 {
		return
	}
	b := m.got.content()
	if at, want := l.words().Differs(b); at >= 0 {
		m.p.wrong("node %d: message %d of node %d: byte %d of %d is %#02x, want %#02x", m.id, l.number, l.from, at, len(b), b[at], want)
	}
}

// returnCredit sends a sender credit when half of its ring has been read, unless the sender has all
// the room that it needs.
func (m *member) returnCredit(c *host.Context, from int, q *peer) {
	s := &m.p.spec
	slots := uint32(m.p.slots)
	if s.answered() || q.read-q.credited < (slots+1)/2 || s.fixed() && uint32(s.Count)-q.credited <= slots {
		return
	}
	x := of(m.others, from)
	if x.back == nil {
		x.back = m.connect(m.p.members[from].credits)
	}
	q.credited = q.read
	at := m.buffer()
	m.space.Store32(at, q.credited)
	was := c.Enter(host.Messaging)
	m.post(c, at, x.back, 4*m.id, 4, trace.Credit)
	c.Enter(was)
	m.p.credits++
}

// wait spins until something has arrived.
func (m *member) wait(c *host.Context, reason string) {
	was := c.Enter(host.MessageWait)
	m.port.Wait(c, &m.wake, reason)
	c.Enter(was)
}

// receive reads messages until n have been read.
func (m *member) receive(c *host.Context, n uint32) {
	for m.read < n {
		if !m.take(c) {
			m.wait(c, "a message")
		}
	}
}
