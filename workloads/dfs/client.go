package dfs

import (
	"fmt"

	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sockets"
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
	busy   []int           // requests under way, by server
	calls  []call          // under way, oldest first
	tag    uint32

	line    host.Addr // a message
	dir     host.Addr // a directory
	inodeAt host.Addr
	data    host.Addr // what is read or written
	node    inode
	bytes   []byte // of an operation

	next    uint32   // block of the range that has never been used
	free    []uint32 // blocks that have come back
	granted bool     // a lock of this node's own server
	fetched bool     // a block from its disk
	watch   host.Watch
	choice  sim.Stream
	tell    trace.Instrument
	numbers trace.Numbers
	span    trace.Span // file operation under way
	held    []uint32   // locks
	stats   Stats
}

// call is a request under way.
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

// transfer starts to read, write or zero n bytes at an offset of a block; wait
// ends all transfers under way.
func (c *client) transfer(o op, block uint32, offset, n int, at host.Addr, fresh bool) error {
	server, _ := c.disk.home(block)
	if c.conns[server] == nil {
		c.here(o, block, offset, n, at, fresh)
		return nil
	}
	r := request{op: o, at: block, offset: offset, bytes: n, fresh: fresh}
	if err := c.issue(server, r, at); err != nil {
		return err
	}
	if o == writeBlock {
		if _, err := c.conns[server].Lend(c.x, at, n); err != nil {
			return err
		}
	}
	return nil
}

// here does the same with a block of this node.
func (c *client) here(o op, block uint32, offset, n int, at host.Addr, fresh bool) {
	c.stats.Local++
	c.x.Compute(blockWork)
	r := request{op: o, at: block, offset: offset, bytes: n, fresh: fresh}
	if !c.server.whole(r) && !c.server.platter.want(fetch{place: c.server.place(block)}) {
		c.seek()
	}
	from := c.server.block(block)
	switch o {
	case readBlock:
		c.space.WriteAt(at, c.space.Bytes(from+host.Addr(offset), n))
		c.x.Copy(n, false)
	case zeroBlock:
		clear(c.space.Bytes(from+host.Addr(offset), n))
		c.x.MemWrite(n)
	case writeBlock:
		if fresh {
			clear(c.space.Bytes(from, blockBytes))
		}
		c.space.ReadAt(at, c.space.Bytes(from+host.Addr(offset), n))
		if fresh {
			c.x.MemWrite(blockBytes)
		}
		c.x.Copy(n, false)
	}
}

// seek waits for a block from the disk of this node.
func (c *client) seek() {
	c.x.Compute(driverWork)
	old := c.x.Enter(host.MessageWait)
	for c.fetched = false; !c.fetched; {
		c.x.Block(&c.watch, "a block from the disk of its own node")
	}
	c.x.Enter(old)
}

// issue sends a request when there is room for another one.
func (c *client) issue(server int, r request, to host.Addr) error {
	for len(c.calls) >= window || c.busy[server] >= perServe {
		if err := c.collect(); err != nil {
			return err
		}
	}
	c.x.Compute(callWork)
	c.tag++
	r.tag, r.span = c.tag, c.span
	var b [requestBytes]byte
	r.put(&b)
	c.space.WriteAt(c.line, b[:])
	c.conns[server].SetSpan(c.span)
	if _, err := c.conns[server].Lend(c.x, c.line, requestBytes); err != nil {
		return err
	}
	c.stats.Requests++
	if r.op == unlock {
		return nil
	}
	k := call{server: server, tag: r.tag, to: to}
	if r.op == readBlock {
		k.bytes = r.bytes
	}
	c.calls = append(c.calls, k)
	c.busy[server]++
	return nil
}

// collect takes the reply to the oldest request.
func (c *client) collect() error {
	k := c.calls[0]
	c.calls = append(c.calls[:0], c.calls[1:]...)
	c.busy[k.server]--
	conn := c.conns[k.server]
	if _, err := conn.ReadFull(c.x, c.line, replyBytes); err != nil {
		return fmt.Errorf("server %d: %w", k.server, err)
	}
	c.x.Compute(callWork)
	r, err := parseReply(c.space.Bytes(c.line, replyBytes))
	if err != nil {
		return fmt.Errorf("server %d: %w", k.server, err)
	}
	if r.tag != k.tag || r.bytes != k.bytes || r.status != done {
		return fmt.Errorf("server %d: reply %d (status %d, %d B) to request %d for %d B", k.server, r.tag, r.status, r.bytes, k.tag, k.bytes)
	}
	if k.bytes == 0 {
		return nil
	}
	if _, err := conn.ReadFull(c.x, k.to, k.bytes); err != nil {
		return fmt.Errorf("server %d: %w", k.server, err)
	}
	return nil
}

// wait takes all replies that are outstanding.
func (c *client) wait() error {
	for len(c.calls) > 0 {
		if err := c.collect(); err != nil {
			return err
		}
	}
	return nil
}

// lock takes a lock, exclusive or shared. The time until it is granted counts as
// waiting for a lock.
func (c *client) lock(id uint32, alone bool) error {
	server := c.disk.lockHome(id)
	c.stats.Locks++
	if c.conns[server] == nil {
		c.lockHere(id, alone)
	} else {
		o := lockShared
		if alone {
			o = lockAlone
		}
		if err := c.issue(server, request{op: o, at: id}, 0); err != nil {
			return err
		}
		began := c.x.Now()
		if err := c.wait(); err != nil {
			return err
		}
		old := c.x.Enter(host.MessageWait)
		c.x.Shift(host.LockWait, c.x.Now().Sub(began))
		c.x.Enter(old)
	}
	c.held = append(c.held, id)
	return c.model.locked(c.id, id, alone)
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
func (c *client) unlock() error {
	for len(c.held) > 0 {
		id := c.held[len(c.held)-1]
		c.held = c.held[:len(c.held)-1]
		if err := c.model.unlocking(c.id, id); err != nil {
			return err
		}
		server := c.disk.lockHome(id)
		if c.conns[server] != nil {
			if err := c.issue(server, request{op: unlock, at: id}, 0); err != nil {
				return err
			}
			continue
		}
		c.x.Compute(lockWork)
		now, err := c.server.locks.release(id)
		if err != nil {
			return err
		}
		c.server.tell(now)
		if len(c.server.granted) > 0 {
			c.server.context.Interrupt() // its process tells the others
		}
	}
	return nil
}

// alloc takes a free block.
func (c *client) alloc() (uint32, error) {
	if k := len(c.free); k > 0 {
		b := c.free[k-1]
		c.free = c.free[:k-1]
		return b, nil
	}
	if c.next == c.disk.first(c.id)+clientBlocks {
		return 0, fmt.Errorf("the client's %d blocks are used up", clientBlocks)
	}
	c.next++
	return c.next - 1, nil
}
