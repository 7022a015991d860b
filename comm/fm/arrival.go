package fm

import "github.com/sigview/sigview/sim/host"

// Left returns how many bytes of the message have not been read.
func (m *Arrival) Left() int { return m.Bytes - m.Done }

// Handle sets the handler of messages that name h, from 1 up; 0 is Receive's.
func (e *Endpoint) Handle(h uint8, f Handler) error {
	if h == letters {
		return e.Errorf("handler %d is Receive's, want 1 to 255", h)
	}
	e.handlers[h] = f
	return nil
}

// extract takes the oldest packet out of the ring and passes its bytes to the
// handler. It reports whether there was one.
func (e *Endpoint) extract(c *host.Context) bool {
	c.Spend(e.node.spec.Host.Poll)
	s, at := e.ring.next()
	if s == nil || e.err != nil {
		return false
	}
	c.Spend(e.node.spec.Host.Extract)
	if e.err = e.take(c, s, at); e.err != nil {
		return false
	}
	from := s.from
	e.ring.free()
	e.peers[from].taken++
	e.returnCredit(c, from)
	return true
}

// take passes a packet's bytes to the handler. An error means that a packet is missing; the endpoint
// then fails.
func (e *Endpoint) take(c *host.Context, s *slot, at host.Addr) error {
	p := &e.peers[s.from]
	m := &p.in
	if s.lost || s.order != uint32(p.taken) {
		return e.Errorf("at %v: packet %d of node %d has been lost on the way, want a network that loses none", c.Now(), p.taken, s.from)
	}
	if !m.open && s.offset == 0 && s.message <= maxMessage {
		*m = Arrival{From: s.from, Bytes: int(s.message), handler: e.handlers[s.handler], open: true}
		if m.handler == nil {
			e.node.stats.Unhandled++
			m.skip = true
		} else {
			c.Spend(e.node.spec.Host.Handler)
		}
	}
	if !m.open || s.message != uint64(m.Bytes) || s.offset != uint64(m.Done) || s.bytes > m.Left() || s.bytes == 0 && m.Bytes > 0 {
		e.node.stats.Malformed++
		return e.Errorf("at %v: packet of %d B at offset %d of a message of %d B from node %d, want offset %d of %d B",
			c.Now(), s.bytes, s.offset, s.message, s.from, m.Done, m.Bytes)
	}
	return e.scatter(c, m, at, s.bytes)
}

// scatter copies n bytes of a packet to the addresses that the handler returns.
func (e *Endpoint) scatter(c *host.Context, m *Arrival, at host.Addr, n int) error {
	if m.Done == 0 && !m.skip {
		if err := e.ask(c, m); err != nil {
			return err
		}
	}
	for n > 0 && !m.skip {
		part := min(n, m.want)
		c.CopyWithin(e.Space(), at, m.to, part)
		at, n = at+host.Addr(part), n-part
		m.to, m.want, m.Done = m.to+host.Addr(part), m.want-part, m.Done+part
		if m.want == 0 {
			if err := e.ask(c, m); err != nil {
				return err
			}
		}
	}
	if m.handler != nil {
		e.node.stats.Unread += uint64(n)
	}
	m.Done += n
	m.open = m.Left() > 0
	return nil
}

// ask calls the handler for the address of the next piece.
func (e *Endpoint) ask(c *host.Context, m *Arrival) error {
	m.to, m.want = m.handler(c, m)
	m.want = min(m.want, m.Left())
	m.skip = m.want <= 0
	if !m.skip && !e.Space().Valid(m.to, m.want) {
		return e.Errorf("a handler wants %d B at %#x, want allocated memory", m.want, m.to)
	}
	return nil
}
