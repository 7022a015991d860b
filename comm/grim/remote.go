package grim

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Remote is a process of another node, whose memory an endpoint reads and writes.
type Remote struct {
	node int
	to   *process
}

// Remote returns the process of another endpoint.
func (e *Endpoint) Remote(of *Endpoint) Remote { return Remote{of.Node(), &of.process} }

// Write writes n bytes at from to address at of a process: RM-P, or RM-V if virtual. If lock
// is not 0, the interface then writes the word at that address. It returns when the bytes
// are in the interface.
func (e *Endpoint) Write(c *host.Context, to Remote, from, at host.Addr, n int, virtual bool, lock host.Addr, meta trace.Meta) error {
	if err := e.CheckPeer(to.node); err != nil {
		return err
	}
	if err := e.CheckData("write", from, n, 0, 0); err != nil {
		return err
	}
	t := request{op: opPhysical, to: to.node, meta: meta, at: at, to64: join(to.to.id, 0), lock: lock}
	if virtual {
		t.op = opVirtual
	}
	if lock != 0 {
		t.flags |= flagLock
	}
	e.enter(c)
	e.push(c, t, source{pieces: [2]comm.Piece{{At: from, Bytes: n}}})
	return nil
}

// writes returns the operation by which programs write remote memory.
func (n *Node) writes() uint8 {
	if n.spec.VirtualDeposits {
		return opVirtual
	}
	return opPhysical
}

// Read reads n bytes at address at of a process to into: RM-RV. It returns when they are there.
// If lock is not 0, the interface then writes the word at that address of the reader.
func (e *Endpoint) Read(c *host.Context, to Remote, at, into host.Addr, n int, lock host.Addr, meta trace.Meta) error {
	if err := e.CheckPeer(to.node); err != nil {
		return err
	}
	if err := e.CheckData("read", into, n, 1, 0); err != nil {
		return err
	}
	if lock != 0 && !e.Space().Valid(lock, lockBytes) {
		return e.Errorf("read with a lock at %#x, which is not all allocated", lock)
	}
	e.enter(c)
	r := &reading{left: n}
	for done := 0; done < n; {
		k := min(n-done, e.node.spec.FragmentBytes)
		e.await(c, 0)
		e.serial++
		e.reads[e.serial] = r
		t := request{op: opRead, to: to.node, meta: meta, at: at + host.Addr(done), to64: join(to.to.id, 0), into: into + host.Addr(done), total: k}
		if done+k == n {
			t.lock = lock
		}
		e.fragment(c, &t, source{}, e.serial, 0, 0)
		done += k
	}
	for r.left > 0 {
		c.Spin(&r.Watch, "a block")
	}
	return nil
}

// OnLock sets the function that runs when the interface has written a lock of the process.
func (e *Endpoint) OnLock(f func(at host.Addr)) { e.unlocks = f }

// unlock writes a lock.
func (p *process) unlock(at host.Addr) {
	p.Space().WriteAt(at, []byte{1, 0, 0, 0})
	p.node.nic.Host().Evict(p.Space(), at, lockBytes)
	if p.unlocks != nil {
		p.unlocks(at)
	}
}

// address returns where a message of remote memory goes.
func (p *process) address(h *fabric.Header) host.Addr {
	at := host.Addr(h.Words[wordAt])
	if _, number := split(h.Words[wordTo]); number > 0 {
		at += p.regions[number-1].at
	}
	return at
}

// reserve takes room in the channel for the block that a read asks for, and reports whether there
// is some.
func (n *Node) reserve(h *fabric.Header) bool {
	total, _ := split(h.Words[wordSize])
	ch := n.channels[len(n.channels)-1]
	if ch.used+int(total)+n.spec.HeaderBytes > n.spec.ChannelBytes {
		return false
	}
	ch.used += int(total)
	return true
}

// read fetches a block of virtual memory into the interface's channel.
func (n *Node) read(in *incoming) {
	h, p := &in.header, in.process
	at := host.Addr(h.Words[wordAt])
	total, _ := split(h.Words[wordSize])
	n.translate(p, at, int(total), func() {
		ch := n.channels[len(n.channels)-1]
		ch.used -= int(total)
		m := n.claim(&ch.links[in.link.peer], int(total))
		serial, reader := split(h.Words[wordFrom])
		m.header = fabric.Header{Op: opBlock, Ack: uint32(m.link.channel), Flags: ni.FlagFirst | flagLast}
		m.header.Meta = trace.Meta{Tag: h.Meta.Tag, Kind: trace.Reply, Span: h.Meta.Span}
		m.header.Words[wordAt] = h.Words[wordInto]
		if m.header.Words[wordLock] = h.Words[wordLock]; h.Words[wordLock] != 0 {
			m.header.Flags |= flagLock
		}
		m.header.Words[wordSize] = join(total, 0)
		m.header.Words[wordTo] = join(reader, 0)
		m.header.Words[wordFrom] = join(serial, 0)
		m.rec.Meta, m.rec.Peer, m.rec.Bytes, m.rec.First = m.header.Meta, in.link.peer, int32(total), true
		m.space, m.from = p.Space(), at
		m.posted = ni.Posted{Seen: n.nic.Now()}
		m.begun = true
		n.nic.Begin(&m.rec, &m.posted)
		m.dma = ni.DMA{Dir: ni.ToNI, Bytes: int(total), Arg: m.rec.Arg, Record: &m.rec, About: n.order(in)}
		n.nic.HostDMA(&m.dma)
		if m.dma.About == nil {
			n.empty(in)
		} else {
			m.request = in
		}
	})
}

// fetched queues a block that is in SRAM.
func (n *Node) fetched(m *message) {
	if m.request != nil {
		n.empty(m.request)
	}
	ch := n.channels[m.link.channel]
	ch.queue = append(ch.queue, m)
	n.nic.Post()
}

// deposit describes bytes from begin to end of a message in an exported region.
func (in *incoming) deposit(begin, end int) deposit.Arrival {
	h := &in.header
	total, offset := split(h.Words[wordSize])
	return deposit.Arrival{
		From: int(in.link.peer), Offset: int(h.Words[wordAt]) + begin, Bytes: end - begin,
		First: offset == 0 && begin == 0, Last: int(offset)+end == int(total),
	}
}

// deliver reports bytes from begin to end of a message to the region's owner, page by page.
func (in *incoming) deliver(n *Node, begin, end int) {
	p, x := in.process, in.region()
	if in.header.Op == opBlock {
		p.read(in, end-begin)
		return
	}
	if x == nil {
		return
	}
	for at := begin; at < end; {
		a := p.address(&in.header) + host.Addr(at)
		k := min(end-at, host.PageBytes-a.Offset())
		d := in.deposit(at, at+k)
		if x.place != nil {
			to := x.place(d.Offset, k)
			if to == nil {
				n.stats.Refused++
				at += k
				continue
			}
			copy(to, in.packet.Data()[at:at+k])
		}
		if x.written != nil {
			x.written(d)
		}
		at += k
	}
}

// read counts bytes of a block that the process waits for.
func (p *process) read(in *incoming, bytes int) {
	serial, _ := split(in.header.Words[wordFrom])
	r := p.reads[serial]
	if r == nil {
		return // damage that no check has seen
	}
	r.left -= bytes
	if total, _ := split(in.header.Words[wordSize]); in.landed+bytes == int(total) {
		delete(p.reads, serial)
	}
	in.landed += bytes
	if r.left == 0 {
		r.Fire()
	}
}
