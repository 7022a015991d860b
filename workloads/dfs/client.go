package dfs

import (
	"fmt"

	"github.com/sigview/sigview/comm/sockets"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// client is the program of one node.
type client struct {
	*DFS
	id     int
	x      *host.Context
	stack  *sockets.Stack
	space  *host.Space
	server *server         // on this node, or nil
	conns  []*sockets.Conn // by server
	busy   []int           // outstanding requests, by server
	calls  ring.Ring[call] // outstanding, oldest first
	tag    uint32

	line    host.Addr // a message
	dir     host.Addr // a directory
	inodeAt host.Addr
	data    host.Addr // the data that is read or written
	node    inode
	bytes   []byte // of an operation

	next     uint32   // block of the range that has never been used
	free     []uint32 // blocks that have been freed
	granted  bool     // a lock of this node's own server
	fetched  bool     // a block from its disk
	watch    host.Watch
	choice   sim.Stream
	recorder trace.Instrument
	numbers  trace.Numbers
	span     trace.Span // file operation in progress
	held     []uint32   // locks
	trouble  error      // the first error; afterwards nothing is sent
	stats    Stats
}

// call is an outstanding request.
type call struct {
	server int
	tag    uint32
	to     host.Addr // where its bytes go
	bytes  int
}

func (d *DFS) newClient(id int, stack *sockets.Stack) *client {
	c := &client{
		DFS: d, id: id, stack: stack, space: stack.Space(), numbers: trace.Numbers{Node: id},
		conns: make([]*sockets.Conn, d.disk.servers), busy: make([]int, d.disk.servers),
		choice: sim.NewStream(d.spec.Seed, fmt.Sprintf("workloads/dfs/client%d", id)), next: d.disk.first(id),
	}
	c.line, c.dir, c.inodeAt = c.space.Alloc(blockBytes), c.space.Alloc(blockBytes), c.space.Alloc(blockBytes)
	c.data = c.space.Alloc(int64(d.spec.OpBytes))
	c.bytes = make([]byte, d.spec.OpBytes)
	c.node.blocks = make([]uint32, blocksOf(d.spec.FileBytes))
	return c
}

// connect makes a connection to every server, beginning with the next node's.
func (c *client) connect() error {
	for i := range c.disk.servers {
		server := (c.id + 1 + i) % c.disk.servers
		if server == c.id {
			continue
		}
		conn, err := c.stack.Dial(c.x, server, port)
		if err != nil {
			return err
		}
		conn.SetKind(trace.FileRequest)
		c.conns[server] = conn
	}
	return nil
}

// close ends the connections.
func (c *client) close() error {
	for _, conn := range c.conns {
		if conn != nil {
			if err := conn.Close(c.x); err != nil {
				return err
			}
		}
	}
	return nil
}

// note stores the first error and reports whether there is none.
func (c *client) note(err error) bool {
	if c.trouble == nil {
		c.trouble = err
	}
	return c.trouble == nil
}

// transfer starts to read, write or zero n bytes at an offset of a block; wait
// completes all transfers.
func (c *client) transfer(o op, block uint32, offset, n int, at host.Addr, fresh bool) {
	server, _ := c.disk.home(block)
	r := request{op: o, at: block, offset: offset, bytes: n, fresh: fresh}
	switch {
	case c.trouble != nil:
	case c.conns[server] == nil:
		c.here(r, at)
	default:
		if c.issue(server, r, at); o == writeBlock {
			c.lend(server, at, n)
		}
	}
}

// here is transfer for a block of this node.
func (c *client) here(r request, at host.Addr) {
	c.stats.Local++
	c.x.Compute(blockWork)
	c.fetched = false // the disk may have the block before seek waits
	if !c.server.whole(r) && !c.server.platter.want(fetch{place: c.server.place(r.at)}) {
		c.seek()
	}
	block := c.server.block(r.at)
	bytes := c.space.Bytes(block+host.Addr(r.offset), r.bytes)
	switch r.op {
	case readBlock:
		c.space.WriteAt(at, bytes)
		c.x.Copy(r.bytes, false)
	case zeroBlock:
		clear(bytes)
		c.x.MemWrite(r.bytes)
	case writeBlock:
		if r.fresh {
			clear(c.space.Bytes(block, blockBytes))
		}
		c.space.ReadAt(at, bytes)
		if r.fresh {
			c.x.MemWrite(blockBytes)
		}
		c.x.Copy(r.bytes, false)
	}
}

// seek waits for a block from the disk of this node.
func (c *client) seek() {
	c.x.Compute(driverWork)
	old := c.x.Enter(host.MessageWait)
	for !c.fetched {
		c.x.Block(&c.watch, "a block from the disk of its own node")
	}
	c.x.Enter(old)
}

// issue sends a request once there is room for another one.
func (c *client) issue(server int, r request, to host.Addr) {
	for c.trouble == nil && (c.calls.Len() >= window || c.busy[server] >= perServe || c.spec.Alone && c.calls.Len() > 0) {
		c.collect()
	}
	if c.spec.Alone {
		c.x.Sleep(pause + c.choice.Upto(pause))
	}
	if c.trouble != nil {
		return
	}
	c.x.Compute(callWork)
	c.tag++
	r.tag, r.span = c.tag, c.span
	var b [requestBytes]byte
	r.put(&b)
	c.space.WriteAt(c.line, b[:])
	c.conns[server].SetSpan(c.span)
	c.lend(server, c.line, requestBytes)
	c.stats.Requests++
	if r.op == unlock {
		return
	}
	k := call{server: server, tag: r.tag, to: to}
	if r.op == readBlock {
		k.bytes = r.bytes
	}
	c.calls.Push(k)
	c.busy[server]++
}

// lend sends n bytes at an address.
func (c *client) lend(server int, at host.Addr, n int) {
	if c.trouble == nil {
		_, err := c.conns[server].Lend(c.x, at, n)
		c.note(err)
	}
}

// collect receives the reply to the oldest request.
func (c *client) collect() {
	k := c.calls.Pop()
	c.busy[k.server]--
	if err := c.take(k); err != nil {
		c.note(fmt.Errorf("server %d: %w", k.server, err))
	}
}

// take reads the reply to a request.
func (c *client) take(k call) error {
	conn := c.conns[k.server]
	if _, err := conn.ReadFull(c.x, c.line, replyBytes); err != nil {
		return err
	}
	c.x.Compute(callWork)
	r, err := parseReply(c.space.Bytes(c.line, replyBytes))
	switch {
	case err != nil:
	case r.tag != k.tag || r.bytes != k.bytes || r.status != done:
		err = fmt.Errorf("reply %d (status %d, %d B) to request %d for %d B", r.tag, r.status, r.bytes, k.tag, k.bytes)
	case k.bytes > 0:
		_, err = conn.ReadFull(c.x, k.to, k.bytes)
	}
	return err
}

// wait receives all outstanding replies and reports whether nothing has failed.
func (c *client) wait() bool {
	for c.trouble == nil && c.calls.Len() > 0 {
		c.collect()
	}
	return c.trouble == nil
}

// lock takes a lock, exclusive or shared. The time until it is granted counts as
// waiting for a lock.
func (c *client) lock(id uint32, alone bool) {
	if c.trouble != nil {
		return
	}
	server := c.disk.lockHome(id)
	c.stats.Locks++
	if c.conns[server] == nil {
		c.lockHere(id, alone)
	} else {
		o := lockShared
		if alone {
			o = lockAlone
		}
		c.issue(server, request{op: o, at: id}, 0)
		began := c.x.Now()
		if !c.wait() {
			return
		}
		old := c.x.Enter(host.MessageWait)
		c.x.Shift(host.LockWait, c.x.Now().Sub(began))
		c.x.Enter(old)
	}
	c.held = append(c.held, id)
	c.note(c.model.locked(c.id, id, alone))
}

func (c *client) lockHere(id uint32, alone bool) {
	c.x.Compute(lockWork)
	c.granted = c.server.locks.ask(id, waiter{alone: alone})
	old := c.x.Enter(host.LockWait)
	for !c.granted && c.err == nil {
		c.x.Spin(&c.watch, "a lock of its own node")
	}
	c.x.Enter(old)
}

// unlock releases all locks, the last one first.
func (c *client) unlock() {
	for len(c.held) > 0 && c.trouble == nil {
		id := c.held[len(c.held)-1]
		c.held = c.held[:len(c.held)-1]
		c.note(c.model.unlocking(c.id, id))
		server := c.disk.lockHome(id)
		if c.conns[server] != nil {
			c.issue(server, request{op: unlock, at: id}, 0)
			continue
		}
		c.x.Compute(lockWork)
		now, err := c.server.locks.release(id)
		c.note(err)
		c.server.notify(now)
		if c.server.granted.Len() > 0 {
			c.server.context.Interrupt() // its process tells the others
		}
	}
}

// alloc takes a free block.
func (c *client) alloc() uint32 {
	if k := len(c.free); k > 0 {
		b := c.free[k-1]
		c.free = c.free[:k-1]
		return b
	}
	if c.next == c.disk.first(c.id)+clientBlocks {
		c.note(fmt.Errorf("the client's %d blocks are exhausted", clientBlocks))
		return 0
	}
	c.next++
	return c.next - 1
}
