package verbs

import (
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Datagrams is a queue pair for unreliable datagrams, with its process and its receive buffers. A datagram is a packet
// to any other of these, which finds it GlobalHeaderBytes into a receive buffer. Nobody answers it: an entry is
// complete when the packet has left. One that is damaged, or finds no receive buffer, is lost and counted. Pairs
// of datagrams have no congestion control.
type Datagrams struct {
	mailbox
	pair *Pair
}

// GlobalHeaderBytes is the space of a receive buffer before a datagram, for the network's header (GRH). The model leaves it as
// it is.
const GlobalHeaderBytes = 40

// OpenDatagrams gives a process access to the card.
func (n *Node) OpenDatagrams(space *host.Space, tag trace.Tag) *Datagrams {
	m := n.mailbox(space, tag, GlobalHeaderBytes+n.spec.MTU)
	return &Datagrams{m, m.pair(anyone)}
}

// Another returns another pair of the process, with the same receive buffers.
func (d *Datagrams) Another() *Datagrams { return &Datagrams{d.mailbox, d.Process.pair(anyone)} }

// Address returns where it receives.
func (d *Datagrams) Address() Address { return Address{int32(d.Node()), d.pair.number} }

// Send sends a datagram of at most a packet. While the send queue is full it waits. The bytes may be written again as those
// of Pair.Write. A completion with the number follows if signal is set.
func (d *Datagrams) Send(c *host.Context, to Address, from host.Addr, n int, meta trace.Meta, id uint64, signal bool) error {
	if most := d.node.spec.MTU; n > most {
		return d.Errorf("datagram of %d B, want at most the %d B of a packet", n, most)
	}
	if err := d.CheckSend(int(to.node), from, n, meta); err != nil {
		return err
	}
	w := d.pair.entry(opDatagram, from, n, meta, id, signal)
	w.to = to
	return d.pair.post(c, w)
}

// datagram puts a datagram into a receive buffer of the process, if there is one.
func (q *Pair) datagram(in *incoming) {
	pool, n := q.process.pool, in.packet.Bytes()
	if pool.Free() == 0 || n > q.node.spec.MTU {
		q.node.stats.Lost++
		in.leave()
		return
	}
	buffer := pool.Take()
	in.space, in.at = q.process.Space(), pool.At(buffer)+GlobalHeaderBytes
	in.arrived(buffer, GlobalHeaderBytes+n)
}
