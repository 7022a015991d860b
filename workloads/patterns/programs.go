package patterns

import (
	"cmp"
	"encoding/binary"

	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// programs holds the program of each pattern.
var programs = [numShapes]func(*Pattern, *host.Context, *member){
	PingPong:         (*Pattern).pingPong,
	Stream:           (*Pattern).stream,
	AllToAll:         (*Pattern).allToAll,
	Random:           (*Pattern).random,
	HotSpot:          (*Pattern).random,
	Broadcast:        (*Pattern).broadcast,
	ProducerConsumer: (*Pattern).produce,
	Incast:           (*Pattern).incast,
	CentralQueue:     (*Pattern).central,
}

// put sends a node its next message.
func (p *Pattern) put(c *host.Context, m *member, to int) {
	m.room(c, to)
	at := m.compose(c, letter{p.spec.Seed, m.id, to, m.peer(to).sent})
	m.send(c, to, at, trace.Data)
}

// use handles a message that a node has read: some patterns answer it.
func (p *Pattern) use(c *host.Context, m *member, from int, number uint32) {
	switch p.spec.Shape {
	case CentralQueue:
		p.serve(c, m, from, number)
	case Broadcast:
		m.check(letter{p.spec.Seed, from, everybody, number})
	case Incast:
		if m.id == 0 {
			m.check(letter{p.spec.Seed, from, m.id, number})
		}
	case ProducerConsumer:
		m.check(letter{p.spec.Seed, from, m.id, number})
		c.Compute(host.Work{Time: p.spec.gap()})
	default:
		m.check(letter{p.spec.Seed, from, m.id, number})
	}
}

// partner is the other node of a pair of neighbours; ok is false for the last
// of an odd number of nodes.
func (p *Pattern) partner(m *member) (other int, ok bool) {
	other = m.id ^ 1
	return other, other < p.spec.Nodes
}

func (p *Pattern) pingPong(c *host.Context, m *member) {
	other, ok := p.partner(m)
	for i := uint32(0); ok && i < uint32(p.spec.Count); i++ {
		if m.id < other {
			p.put(c, m, other)
			m.receive(c, i+1)
		} else {
			m.receive(c, i+1)
			p.put(c, m, other)
		}
	}
}

func (p *Pattern) stream(c *host.Context, m *member) {
	if other, ok := p.partner(m); ok {
		p.oneWay(c, m, other, m.id < other)
	}
}

// oneWay lets one node of a pair send all messages and the other read them.
func (p *Pattern) oneWay(c *host.Context, m *member, to int, sends bool) {
	if !sends {
		m.receive(c, uint32(p.spec.Count))
		return
	}
	for range p.spec.Count {
		p.put(c, m, to)
	}
}

// allToAll sends in an order that gives every receiver one sender at a time.
func (p *Pattern) allToAll(c *host.Context, m *member) {
	n := p.spec.Nodes
	for range p.spec.Count {
		for k := 1; k < n; k++ {
			p.put(c, m, (m.id+k)%n)
		}
	}
	m.receive(c, uint32(p.spec.Count*(n-1)))
}

func (p *Pattern) random(c *host.Context, m *member) {
	stream := p.choice.stream(m.id)
	for range p.spec.Count {
		p.put(c, m, p.choice.draw(&stream, m.id))
	}
	m.receive(c, p.choice.expect[m.id])
}

// broadcast sends the same buffer to one node after the other, as a library
// over a network without broadcast does.
func (p *Pattern) broadcast(c *host.Context, m *member) {
	if m.id != 0 {
		m.receive(c, uint32(p.spec.Count))
		return
	}
	for i := range uint32(p.spec.Count) {
		at := m.compose(c, letter{p.spec.Seed, 0, everybody, i})
		for to := 1; to < p.spec.Nodes; to++ {
			m.room(c, to)
			m.send(c, to, at, trace.Broadcast)
		}
	}
}

func (p *Pattern) produce(c *host.Context, m *member) {
	if half := p.spec.Nodes / 2; m.id < 2*half {
		p.oneWay(c, m, m.id+half, m.id < half)
	}
}

// incast lets the senders send to node 0, all they have or a burst whenever it asks them. It asks when
// it has read what they all have sent.
func (p *Pattern) incast(c *host.Context, m *member) {
	s := &p.spec
	switch {
	case m.id > s.Senders:
	case m.id > 0:
		for i := range s.Count {
			if s.Burst > 0 && i%s.Burst == 0 {
				m.receive(c, uint32(i/s.Burst+1))
			}
			p.put(c, m, 0)
		}
	default:
		for come := 0; come < s.Count; {
			if s.Burst > 0 {
				p.ask(c, m)
			}
			come = min(s.Count, come+cmp.Or(s.Burst, s.Count))
			m.receive(c, uint32(come*s.Senders))
		}
	}
}

// ask asks all senders of an incast for a burst.
func (p *Pattern) ask(c *host.Context, m *member) {
	for to := 1; to <= p.spec.Senders; to++ {
		m.room(c, to)
		m.send(c, to, m.buffer(), trace.Flag)
	}
}

// central lets every node but 0 put an item and take one, by turns; what a node
// takes is rarely its own.
func (p *Pattern) central(c *host.Context, m *member) {
	if m.id == 0 {
		p.items.taken = make([][]bool, p.spec.Nodes)
		for i := range p.items.taken {
			p.items.taken[i] = make([]bool, p.spec.Count)
		}
		m.receive(c, uint32(2*p.spec.Count*(p.spec.Nodes-1)))
		return
	}
	for i := range uint32(p.spec.Count) {
		at := m.compose(c, letter{p.spec.Seed, m.id, 0, i})
		var name [wishBytes]byte
		binary.LittleEndian.PutUint32(name[:], uint32(m.id))
		binary.LittleEndian.PutUint32(name[4:], i)
		m.space.WriteAt(at, name[:])
		m.send(c, 0, at, trace.Data)

		wish := m.buffer()
		m.space.WriteAt(wish, name[:])
		m.send(c, 0, wish, trace.Flag)
		m.receive(c, i+1)
	}
}

// serve is the queue's part, and that of those who get an item.
func (p *Pattern) serve(c *host.Context, m *member, from int, number uint32) {
	q := &p.items
	switch {
	case m.id != 0:
		p.checkItem(m, "took", true)
	case number%2 == 0:
		p.checkItem(m, "put", false)
		c.Copy(p.spec.Bytes, false)
		var x item
		if k := len(q.free); k > 0 {
			x, q.free = q.free[k-1], q.free[:k-1]
		}
		q.items = append(q.items, append(x[:0], m.got.content()...))
	case len(q.items) == 0:
		p.wrong("node %d wishes for an item of an empty queue", from)
	default:
		x := q.items[0]
		q.items = append(q.items[:0], q.items[1:]...)
		c.Copy(p.spec.Bytes, false)
		at := m.buffer()
		m.space.WriteAt(at, x)
		q.free = append(q.free, x)
		m.send(c, from, at, trace.Data)
	}
}

// checkItem compares an item with what its name says; a taken one must not
// have been taken before.
func (p *Pattern) checkItem(m *member, how string, taken bool) {
	got := m.got.content()
	producer := int(binary.LittleEndian.Uint32(got))
	number := binary.LittleEndian.Uint32(got[4:])
	if producer <= 0 || producer >= p.spec.Nodes || number >= uint32(p.spec.Count) {
		p.wrong("node %d %s item %d of node %d, which there is not", m.id, how, number, producer)
		return
	}
	l := letter{p.spec.Seed, producer, 0, number}
	want := p.scratch[:len(got)]
	l.words().Read(0, want)
	copy(want, got[:wishBytes])
	if string(want) != string(got) {
		p.wrong("node %d %s item %d of node %d with wrong contents", m.id, how, number, producer)
	}
	if taken {
		if p.items.taken[producer][number] {
			p.wrong("node %d took item %d of node %d, which was taken before", m.id, number, producer)
		}
		p.items.taken[producer][number] = true
	}
	p.messages++
}
