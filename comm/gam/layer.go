package gam

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Build loads the layer into a card.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	window, err := s.window(nodes)
	if err != nil {
		return nil, err
	}
	l := &Layer{spec: *s, window: window}
	return l, l.Load(card, s.Traits(), nodes, s.Firmware, l)
}

// Open gives the node's only process access.
func (l *Layer) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	if l.process != nil {
		return nil, fmt.Errorf("gam: node %d: a second process wants the interface, want one per node", l.NIC.ID())
	}
	l.process = newEndpoint(l, l.Process(space, tag))
	return l.process, nil
}

// Quiet reports whether every request has its reply and nothing is in flight.
func (l *Layer) Quiet() bool {
	return l.Base.Quiet() && (l.process == nil || l.process.outstanding+len(l.process.requests)+len(l.process.replies) == 0)
}

// Counts returns the counts of losses and of sends that had to wait for a
// token.
func (l *Layer) Counts() []comm.Count {
	return []comm.Count{
		{Name: "damaged", N: l.Program.Stats().Damaged, Loss: true},
		{Name: "flushed", N: l.NIC.Stats().Flushed, Loss: true}, l.Reset(),
		{Name: "incomplete", N: l.stats.incomplete, Loss: true}, // packets of a message with a damaged one
		{Name: "malformed", N: l.stats.malformed, Loss: true},
		{Name: "refused", N: l.stats.refused, Loss: true},
		{Name: "without token", N: l.stats.exhausted},
		{Name: "moved unasked", N: l.stats.absorbed},
	}
}

// Outgoing completes a packet's header with the offset of its data.
func (l *Layer) Outgoing(r *firmware.Request, p *fabric.Packet, offset int) {
	p.Header.Seq = uint32(offset)
	if offset > 0 {
		return
	}
	if r.Flags&flagInline == 0 {
		p.WireBytes += argBytes // the words of the message before its data
	}
	cycles := l.spec.Cycles.SendRequest
	if op(r.Op).reply() {
		cycles = l.spec.Cycles.SendReply
	}
	l.NIC.Spend(cycles)
}

// Injected finishes a message that has left.
func (l *Layer) Injected(*firmware.Request) { l.retire() }

// Acknowledge finishes a packet that the host has.
func (l *Layer) Acknowledge(*fabric.Packet) { l.retire() }

func (l *Layer) retire() {
	l.NIC.Spend(l.spec.Cycles.Retire)
	l.NIC.ReadQueue(4 * l.spec.Cycles.RetireWords)
}

// Arrived finds the place of a packet.
func (l *Layer) Arrived(p *fabric.Packet) firmware.Target {
	m := decode(&p.Header)
	offset := int(p.Header.Seq)
	if p.Header.Flags&firmware.FlagWaited != 0 {
		return l.deposit(&m, p)
	}
	if offset == 0 {
		cycles := l.spec.Cycles.AcceptRequest
		if m.op.reply() {
			cycles = l.spec.Cycles.AcceptReply
		}
		l.NIC.Spend(cycles)
	}
	if l.process == nil {
		l.stats.refused++
		return firmware.Target{Action: firmware.Drop}
	}
	switch {
	case !l.process.expect(&m, p):
		return firmware.Target{Action: firmware.Drop}
	case l.keeps(p):
		return firmware.Target{Action: firmware.Keep}
	}
	if offset == 0 && l.spec.Keep {
		l.NIC.WriteQueue(4 * l.spec.MessageWords) // in addition to the DMA of the data
	}
	return l.deposit(&m, p)
}

// deposit finds the place of an expected packet's data in host memory.
func (l *Layer) deposit(m *message, p *fabric.Packet) firmware.Target {
	inline := p.Header.Flags&flagInline != 0
	if l.spec.TakeIn && !inline && !l.process.takes(m, p) {
		return firmware.Target{Action: firmware.Wait}
	}
	offset := int(p.Header.Seq)
	at, _ := l.process.place(m, int(p.Src), offset, p.Bytes(), inline)
	return firmware.Target{Action: firmware.Deposit, Space: l.process.Space(), At: at, HeaderBytes: l.headerBytes(offset)}
}

// keeps reports whether a packet stays in the card's receive ring, from which the host reads it.
func (l *Layer) keeps(p *fabric.Packet) bool {
	return l.spec.Keep && p.Header.Flags&flagInline != 0 && p.Bytes() <= argBytes
}

// headerBytes returns the bytes transferred to host memory in addition to a
// packet's data: the message's words, unless they stay on the card.
func (l *Layer) headerBytes(offset int) int {
	if l.spec.Keep || offset > 0 {
		return 0
	}
	return 4*l.spec.MessageWords - argBytes
}

// Landed records that a packet's data is visible to the host.
func (l *Layer) Landed(p *fabric.Packet) { l.process.landed(p) }

// Lost handles a lost packet; its token is lost too.
func (l *Layer) Lost(p *fabric.Packet, why firmware.Loss) {
	if why == firmware.Flushed {
		l.process.flushed(p)
	}
}
