package deposit

import (
	"encoding/binary"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// messages sends each piece as a message, an envelope and the data.
type messages struct {
	port  *polled
	layer comm.Gatherer
	head  host.Addr // the envelope that is being sent
}

// envelopeBytes is the size of the region, the flags and the offset.
const envelopeBytes = 16

func newMessages(p *polled, layer comm.Gatherer) *messages {
	return &messages{port: p, layer: layer, head: layer.Buffer(envelopeBytes)}
}

func (m *messages) most() int {
	if n := m.layer.Traits().MaxBytes; n > 0 {
		return n - envelopeBytes
	}
	return host.PageBytes
}

func (m *messages) prompt() bool { return true }

func (m *messages) put(c *host.Context, to *region, from host.Addr, q piece, meta trace.Meta, _ *Completion) error {
	var b [envelopeBytes]byte
	binary.LittleEndian.PutUint32(b[:], q.region)
	binary.LittleEndian.PutUint32(b[4:], q.flags)
	binary.LittleEndian.PutUint64(b[8:], uint64(q.offset))
	m.port.space.WriteAt(m.head, b[:])
	return m.layer.Gather(c, to.port.id, comm.Piece{At: m.head, Bytes: envelopeBytes}, comm.Piece{At: from, Bytes: q.bytes}, meta)
}

func (m *messages) frame(*host.Context, *region, []byte, piece, trace.Meta) error {
	panic("deposit: a frame for messages, which are prompt")
}

// take receives a message and copies its data to its place.
func (m *messages) take(c *host.Context) error {
	got, err := m.layer.Receive(c, comm.Anyone, 0, 0)
	if err != nil {
		return err
	}
	if got.Bytes < envelopeBytes {
		m.port.refused++
		return nil
	}
	var b [envelopeBytes]byte
	m.port.space.ReadAt(got.At, b[:])
	q := piece{
		region: binary.LittleEndian.Uint32(b[:]), flags: binary.LittleEndian.Uint32(b[4:]),
		offset: int(binary.LittleEndian.Uint64(b[8:])), bytes: got.Bytes - envelopeBytes,
	}
	at := got.At + envelopeBytes
	if q.flags&several != 0 {
		var mine bool
		if mine, at = m.choose(&q, at); !mine {
			return nil
		}
	}
	if x := m.port.find(q); x != nil {
		c.CopyWithin(m.port.space, at, x.at+host.Addr(q.offset), q.bytes)
		x.landed(got.From, q)
	}
	return nil
}

// choose returns the address of this node's place among those of a multicast, which begin at an
// address, and that of the data behind them. It reports whether this node has one.
func (m *messages) choose(q *piece, at host.Addr) (bool, host.Addr) {
	if int64(q.region)*spotBytes > int64(q.bytes) {
		m.port.refused++
		return false, 0
	}
	q.bytes -= int(q.region) * spotBytes
	end := at + host.Addr(q.region)*spotBytes
	for ; at < end; at += spotBytes {
		var b [spotBytes]byte
		m.port.space.ReadAt(at, b[:])
		if int(binary.LittleEndian.Uint16(b[:])) == m.port.id {
			q.region, q.offset, q.flags = uint32(binary.LittleEndian.Uint16(b[2:])), int(binary.LittleEndian.Uint32(b[4:])), q.flags&^several
			return true, end
		}
	}
	return false, 0
}
