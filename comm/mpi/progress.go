package mpi

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// until handles arrivals until ready.
func (e *Endpoint) until(c *host.Context, ready func() bool) error {
	for !ready() {
		if err := e.pull(c); err != nil {
			return err
		}
	}
	return nil
}

// pull waits for the next packet and handles it.
func (e *Endpoint) pull(c *host.Context) error {
	e.event = event{}
	if e.apart != nil {
		e.reading = e.in
		m, err := e.apart.Scatter(c, comm.Anyone, comm.Piece{At: e.in, Bytes: headBytes}, e.place)
		if err != nil {
			return err
		}
		return e.handled(c, m.From)
	}
	m, err := e.low.Receive(c, comm.Anyone, 0, 0)
	if err != nil {
		return err
	}
	if m.Bytes < headBytes {
		e.layer.stats.Malformed++
		return nil
	}
	e.reading = m.At
	rest := comm.Message{From: m.From, Bytes: m.Bytes - headBytes}
	if to := e.locate(rest); rest.Bytes > 0 {
		c.CopyWithin(e.Space(), m.At+headBytes, to, rest.Bytes)
	}
	return e.handled(c, m.From)
}

// locate reads the envelope of a packet and returns where its data goes.
func (e *Endpoint) locate(m comm.Message) host.Addr {
	var b [headBytes]byte
	e.Space().ReadAt(e.reading, b[:])
	v, err := decode(b)
	e.event.envelope = v
	s := &e.peers[m.From]
	if err == nil {
		err = e.direct(s, m.From, v)
	}
	if err == nil && m.Bytes > s.left {
		err = fmt.Errorf("%d B, want at most %d", m.Bytes, s.left)
	}
	if err != nil {
		e.layer.stats.Malformed++
		waste := e.spare.Get(e.Space(), m.Bytes)
		e.spare.Put(waste)
		return waste.At
	}
	e.event.ok = true
	at := s.at
	s.at += host.Addr(m.Bytes)
	s.left -= m.Bytes
	return at
}

// direct finds what a packet belongs to.
func (e *Endpoint) direct(s *sink, from int, v envelope) error {
	bytes, tag := int(v.bytes), int(v.tag)
	switch v.kind {
	case eager:
		*s = sink{left: bytes}
		if s.request = e.match(from, tag, bytes); s.request != nil {
			s.at = e.takes(s.request, from, bytes)
			return nil
		}
		s.letter = e.store(letter{from: from, tag: tag, bytes: bytes, own: e.spare.Get(e.Space(), bytes), state: arriving})
		s.at = s.letter.own.At
	case announce:
		*s = sink{}
		if e.event.request = e.match(from, tag, bytes); e.event.request == nil {
			e.store(letter{from: from, tag: tag, bytes: bytes, handle: v.sender})
		}
	case accept:
		if x := &e.sending; !x.active || x.to != from || x.handle != v.sender {
			return fmt.Errorf("an acceptance of message %d, which does not wait", v.sender)
		}
	case data:
		if int64(v.taker) >= int64(len(e.grants)) || e.grants[v.taker] == (sink{}) {
			return fmt.Errorf("data for handle %d, which is not in use", v.taker)
		}
		*s = e.grants[v.taker]
		e.grants[v.taker] = sink{}
		e.free = append(e.free, v.taker)
	}
	return nil
}

// handled does what a packet asks for once its data is in its place.
func (e *Endpoint) handled(c *host.Context, from int) error {
	v := e.event
	c.Spend(e.layer.spec.Host.Arrive + sim.Duration(v.skipped)*e.layer.spec.Host.Match)
	if !v.ok {
		return nil
	}
	switch v.kind {
	case announce:
		if r := v.request; r != nil {
			at := e.takes(r, from, int(v.bytes))
			return e.accept(c, from, v.sender, sink{at: at, left: int(v.bytes), request: r})
		}
		return e.relieve(c)
	case accept:
		return e.deliver(c, v.taker)
	}
	e.end(&e.peers[from])
	return nil
}

// end ends a message whose data is all there.
func (e *Endpoint) end(s *sink) {
	switch {
	case s.left > 0:
		return
	case s.request != nil:
		s.request.done = true
	case s.letter != nil:
		s.letter.state = whole
	}
	*s = sink{}
}

// accept tells the sender of a long message where its data goes.
func (e *Endpoint) accept(c *host.Context, to int, handle uint32, s sink) error {
	k := len(e.free)
	if k == 0 {
		e.grants = append(e.grants, sink{})
		e.free = append(e.free, uint32(len(e.grants)-1))
		k = 1
	}
	h := e.free[k-1]
	e.free = e.free[:k-1]
	e.grants[h] = s
	return e.packet(c, to, envelope{kind: accept, sender: handle, taker: h}, comm.Piece{}, trace.Meta{Kind: trace.Envelope})
}

// relieve accepts announced messages into the library's memory while the process waits for its own
// to be accepted. Two processes that send to each other would otherwise deadlock.
func (e *Endpoint) relieve(c *host.Context) error {
	for _, l := range e.unexpected {
		if !e.sending.active {
			return nil
		}
		if l.state != withSender {
			continue
		}
		e.layer.stats.Accepted++
		l.own, l.state = e.spare.Get(e.Space(), l.bytes), arriving
		if err := e.accept(c, l.from, l.handle, sink{at: l.own.At, left: l.bytes, letter: l}); err != nil {
			return err
		}
	}
	return nil
}
