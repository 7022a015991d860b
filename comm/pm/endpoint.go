package pm

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

func newEndpoint(n *Node, space *host.Space, tag trace.Tag) *Endpoint {
	e := &Endpoint{
		Process: n.Process(space, tag), node: n,
		stride: n.spec.Firmware.PacketBytes + n.spec.RecordBytes,
	}
	e.spare = library.NewBuffers(space, e.stride)
	e.pool = space.Alloc(int64(n.spec.Buffers) * int64(e.stride))
	for i := range n.spec.Buffers {
		e.free = append(e.free, i)
	}
	at := space.Alloc(int64(n.spec.CopyBuffers) * int64(n.spec.Firmware.PacketBytes))
	for i := range n.spec.CopyBuffers {
		e.copies = append(e.copies, source{at: at + host.Addr(i*n.spec.Firmware.PacketBytes)})
	}
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
	if e.node.stopped != nil {
		return e.node.stopped
	}
	if err := e.CheckSend(to, from, n, meta); err != nil {
		return err
	}
	e.enter(c)
	e.await(c)
	r := e.request(to, n, meta)
	r.From = from
	if n > 0 && !e.pinned(from, n) {
		e.claim(c, r)
		c.CopyWithin(e.Space(), from, r.From, n)
	}
	e.node.Program.Post(c, r, e.node.spec.Host.Send, false)
	return nil
}

// Gather sends a message whose pieces are copied into the library's pinned memory.
func (e *Endpoint) Gather(c *host.Context, to int, head, body comm.Piece, meta trace.Meta) error {
	if e.node.stopped != nil {
		return e.node.stopped
	}
	n := head.Bytes + body.Bytes
	if err := e.CheckSend(to, body.At, body.Bytes, meta); err != nil {
		return err
	}
	if err := e.CheckData("message", head.At, head.Bytes, 0, e.Traits().MaxBytes-body.Bytes); err != nil {
		return err
	}
	e.enter(c)
	e.await(c)
	r := e.request(to, n, meta)
	e.claim(c, r)
	c.CopyWithin(e.Space(), head.At, r.From, head.Bytes)
	c.CopyWithin(e.Space(), body.At, r.From+host.Addr(head.Bytes), body.Bytes)
	e.node.Program.Post(c, r, e.node.spec.Host.Send, false)
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

// claim gives a request the next of the library's pinned buffers, once the
// buffer's previous message has left.
func (e *Endpoint) claim(c *host.Context, r *firmware.Request) {
	e.copied = (e.copied + 1) % len(e.copies)
	s := &e.copies[e.copied]
	if s.request != nil {
		s.request.Wait(c, true)
		e.node.Program.Free(s.request)
	}
	r.From = s.at
	r.Hold()
	s.request = r
}

// Receive waits for the oldest message of a peer, or of Anyone. With into 0 the
// message stays in its receive buffer, valid until the next call.
func (e *Endpoint) Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	if err := e.CheckReceive(from, into, n, true); err != nil {
		return comm.Message{}, err
	}
	e.enter(c)
	e.release(c)
	i := e.oldest(from)
	for ; i < 0; i = e.oldest(from) {
		if e.node.stopped != nil {
			return comm.Message{}, e.node.stopped
		}
		if !e.move(c) {
			e.Await(c, "a message")
		}
	}
	a := e.arrived[i]
	e.arrived = slices.Delete(e.arrived, i, i+1)
	c.Spend(e.node.spec.Host.Receive)
	e.holding = a
	got := comm.Message{From: a.from, Bytes: a.bytes, At: a.at}
	if into == 0 {
		return got, nil
	}
	if a.bytes > n {
		return got, e.TooLong(got, n)
	}
	c.CopyWithin(e.Space(), got.At, into, a.bytes)
	got.At = into
	e.release(c)
	return got, nil
}

// Due reports whether a message has come.
func (e *Endpoint) Due() sim.Time {
	if len(e.arrived) > 0 {
		return 0
	}
	return sim.Never
}

// Poll polls the records of messages and returns how many are new. Messages
// wait in their buffers until they are received.
func (e *Endpoint) Poll(*host.Context) (n int) {
	for i := range e.arrived {
		if !e.arrived[i].seen {
			e.arrived[i].seen = true
			n++
		}
	}
	return n
}

// oldest returns the position of the oldest message of a peer, or -1.
func (e *Endpoint) oldest(from int) int {
	return slices.IndexFunc(e.arrived, func(a arrival) bool { return from == comm.Anyone || a.from == from })
}

// release frees the last message's buffer.
func (e *Endpoint) release(c *host.Context) {
	a := e.holding
	e.holding = arrival{}
	switch {
	case a.at == 0:
	case a.buffer < 0:
		e.spare.Put(a.at)
	default:
		e.vacate(c, a.buffer)
	}
}

// vacate frees a buffer by a word in SRAM, which the interface reads when it
// has rejected packets.
func (e *Endpoint) vacate(c *host.Context, buffer int) {
	c.PIOWrite(1, false)
	e.free = append(e.free, buffer)
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
	if len(e.free) > 0 || len(e.waiting) == 0 {
		return false
	}
	i := slices.IndexFunc(e.arrived, func(a arrival) bool { return a.buffer >= 0 })
	if i < 0 {
		return false
	}
	to := e.spare.Get()
	a := e.arrived[i] // only this process removes messages, so it stays there
	c.CopyWithin(e.Space(), a.at, to, a.bytes)
	e.arrived[i].at, e.arrived[i].buffer = to, -1
	e.node.stats.Moved++
	e.vacate(c, a.buffer)
	return true
}

// buffer returns the address of the message in a receive buffer.
func (e *Endpoint) buffer(i int) host.Addr { return e.pool + host.Addr(i*e.stride) }

// wordBuffer is the header word in which the receiving interface stores the
// buffer of a packet.
const wordBuffer = 0

// take gives a packet the next free buffer.
func (e *Endpoint) take(k *fabric.Packet) firmware.Target {
	i := e.free[0]
	e.free = e.free[:copy(e.free, e.free[1:])]
	k.Header.Words[wordBuffer] = uint64(i)
	return firmware.Target{Way: firmware.Deposit, Space: e.Space(), At: e.buffer(i), HeaderBytes: e.node.spec.RecordBytes}
}

// landed records a message that is in its buffer.
func (e *Endpoint) landed(k *fabric.Packet) {
	i := int(k.Header.Words[wordBuffer])
	e.node.NIC.Host().Evict(e.Space(), e.buffer(i), e.stride)
	e.arrived = append(e.arrived, arrival{at: e.buffer(i), from: int(k.Src), bytes: len(k.Data), buffer: i})
	e.Ring()
}

// wordBytes is fetched for a message without data, because the control program
// treats all sizes alike.
const wordBytes = 4
