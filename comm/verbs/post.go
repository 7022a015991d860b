package verbs

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Region makes bytes at an address of the process's memory, which are registered, a target of its
// peers' operations.
func (p *Process) Region(at host.Addr, bytes int) (*Region, error) {
	if bytes <= 0 {
		return nil, p.Errorf("region of %d B at %#x, want at least 1 B", bytes, at)
	}
	if !p.Space().Valid(at, bytes) {
		return nil, p.Errorf("region of %d B at %#x, which are not all allocated", bytes, at)
	}
	r := &Region{process: p, number: uint32(len(p.node.regions)), at: at, bytes: bytes}
	p.node.regions, p.regions = append(p.node.regions, r), append(p.regions, r)
	return r, nil
}

// Write writes n bytes at from to an offset of a region of the peer. The bytes may be written again
// when it has completed, or at once if they are few (Spec.InlineBytes). A completion with the number
// follows if signal is set.
func (q *Pair) Write(c *host.Context, from host.Addr, n int, to *Region, offset int, meta trace.Meta, id uint64, signal bool) error {
	w, err := q.remote(opWrite, from, n, to, offset, meta, id, signal)
	if err != nil {
		return err
	}
	return q.post(c, w)
}

// Read reads n bytes at an offset of a region of the peer to an address.
func (q *Pair) Read(c *host.Context, into host.Addr, n int, from *Region, offset int, meta trace.Meta, id uint64, signal bool) error {
	w, err := q.remote(opRead, into, n, from, offset, meta, id, signal)
	if err != nil {
		return err
	}
	return q.post(c, w)
}

// FetchAdd adds to eight bytes of a region of the peer, in the byte order of the hosts (little endian). What
// they were before is in result when the operation has completed.
func (q *Pair) FetchAdd(c *host.Context, to *Region, offset int, add uint64, result *uint64, meta trace.Meta, id uint64, signal bool) error {
	w, err := q.atomic(opFetchAdd, to, offset, [2]uint64{add}, result, meta, id, signal)
	if err != nil {
		return err
	}
	return q.post(c, w)
}

// CompareSwap stores a number in eight bytes of a region of the peer if they hold another one.
func (q *Pair) CompareSwap(c *host.Context, to *Region, offset int, old, new uint64, result *uint64, meta trace.Meta, id uint64, signal bool) error {
	w, err := q.atomic(opCompareSwap, to, offset, [2]uint64{new, old}, result, meta, id, signal)
	if err != nil {
		return err
	}
	return q.post(c, w)
}

// Message sends n bytes at from as a message to the peer, which needs receive buffers (Messages).
func (q *Pair) Message(c *host.Context, from host.Addr, n int, meta trace.Meta, id uint64, signal bool) error {
	if err := q.process.CheckSend(int(q.peer), from, n, meta); err != nil {
		return err
	}
	return q.post(c, q.entry(opSend, from, n, meta, id, signal))
}

// atomic returns an entry that changes eight bytes of the peer.
func (q *Pair) atomic(o op, to *Region, offset int, operand [2]uint64, result *uint64, meta trace.Meta, id uint64, signal bool) (*work, error) {
	if to != nil && (uint64(to.at)+uint64(offset))%8 != 0 {
		return nil, q.process.Errorf("atomic at offset %d of a region at %#x, want eight bytes at a multiple of eight", offset, to.at)
	}
	w, err := q.remote(o, 0, 8, to, offset, meta, id, signal)
	if err == nil {
		w.operand, w.result = operand, result
	}
	return w, err
}

// remote returns an entry that names memory of the peer.
func (q *Pair) remote(o op, at host.Addr, n int, r *Region, offset int, meta trace.Meta, id uint64, signal bool) (*work, error) {
	p := q.process
	switch {
	case r == nil || int32(r.process.Node()) != q.peer:
		return nil, p.Errorf("operation on a region that is not node %d's", q.peer)
	case n <= 0 || offset < 0 || n > r.bytes-offset:
		return nil, p.Errorf("operation on %d B at offset %d of a region of %d B", n, offset, r.bytes)
	case at != 0 && !p.Space().Valid(at, n):
		return nil, p.Errorf("operation on %d B at %#x, which is not all allocated", n, at)
	}
	w := q.entry(o, at, n, meta, id, signal)
	w.region, w.offset = r.number, offset
	return w, nil
}

// entry returns an entry, in the memory of one that has completed.
func (q *Pair) entry(o op, at host.Addr, n int, meta trace.Meta, id uint64, signal bool) *work {
	var w *work
	if k := len(q.node.works); k > 0 {
		w = q.node.works[k-1]
		q.node.works = q.node.works[:k-1]
	} else {
		w = &work{}
	}
	*w = work{op: o, to: Address{q.peer, q.other}, at: at, bytes: n, meta: meta, id: id, signal: signal, wanted: signal, inline: w.inline[:0]}
	return w
}

// post stores an entry into the send queue and rings the doorbell. While the queue is full it
// waits. It returns the pair's error if the pair has failed.
func (q *Pair) post(c *host.Context, w *work) error {
	s := &q.node.spec
	if err := q.await(c); err != nil {
		return err
	}
	w.meta.Tag = q.process.Tag()
	w.packets = q.node.packets(w)
	if (q.posted+1)%uint64(s.SendDepth/2) == 0 {
		w.signal = true // places are free again when the host knows it
	}
	if w.inEntry = q.node.inlines(w); w.inEntry {
		w.inline = grown(w.inline, w.bytes)
		q.read(w, 0, w.inline)
	}
	entry := s.entry(w)
	// The library stores what has a place before others of the process, which wait for the CPU, can.
	q.works.Push(w)
	q.posted++
	w.number = q.posted
	words, route := 2, host.Words // a doorbell
	if entry <= s.BlueFlameBytes {
		words, route = (entry+host.WordBytes-1)/host.WordBytes, host.Combining
	}
	w.blue = entry <= s.BlueFlameBytes
	q.node.nic.StoreRequest(c, s.Host.Post, words, route)
	q.node.doorbells.Push(q)
	q.node.nic.PostAcross()
	return nil
}

// inlines reports whether an entry carries its data itself.
func (n *Node) inlines(w *work) bool {
	return (w.op == opWrite || w.op == opSend || w.op == opDatagram) && w.bytes+w.op.address() <= n.spec.InlineBytes
}

// entry returns the length of an entry with its inline data, bytes.
func (s *Spec) entry(w *work) int { return s.EntryBytes + w.op.address() + len(w.inline) }

// await waits for room in the send queue.
func (q *Pair) await(c *host.Context) error {
	for q.err == nil && q.full() {
		q.process.lacks(c, &q.room)
		c.Spend(q.node.spec.Host.Poll)
	}
	return q.err
}

func (q *Pair) full() bool { return q.posted-q.freed >= uint64(q.node.spec.SendDepth) }

// packets returns how many packet numbers an entry takes: one a packet, or one a packet of the
// answer.
func (n *Node) packets(w *work) uint32 {
	return uint32(max(1, (w.bytes+n.spec.MTU-1)/n.spec.MTU))
}

// read copies the data of an entry, from an offset on.
func (q *Pair) read(w *work, offset int, into []byte) {
	if w.frame != nil {
		copy(into, w.frame[offset:])
		return
	}
	q.process.Space().ReadAt(w.at+host.Addr(offset), into)
}

// Outstanding returns how many entries have not completed.
func (q *Pair) Outstanding() int { return int(q.posted - q.done) }

// Err returns why the pair has failed, or nil.
func (q *Pair) Err() error { return q.err }

// Completed takes the oldest completion, if there is one.
func (p *Process) Completed(c *host.Context) (Completion, bool) {
	if p.completions.Len() == 0 {
		return Completion{}, false
	}
	c.Spend(p.node.spec.Host.Poll)
	return p.completions.Pop(), true
}

// AwaitCompletion waits for a completion.
func (p *Process) AwaitCompletion(c *host.Context) Completion {
	for {
		if x, ok := p.Completed(c); ok {
			return x
		}
		p.Bell.Await(c, "a completion")
	}
}

// wait waits for the card. A process with receive buffers meanwhile moves messages out of them if
// all are full: its peer may wait for it in the same way.
func (p *Process) wait(c *host.Context, w *host.Watch, what string) {
	if p.pool == nil {
		c.Spin(w, what)
	} else if p.pool.Free() > 0 || !p.pool.Move(c) {
		c.Spin(&p.Watch, what)
	}
}

// lacks waits for room in a send queue.
func (p *Process) lacks(c *host.Context, w *host.Watch) {
	c.Lacking(waits.Window, func() { p.wait(c, w, "room in a send queue") })
}

// perform posts an operation and waits until it has completed.
func (q *Pair) perform(c *host.Context, w *work) error {
	var watch host.Watch
	done := deposit.Completion{Watch: &watch}
	done.Add()
	w.done = &done
	if err := q.post(c, w); err != nil {
		return err
	}
	for done.Pending() > 0 {
		q.process.wait(c, &watch, fmt.Sprintf("an operation at node %d", q.peer))
	}
	c.Spend(q.node.spec.Host.Poll)
	return q.err
}
