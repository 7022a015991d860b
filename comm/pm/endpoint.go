package pm

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

func newEndpoint(n *Node, space *host.Space, tag trace.Tag) *Endpoint {
	e := &Endpoint{Process: n.Process(space, tag), node: n}
	e.Pool = library.NewPool(&e.Process, n.spec.Buffers, n.spec.Firmware.PacketBytes+n.spec.RecordBytes, n.spec.Host.Receive, e.vacate, e.wait)
	e.copies = firmware.NewCopies(n.Program, space, n.spec.CopyBuffers, n.spec.Firmware.PacketBytes)
	return e
}

// Buffer allocates pinned memory, from which messages are sent without a copy.
func (e *Endpoint) Buffer(bytes int) host.Addr {
	bytes = max(1, bytes)
	at := e.Process.Buffer(bytes)
	to := at + host.Addr(bytes)
	if k := len(e.sources); k > 0 && e.sources[k-1].to == at {
		e.sources[k-1].to = to
	} else {
		e.sources = append(e.sources, region{at, to})
	}
	return at
}

// pinned reports whether the interface may read n bytes at a.
func (e *Endpoint) pinned(a host.Addr, n int) bool {
	i, found := slices.BinarySearchFunc(e.sources, a, func(r region, a host.Addr) int {
		switch {
		case a < r.from:
			return 1
		case a >= r.to:
			return -1
		}
		return 0
	})
	return found && a+host.Addr(n) <= e.sources[i].to
}

// Send sends a message of at most Traits.MaxBytes. It returns when the
// interface has the descriptor; the data is fetched afterwards. Data outside
// memory from Buffer is copied first.
func (e *Endpoint) Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error {
	if e.node.Stopped != nil {
		return e.node.Stopped
	}
	if err := e.CheckSend(to, from, n, meta); err != nil {
		return err
	}
	e.node.Program.Post(c, e.prepare(c, to, from, n, meta), e.node.spec.Host.Send, host.Words)
	return nil
}

// prepare returns a request for n bytes at from once the queue has room. It copies data
// that are not in pinned memory.
func (e *Endpoint) prepare(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) *firmware.Request {
	e.enter(c)
	e.await(c)
	r := e.request(to, n, meta)
	r.From = from
	if n > 0 && !e.pinned(from, n) {
		e.copies.Claim(c, r)
		c.CopyWithin(e.Space(), from, r.From, n)
	}
	return r
}

// Gather sends a message whose pieces are copied into the library's pinned memory.
func (e *Endpoint) Gather(c *host.Context, to int, head, body comm.Piece, meta trace.Meta) error {
	if e.node.Stopped != nil {
		return e.node.Stopped
	}
	n := head.Bytes + body.Bytes
	if err := e.CheckGather(to, head, body, meta); err != nil {
		return err
	}
	e.enter(c)
	e.await(c)
	r := e.request(to, n, meta)
	e.copies.Claim(c, r)
	c.CopyWithin(e.Space(), head.At, r.From, head.Bytes)
	c.CopyWithin(e.Space(), body.At, r.From+host.Addr(head.Bytes), body.Bytes)
	e.node.Program.Post(c, r, e.node.spec.Host.Send, host.Words)
	return nil
}

// request returns a request for a message of n bytes.
func (e *Endpoint) request(to, n int, meta trace.Meta) *firmware.Request {
	r := e.node.Program.NewRequest()
	r.In(&e.queue)
	r.To, r.Bytes, r.Space = int32(to), n, e.Space()
	r.Meta = trace.Meta{Tag: e.Tag(), Kind: meta.Kind, Span: meta.Span}
	r.Keep, r.Descriptor, r.MinFetch = true, e.node.spec.DescriptorWords, wordBytes
	return r
}

// Receive is Inbox.Receive once the process has the interface.
func (e *Endpoint) Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	if err := e.CheckReceive(from, into, n, true); err != nil {
		return comm.Message{}, err
	}
	e.enter(c)
	return e.Inbox.Receive(c, from, into, n)
}

// wait waits for a message. It fails when the interface has stopped.
func (e *Endpoint) wait(c *host.Context) error {
	if e.node.Stopped != nil {
		return e.node.Stopped
	}
	if !e.move(c) {
		e.Await(c, "a message")
	}
	return nil
}

// vacate frees a buffer by a word in SRAM, which the interface reads when it
// has rejected packets.
func (e *Endpoint) vacate(c *host.Context, buffer int) {
	c.PIOWrite(1, host.Words)
	e.Pool.Put(buffer)
	if len(e.waiting) > 0 {
		e.node.NIC.SetTimer(c.Now())
	}
}

// await waits for room in the request queue. It makes room for arriving messages
// meanwhile, because otherwise two processes that send to each other without
// receiving would deadlock.
func (e *Endpoint) await(c *host.Context) {
	for e.node.Program.Full(&e.queue) {
		if !e.move(c) {
			c.Spin(e.queue.Room(), "an entry of the request queue")
			c.PIORead(1)
		}
	}
}

// move copies a message from its buffer to other memory of the library if all
// buffers are full and more messages wait. It reports whether it did.
func (e *Endpoint) move(c *host.Context) bool {
	if e.Pool.Free() > 0 || len(e.waiting) == 0 || !e.Pool.Move(c) {
		return false
	}
	e.node.stats.Moved++
	return true
}

// wordBuffer is the header word in which the receiving interface stores the
// buffer of a packet.
const wordBuffer = 0

// take takes the next free buffer for a packet.
func (e *Endpoint) take(k *fabric.Packet) firmware.Target {
	i := e.Pool.Take()
	k.Header.Words[wordBuffer] = uint64(i)
	return firmware.Target{Action: firmware.Deposit, Space: e.Space(), At: e.Pool.At(i), HeaderBytes: e.node.spec.RecordBytes}
}

// landed records a message that is in its buffer, or data of a remote write.
func (e *Endpoint) landed(k *fabric.Packet) {
	if k.Header.Op == opWrite {
		e.written(k)
		return
	}
	i := int(k.Header.Words[wordBuffer])
	e.node.NIC.Host().Evict(e.Space(), e.Pool.At(i), e.node.spec.Firmware.PacketBytes+e.node.spec.RecordBytes)
	e.Pool.Landed(i, int(k.Src), k.Bytes())
	e.Ring()
}

// wordBytes is fetched for a message without data, because the control program
// treats all sizes alike.
const wordBytes = 4
