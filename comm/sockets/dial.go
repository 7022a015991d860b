package sockets

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Layout of a door.
const (
	callWords   = 3 // mark, number of the call, port
	doorMark    = 0x6b6e6f6b
	answerMark  = 0x616e7377
	refusalMark = 0x6e6f7065
)

// Listen opens a port.
func (s *Stack) Listen(port int, events Events) (*Listener, error) {
	if l := s.listeners[port]; l != nil {
		return nil, fmt.Errorf("sockets: node %d listens at port %d already", s.id, port)
	}
	l := &Listener{stack: s, port: port, events: events}
	s.listeners[port] = l
	s.open = append(s.open, l)
	return l, nil
}

// Close closes the port and refuses pending calls.
func (l *Listener) Close(x *host.Context) {
	if l.closed {
		return
	}
	l.closed = true
	delete(l.stack.listeners, l.port)
	l.stack.open = slices.DeleteFunc(l.stack.open, func(o *Listener) bool { return o == l })
	for len(l.pending) > 0 {
		k := l.take()
		l.stack.ring(x, k.from, 1, refusalMark, k.number, k.port)
	}
	l.watch.Fire()
}

// Pending returns how many connections wait for Accept.
func (l *Listener) Pending() int { return len(l.pending) }

func (l *Listener) take() *call {
	k := l.pending[0]
	l.pending = append(l.pending[:0], l.pending[1:]...)
	return k
}

// Accept waits for a call and accepts it. It takes the time to pin the
// connection's memory and to send one message.
func (l *Listener) Accept(x *host.Context) (*Conn, error) {
	s := l.stack
	old := enter(x)
	defer x.Enter(old)
	for len(l.pending) == 0 {
		if l.closed {
			return nil, ErrClosed
		}
		s.wait(x, &l.watch, "a connection")
	}
	k := l.take()
	x.Compute(dialWork)
	c, err := s.newConn(k.from, l.events.Ready)
	if err != nil {
		return nil, err
	}
	c.pin(x)
	if err := c.connect(k.near); err != nil {
		return nil, err
	}
	k.far = c
	s.ring(x, k.from, 1, answerMark, k.number, k.port)
	return c, nil
}

// Dial connects to a port of another node. It pins and exports this side's
// memory, calls the other process with a message, and waits for the answer,
// which comes when the other side has done the same. It fails with ErrRefused
// if the port is closed.
func (s *Stack) Dial(x *host.Context, node, port int) (*Conn, error) {
	if node < 0 || node >= len(s.net.stacks) || node == s.id {
		return nil, fmt.Errorf("sockets: node %d dials node %d, want another one of the %d", s.id, node, len(s.net.stacks))
	}
	old := enter(x)
	defer x.Enter(old)
	x.Compute(dialWork)
	for s.calling[node] { // a door has one line for each caller
		s.wait(x, &s.hung, "the end of another call")
	}
	if s.net.stacks[node].listeners[port] == nil {
		return nil, ErrRefused // the daemon on this node knows all open ports
	}
	s.calling[node] = true
	k, err := s.call(x, node, port)
	s.calling[node] = false
	s.hung.Fire()
	if err != nil {
		return nil, err
	}
	if k.refused {
		return nil, ErrRefused
	}
	return k.near, k.near.connect(k.far)
}

func (s *Stack) call(x *host.Context, node, port int) (*call, error) {
	c, err := s.newConn(node, nil)
	if err != nil {
		return nil, err
	}
	c.pin(x)
	k := &call{number: len(s.net.calls), from: s.id, to: node, port: port, near: c}
	s.net.calls = append(s.net.calls, k)
	s.ring(x, node, 0, doorMark, k.number, port)
	for !k.answered {
		s.wait(x, &s.hung, "the answer to a call")
	}
	return k, nil
}

// ring writes a call (0) or an answer (1) to this node's line at the door of
// another node.
func (s *Stack) ring(x *host.Context, node, which int, mark uint32, number, port int) {
	line := s.lines + host.Addr((2*node+which)*entryBytes) // of its own: a send may have to wait
	for i, w := range [callWords]uint32{mark, uint32(number), uint32(port)} {
		s.space.Store32(line+host.Addr(4*i), w)
	}
	s.send(x, line, s.doors[node], (2*s.id+which)*entryBytes, 4*callWords, trace.Meta{Kind: trace.Stream})
}

// visit returns the mark that a deposit has written at this process's door and the call that it
// names, or nil.
func (s *Stack) visit(d deposit.Arrival) (mark uint32, k *call) {
	at, from := s.door+host.Addr(d.Offset), d.Offset/entryBytes/2
	number := s.space.Load32(at + 4)
	if uint64(number) >= uint64(len(s.net.calls)) {
		return 0, nil
	}
	k, mark = s.net.calls[number], s.space.Load32(at)
	switch mark {
	case doorMark:
		if k.from == from && k.to == s.id {
			return mark, k
		}
	case answerMark, refusalMark:
		if k.from == s.id && k.to == from && (k.far != nil || mark == refusalMark) {
			return mark, k
		}
	}
	return 0, nil
}

// called processes a call or an answer at this process's door.
func (s *Stack) called(d deposit.Arrival) {
	mark, k := s.visit(d)
	switch {
	case k == nil:
		s.stats.Damaged++
	case mark != doorMark:
		k.answered, k.refused = true, mark == refusalMark
		if s.service == nil {
			s.hung.Fire()
		}
	case s.listeners[k.port] == nil: // closed meanwhile; the daemons on both sides know it
		k.answered, k.refused = true, true
		s.net.stacks[k.from].hung.Fire()
	default:
		l := s.listeners[k.port]
		l.pending = append(l.pending, k)
		if s.service == nil {
			l.watch.Fire()
		}
	}
}

// knocked is the notification of a call or an answer.
func (s *Stack) knocked(d deposit.Arrival) {
	if mark, k := s.visit(d); mark == doorMark && s.listeners[k.port] != nil && s.listeners[k.port].events.Knock != nil {
		s.listeners[k.port].events.Knock()
	}
	if s.service != nil {
		s.service.Interrupt()
	}
}
