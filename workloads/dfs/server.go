package dfs

import (
	"fmt"

	"github.com/sigview/sigview/comm/sockets"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// server holds the blocks and locks of one node. Notifications start its
// process.
type server struct {
	*DFS
	id       int
	stack    *sockets.Stack
	context  *host.Context
	listener *sockets.Listener
	space    *host.Space
	store    host.Addr
	line     host.Addr // a message
	locks    locks
	platter  platter
	ready    ring.Ring[*session]
	sessions []*session
	granted  ring.Ring[waiter] // to be told, on other nodes
	local    *client           // on this node
}

func (d *DFS) newServer(id int, stack *sockets.Stack) (*server, error) {
	s := &server{DFS: d, id: id, stack: stack, space: stack.Space(), locks: newLocks(), sessions: make([]*session, d.spec.Nodes)}
	places := d.disk.blocks()/uint32(d.disk.servers) + 1
	s.store = s.space.Alloc(int64(places) * blockBytes)
	s.line = s.space.Alloc(blockBytes)
	var err error
	s.listener, err = stack.Listen(port, sockets.Events{
		Knock: func() { s.context.Interrupt() },
		Ready: func(c *sockets.Conn) { s.noticed(c) },
	})
	if err != nil {
		return nil, err
	}
	s.locks.open = d.openLocks
	s.platter = platter{server: s, cold: map[uint32]bool{}}
	s.context = stack.Host().Go(fmt.Sprintf("file server %d", id), host.Handler, s.run)
	return s, nil
}

// noticed puts a session into the queue of those with new requests.
func (s *server) noticed(c *sockets.Conn) {
	if n := s.sessions[c.Peer()]; n != nil && !n.queued {
		n.queued = true
		s.ready.Push(n)
	}
	s.context.Interrupt()
}

// block returns the address of a block.
func (s *server) block(number uint32) host.Addr {
	return s.store + host.Addr(s.place(number))*blockBytes
}

func (s *server) run(x *host.Context) {
	for s.err == nil {
		if err := s.turn(x); err != nil {
			s.fail(fmt.Errorf("server %d: %w", s.id, err))
		}
	}
}

// turn performs pending work, or waits for work.
func (s *server) turn(x *host.Context) error {
	s.stack.Poll(x)
	for s.listener.Pending() > 0 {
		c, err := s.listener.Accept(x)
		if err != nil {
			return err
		}
		c.SetKind(trace.FileReply)
		s.sessions[c.Peer()] = &session{conn: c}
		s.noticed(c)
	}
	for s.granted.Len() > 0 {
		g := s.granted.Pop()
		s.answer(x, g.session, g.request, 0, 0)
	}
	if err := s.fetched(x); err != nil {
		return err
	}
	for s.ready.Len() > 0 && s.granted.Len() == 0 {
		n := s.ready.Pop()
		n.queued = false
		if err := s.look(x, n); err != nil {
			return fmt.Errorf("client %d: %w", n.conn.Peer(), err)
		}
	}
	if s.granted.Len() == 0 && s.platter.done.Len() == 0 && s.listener.Pending() == 0 {
		x.WaitInterrupt("a request for a block or a lock")
	}
	return nil
}

// fetched continues the requests whose blocks have been read from the disk.
func (s *server) fetched(x *host.Context) error {
	for s.platter.done.Len() > 0 {
		n := s.platter.done.Pop().session
		x.Compute(driverWork)
		if n == nil {
			s.local.fetched = true
			s.local.watch.Fire()
			continue
		}
		n.seeks = false
		err := s.transfer(x, n, n.now)
		if err == nil {
			err = s.look(x, n)
		}
		if err != nil {
			return fmt.Errorf("client %d: %w", n.conn.Peer(), err)
		}
	}
	return nil
}

// look serves the requests of a client that have arrived.
func (s *server) look(x *host.Context, n *session) error {
	for s.err == nil {
		switch {
		case n.seeks:
			return nil
		case n.taking:
			_, all, err := n.conn.Finish(x)
			if err != nil {
				return err
			}
			if !all {
				return nil
			}
			n.taking = false
			s.answer(x, n, n.now, 0, 0)
		case n.conn.Buffered() >= requestBytes:
			if err := s.serve(x, n); err != nil {
				return err
			}
		case n.conn.Ended():
			return s.leave(x, n)
		default:
			return nil
		}
	}
	return nil
}

// leave ends a session whose client has closed.
func (s *server) leave(x *host.Context, n *session) error {
	if n.conn.Buffered() > 0 {
		return fmt.Errorf("%d B of a request and no more", n.conn.Buffered())
	}
	if err := n.conn.Close(x); err != nil && err != sockets.ErrClosed {
		return err
	}
	return nil
}

// serve takes one request.
func (s *server) serve(x *host.Context, n *session) error {
	if _, err := n.conn.ReadFull(x, s.line, requestBytes); err != nil {
		return err
	}
	r, err := parseRequest(s.space.Bytes(s.line, requestBytes))
	if err != nil {
		return err
	}
	if r.op >= lockShared {
		x.Compute(lockWork)
		return s.lock(x, n, r)
	}
	x.Compute(serveWork)
	if home, _ := s.disk.home(r.at); r.at >= s.disk.blocks() || home != s.id {
		return fmt.Errorf("request %d for block %d of a disk of %d", r.tag, r.at, s.disk.blocks())
	}
	if !s.whole(r) && !s.platter.want(fetch{place: s.place(r.at), session: n}) {
		x.Compute(driverWork)
		n.now, n.seeks = r, true
		return nil
	}
	return s.transfer(x, n, r)
}

// whole reports whether a request replaces all of a block, so that the block need
// not be read from the disk.
func (s *server) whole(r request) bool {
	if r.op != writeBlock || !r.fresh && r.bytes < blockBytes {
		return false
	}
	delete(s.platter.cold, s.place(r.at))
	return true
}

func (s *server) place(block uint32) uint32 {
	_, place := s.disk.home(block)
	return place
}

// transfer serves a request for a block in memory.
func (s *server) transfer(x *host.Context, n *session, r request) error {
	at := s.block(r.at) + host.Addr(r.offset)
	switch r.op {
	case readBlock:
		s.answer(x, n, r, at, r.bytes)
	case zeroBlock:
		s.zero(x, at, r.bytes)
		s.answer(x, n, r, 0, 0)
	case writeBlock:
		if r.fresh {
			s.zero(x, s.block(r.at), blockBytes)
		}
		n.now, n.taking = r, true
		return n.conn.Start(x, at, r.bytes)
	}
	return nil
}

func (s *server) zero(x *host.Context, at host.Addr, n int) {
	clear(s.space.Bytes(at, n))
	x.MemWrite(n)
}

func (s *server) lock(x *host.Context, n *session, r request) error {
	if r.at >= uint32(s.spec.Files+s.disk.dirs) || s.disk.lockHome(r.at) != s.id {
		return fmt.Errorf("request %d for lock %d of %d", r.tag, r.at, s.spec.Files+s.disk.dirs)
	}
	if r.op == unlock {
		now, err := s.locks.release(r.at)
		s.notify(now)
		return err
	}
	if s.locks.ask(r.at, waiter{session: n, request: r, alone: r.op == lockAlone}) {
		s.answer(x, n, r, 0, 0)
	}
	return nil
}

// notify notifies clients that have been granted a lock. Only the server's own
// process writes to its connections.
func (s *server) notify(now []waiter) {
	for _, w := range now {
		if w.session == nil {
			s.local.granted = true
			s.local.watch.Fire()
			continue
		}
		s.granted.Push(w)
	}
}

// answer replies to a request with the n bytes at an address, without a copy. A
// block changes only under a lock that is released after the bytes have arrived.
// A client that reads a directory without its lock ignores entries that another
// client may change meanwhile.
func (s *server) answer(x *host.Context, to *session, r request, at host.Addr, n int) {
	var b [replyBytes]byte
	reply{status: done, tag: r.tag, bytes: n}.put(&b)
	s.space.WriteAt(s.line, b[:])
	to.conn.SetSpan(r.span)
	_, err := to.conn.Lend(x, s.line, replyBytes)
	if err == nil && n > 0 {
		_, err = to.conn.Lend(x, at, n)
	}
	if err != nil {
		s.fail(fmt.Errorf("server %d: client %d: %w", s.id, to.conn.Peer(), err))
	}
}
