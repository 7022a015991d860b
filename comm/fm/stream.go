package fm

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Send sends a message in one piece for the peer's Receive.
func (e *Endpoint) Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error {
	if err := e.CheckSend(to, from, n, meta); err != nil {
		return err
	}
	return e.Gather(c, to, comm.Piece{}, comm.Piece{At: from, Bytes: n}, meta)
}

// Gather sends a message in two pieces for the peer's Receive.
func (e *Endpoint) Gather(c *host.Context, to int, head, body comm.Piece, meta trace.Meta) error {
	s, err := e.Begin(to, letters, head.Bytes+body.Bytes, meta)
	if err != nil {
		return err
	}
	for _, p := range [...]comm.Piece{head, body} {
		if err := s.Piece(c, p.At, p.Bytes); err != nil {
			return err
		}
	}
	return s.End(c)
}

// Begin begins a message of n bytes for handler h of the process of node to with
// the same tag (FM_begin_message). A message to a node must end before the next one
// to it begins. The stream is valid until End.
func (e *Endpoint) Begin(to int, h uint8, n int, meta trace.Meta) (*Stream, error) {
	if err := e.CheckPeer(to); err != nil {
		return nil, err
	}
	p := &e.peers[to]
	switch {
	case e.err != nil:
		return nil, e.err
	case n < 0 || n > maxMessage:
		return nil, e.Errorf("message of %d B, want 0 to %d", n, int64(maxMessage))
	case !meta.Kind.CarriesRequest():
		return nil, e.Errorf("message of kind %v, want one that programs send", meta.Kind)
	case p.out.open:
		return nil, e.Errorf("a message to node %d begins, want the one before ended: %d of its %d B are given", to, p.out.given, p.out.bytes)
	}
	meta.Tag = e.Tag()
	p.out = Stream{ep: e, to: to, handler: h, meta: meta, bytes: n, open: true, owed: e.node.spec.Host.Send}
	return &p.out, nil
}

// Piece adds n bytes at from to the message (FM_send_piece). The buffer may be
// written again when it returns. Bytes that fill a packet or end the message are
// stored into the interface first. The time of other bytes is spent with their
// packet.
func (s *Stream) Piece(c *host.Context, from host.Addr, n int) error {
	e := s.ep
	switch {
	case !s.open:
		return e.Errorf("piece of a message that has ended")
	case n < 0 || n > s.bytes-s.given:
		return e.Errorf("piece of %d B, want at most the %d B that the message lacks", n, s.bytes-s.given)
	}
	if err := e.CheckData("piece", from, n, 0, 0); err != nil {
		return err
	}
	for n > 0 {
		r := s.packet()
		part := min(n, e.node.spec.Firmware.PacketBytes-r.Bytes)
		s.missing += part - c.Host().Touch(e.Space(), from, part)
		r.Put(e.Space(), from, part)
		s.given += part
		from, n = from+host.Addr(part), n-part
		if r.Bytes == e.node.spec.Firmware.PacketBytes || s.given == s.bytes {
			if err := s.post(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// End ends the message (FM_end_message); all of it must have been given.
func (s *Stream) End(c *host.Context) error {
	switch {
	case !s.open:
		return s.ep.Errorf("end of a message that has ended")
	case s.given < s.bytes:
		return s.ep.Errorf("end of a message of %d B, of which %d have been given", s.bytes, s.given)
	}
	if s.bytes == 0 {
		s.packet()
		if err := s.post(c); err != nil {
			return err
		}
	}
	s.open = false
	return nil
}

// packet returns the packet that is being filled.
func (s *Stream) packet() *firmware.Request {
	if s.request == nil {
		n := s.ep.node
		r := n.Program.NewRequest()
		r.To, r.Op, r.Meta, r.Inline, r.Descriptor = int32(s.to), opData, s.meta, true, n.spec.RequestWords
		r.Words[wordHandler], r.Words[wordLength], r.Words[wordOffset] = uint64(s.handler), uint64(s.bytes), uint64(s.given)
		s.request = r
	}
	return s.request
}

// post waits for a credit and stores the packet into the interface. The word
// that announces the packet is in memory without write combining, because a
// combined store could overtake the packet.
func (s *Stream) post(c *host.Context) error {
	e := s.ep
	p := &e.peers[s.to]
	if err := e.await(c, "credits", func() bool { return p.sent-p.freed < e.node.credits }); err != nil {
		return err
	}
	r := s.request
	s.request = nil
	r.Order = uint32(p.sent)
	p.sent++
	h := c.Host()
	time := s.owed + e.node.spec.Host.Packet + h.Spec().MemRead.Time(s.missing) + h.PIOWriteTime(1, host.Words)
	s.owed, s.missing = 0, 0
	e.node.Program.Post(c, r, time, host.Combining)
	return nil
}
