package deposit

import (
	"encoding/binary"
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// multicasting is a port on a layer whose interfaces multicast messages. The envelope of such
// a message is followed by the place of its data at each receiver. Other nodes ignore it.
type multicasting struct {
	*polled
	layer comm.Multicaster
	nodes int
	head  host.Addr // the envelope and the places that are being sent
}

func newMulticasting(p *polled, layer comm.Multicaster, nodes int) *multicasting {
	return &multicasting{p, layer, nodes, layer.Buffer(envelopeBytes + nodes*spotBytes)}
}

// spot is the place of a multicast's data at a receiver.
type spot struct {
	node, region uint16
	offset       uint32
}

const spotBytes = 8

// MulticastBytes returns a number above all lengths, since the library cuts multicasts, or -1 if
// the places of all other nodes leave no room in a message.
func (p *multicasting) MulticastBytes() int {
	if p.room(p.nodes-1) < 1 {
		return -1
	}
	return 1 << 30
}

// room returns how many bytes a message for so many receivers holds.
func (p *multicasting) room(receivers int) int {
	return p.layer.Traits().MaxBytes - envelopeBytes - receivers*spotBytes
}

// Multicast implements Multicaster. The memory may be written again when it returns.
func (p *multicasting) Multicast(c *host.Context, from host.Addr, to []Target, n int, meta trace.Meta, tail *Tail, _ *Completion) error {
	if err := p.check(from, to, n); err != nil {
		return err
	}
	if tail != nil {
		if err := p.check(tail.Local, tail.To, tail.Bytes); err != nil {
			return err
		}
	}
	p.enter(c)
	defer p.leave(c)
	p.spread(c, from, to, n, meta)
	if tail != nil {
		p.spread(c, tail.Local, tail.To, tail.Bytes, tail.Meta)
	}
	return p.err
}

// check checks the arguments of a multicast.
func (p *multicasting) check(from host.Addr, to []Target, n int) error {
	if len(to) == 0 || p.room(len(to)) < 1 {
		return fmt.Errorf("deposit: node %d multicasts to %d receivers, want at least 1 and places that leave room in a message of %d B", p.id, len(to), p.layer.Traits().MaxBytes)
	}
	if n <= 0 || !p.space.Valid(from, n) {
		return fmt.Errorf("deposit: node %d multicasts %d B from %#x, want allocated memory", p.id, n, from)
	}
	for _, t := range to {
		m, ok := t.To.(*remote)
		switch {
		case !ok || m.owner != p.polled:
			return fmt.Errorf("deposit: node %d multicasts through an import of another process", p.id)
		case t.Offset < 0 || n > m.to.bytes-t.Offset:
			return fmt.Errorf("deposit: node %d multicasts %d B at offset %d into an import of %d B", p.id, n, t.Offset, m.to.bytes)
		case m.to.id >= 1<<16 || int64(t.Offset)+int64(n) > 1<<32:
			return fmt.Errorf("deposit: node %d multicasts to region %d at offset %d, want less than %d and 4 GB", p.id, m.to.id, t.Offset, 1<<16)
		}
	}
	return nil
}

// spread cuts a deposit into pieces and multicasts them.
func (p *multicasting) spread(c *host.Context, from host.Addr, to []Target, n int, meta trace.Meta) {
	head := make([]byte, envelopeBytes+len(to)*spotBytes)
	for sent := 0; sent < n && p.err == nil; {
		bytes := min(n-sent, p.room(len(to)))
		for i, t := range to {
			x := t.To.(*remote).to
			bytes = min(bytes, host.PageBytes-(x.at+host.Addr(t.Offset+sent)).Offset())
			spot{uint16(x.port.id), uint16(x.id), uint32(t.Offset + sent)}.put(head[envelopeBytes+i*spotBytes:])
		}
		flags := uint32(several)
		if sent == 0 {
			flags |= first
		}
		if sent+bytes == n {
			flags |= last
		}
		binary.LittleEndian.PutUint32(head, uint32(len(to)))
		binary.LittleEndian.PutUint32(head[4:], flags)
		p.space.WriteAt(p.head, head)
		p.err = p.layer.Multicast(c, comm.Piece{At: p.head, Bytes: len(head)}, comm.Piece{At: from + host.Addr(sent), Bytes: bytes}, meta)
		sent += bytes
	}
}

func (s spot) put(b []byte) {
	binary.LittleEndian.PutUint16(b, s.node)
	binary.LittleEndian.PutUint16(b[2:], s.region)
	binary.LittleEndian.PutUint32(b[4:], s.offset)
}
