package grim

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// source is the data of a message: two pieces of memory, or the bytes of a frame at the
// first.
type source struct {
	pieces [2]comm.Piece
	frame  []byte
}

func (s source) size() (n int) {
	for _, p := range s.pieces {
		n += p.Bytes
	}
	return n
}

// push sends a message: it cuts it into fragments and stores each into the channel. While
// the channel is full, a process with active messages makes room for those that come.
func (p *process) push(c *host.Context, t request, from source) {
	p.serial++
	serial := p.serial
	t.total = from.size()
	for sent := 0; ; {
		size := min(t.total-sent, p.node.spec.FragmentBytes)
		p.await(c, size)
		p.fragment(c, &t, from, serial, sent, size)
		if sent += size; sent == t.total {
			return
		}
	}
}

// await waits for room for a fragment in the channel.
func (p *process) await(c *host.Context, bytes int) {
	ch, spec := p.channel, &p.node.spec
	for ch.used+bytes+spec.HeaderBytes > spec.ChannelBytes || len(ch.queue) >= spec.Scoreboard {
		if p.active == nil || !p.active.spill(c) {
			ch.Await(c, "room in its channel")
		}
	}
}

// fragment stores a fragment into the channel. With sender cut-through the interface may
// send it from the first segment on: a counter tells it how many bytes have come.
func (p *process) fragment(c *host.Context, t *request, from source, serial uint32, sent, size int) {
	n := p.node
	m := n.claim(&p.channel.links[t.to], size)
	m.header = p.header(t, serial, sent, size)
	m.rec.Meta, m.rec.Peer, m.rec.Bytes, m.rec.First = m.header.Meta, int32(t.to), int32(size), sent == 0
	first := size
	if n.spec.SenderCutThrough {
		first = min(size, n.spec.SegmentBytes)
	}
	if from.frame != nil {
		copy(m.data, from.frame[sent:])
	}
	p.inject(c, m, from, sent, 0, first)
	n.nic.StoreRequest(c, n.spec.Host.Send, n.spec.DescriptorWords, n.route)
	if rest := size - first; rest > 0 {
		m.pushing = true
		m.full = c.Now().Add(n.storing(rest))
		gather(p.Space(), from, sent+first, m.data[first:])
	}
	p.channel.queue = append(p.channel.queue, m)
	m.posted = n.nic.Post()
	for at := first; at < size; at += n.spec.SegmentBytes {
		p.inject(c, m, from, sent, at, min(n.spec.SegmentBytes, size-at))
		c.PIOWrite(1, host.Words)
	}
	m.pushing = false
	n.settle(m)
}

// storing returns how long the host needs for bytes in segments, on an idle machine.
func (n *Node) storing(bytes int) sim.Duration {
	segments := (bytes + n.spec.SegmentBytes - 1) / n.spec.SegmentBytes
	each := n.segment + n.nic.Host().PIOWriteTime(1, host.Words)
	return each*sim.Duration(segments-1) + each*sim.Duration(bytes-(segments-1)*n.spec.SegmentBytes)/sim.Duration(n.spec.SegmentBytes)
}

// header returns the header of a fragment.
func (p *process) header(t *request, serial uint32, sent, size int) fabric.Header {
	h := fabric.Header{Op: t.op, Ack: uint32(p.channel.links[t.to].channel)}
	h.Meta = trace.Meta{Tag: p.Tag(), Kind: t.meta.Kind, Span: t.meta.Span}
	h.Words[wordAt] = uint64(t.at) + uint64(sent)
	h.Words[wordSize] = join(uint32(t.total), uint32(sent))
	h.Words[wordTo] = t.to64
	h.Words[wordFrom] = join(serial, p.id)
	if sent == 0 {
		h.Flags |= ni.FlagFirst
	}
	if sent+size == t.total {
		h.Flags |= flagLast | t.flags
	}
	h.Words[wordLock], h.Words[wordInto] = uint64(t.lock), uint64(t.into)
	return h
}

// inject moves bytes from to from+n of a fragment into the interface.
func (p *process) inject(c *host.Context, m *message, from source, sent, at, bytes int) {
	if from.frame == nil {
		gather(p.Space(), from, sent+at, m.data[at:at+bytes])
	}
	skip := sent + at
	for _, x := range from.pieces {
		k := min(bytes, x.Bytes-skip)
		if k <= 0 {
			skip -= x.Bytes
			continue
		}
		p.move(c, x.At+host.Addr(skip), k)
		bytes -= k
		skip = 0
	}
}

// gather reads data of a message from an offset on.
func gather(s *host.Space, from source, offset int, into []byte) {
	if from.frame != nil {
		return
	}
	for _, x := range from.pieces {
		if offset >= x.Bytes {
			offset -= x.Bytes
			continue
		}
		k := min(len(into), x.Bytes-offset)
		s.ReadAt(x.At+host.Addr(offset), into[:k])
		into, offset = into[k:], 0
		if len(into) == 0 {
			return
		}
	}
}
