package nx

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/sim/host"
)

// MsgID identifies a send or receive in progress.
type MsgID int

// Csend sends bytes at buf to a node, or with Any to all others. It returns
// when the buffer may be used again.
func (p *Process) Csend(typ int, buf host.Addr, bytes, node int) error {
	defer p.context.Enter(p.enter())
	id, err := p.submit(typ, buf, bytes, node, 0)
	return p.ended(id, err, "a message to be sent")
}

// Isend starts a send. The buffer may be used again once Msgwait returns or
// Msgdone reports true.
func (p *Process) Isend(typ int, buf host.Addr, bytes, node int) (MsgID, error) {
	defer p.context.Enter(p.enter())
	return p.begun(p.submit(typ, buf, bytes, node, 0))
}

// Crecv receives a message of a type, or of Any, from any node into max bytes
// at buf. It returns when the message is there. A longer message is an error.
func (p *Process) Crecv(typesel int, buf host.Addr, max int) error {
	return p.Crecvx(typesel, buf, max, Any)
}

// Crecvx is Crecv from one node only. It allows redirection, which avoids a
// copy.
func (p *Process) Crecvx(typesel int, buf host.Addr, max, node int) error {
	defer p.context.Enter(p.enter())
	id, err := p.receive(typesel, buf, max, node, false)
	return p.ended(id, err, "a message")
}

// Irecv starts a Crecv.
func (p *Process) Irecv(typesel int, buf host.Addr, max int) (MsgID, error) {
	return p.Irecvx(typesel, buf, max, Any)
}

// Irecvx starts a Crecvx.
func (p *Process) Irecvx(typesel int, buf host.Addr, max, node int) (MsgID, error) {
	defer p.context.Enter(p.enter())
	return p.begun(p.receive(typesel, buf, max, node, false))
}

// Msgwait waits until a send or receive is complete and frees its number.
func (p *Process) Msgwait(id MsgID) error {
	defer p.context.Enter(p.enter())
	return p.ended(int(id), p.checkID(id), "a message")
}

// Msgdone reports whether a send or receive is complete, and frees its number
// if so.
func (p *Process) Msgdone(id MsgID) (bool, error) {
	defer p.context.Enter(p.enter())
	if err := p.checkID(id); err != nil {
		return false, err
	}
	if err := p.stopped(); err != nil {
		return false, err
	}
	if !p.requests[id].complete() {
		return false, nil
	}
	return true, p.finish(int(id), "a message")
}

// Msgany returns the index of a message in progress that is complete, and frees its number.
// If none is, it waits for one, or returns -1 at once.
func (p *Process) Msgany(ids []MsgID, wait bool) (int, error) {
	defer p.context.Enter(p.enter())
	for _, id := range ids {
		if err := p.checkID(id); err != nil {
			return 0, err
		}
	}
	found := -1
	one := func() bool {
		found = slices.IndexFunc(ids, func(id MsgID) bool { return p.requests[id].complete() })
		return found >= 0
	}
	switch err := p.stopped(); {
	case err != nil:
		return 0, err
	case wait:
		if err := p.wait("any of several messages", one); err != nil {
			return 0, err
		}
	case !one():
		return -1, nil
	}
	return found, p.finish(int(ids[found]), "a message")
}

// Cprobe waits until a message of a type, or of Any, has arrived from any node.
func (p *Process) Cprobe(typesel int) error { return p.Cprobex(typesel, Any) }

// Cprobex is Cprobe for one node.
func (p *Process) Cprobex(typesel, node int) error {
	defer p.context.Enter(p.enter())
	if err := p.checkSelection(typesel, node); err != nil {
		return err
	}
	return p.wait("a message to probe", func() bool { return p.probe(typesel, node) })
}

// Iprobe reports whether a message of a type, or of Any, has arrived from any
// node.
func (p *Process) Iprobe(typesel int) (bool, error) { return p.Iprobex(typesel, Any) }

// Iprobex is Iprobe for one node.
func (p *Process) Iprobex(typesel, node int) (bool, error) {
	defer p.context.Enter(p.enter())
	if err := p.checkSelection(typesel, node); err != nil {
		return false, err
	}
	return p.probe(typesel, node), p.stopped()
}

// Infocount returns the length in bytes of the message last received, waited
// for or probed.
func (p *Process) Infocount() int { return p.last.Count }

// Infonode returns the sender of that message.
func (p *Process) Infonode() int { return p.last.Node }

// Infotype returns the type of that message.
func (p *Process) Infotype() int { return p.last.Type }

// begun makes progress on a message that has just started. It passes an error on.
func (p *Process) begun(id int, err error) (MsgID, error) {
	if err != nil {
		return 0, err
	}
	p.progress()
	return MsgID(id), p.stopped()
}

// ended waits for a message that has just started. It passes an error on.
func (p *Process) ended(id int, err error, reason string) error {
	if err != nil {
		return err
	}
	return p.finish(id, reason)
}

func (p *Process) stopped() error {
	if p.sys.err != nil {
		return errStopped
	}
	return nil
}

func (p *Process) checkID(id MsgID) error {
	if id < 0 || int(id) >= len(p.requests) || !p.requests[id].used || p.requests[id].onward {
		return fmt.Errorf("nx: node %d: no message in progress has the number %d", p.me, id)
	}
	return nil
}

func (p *Process) checkSelection(typesel, node int) error {
	switch {
	case typesel < Any || typesel > maxType:
		return fmt.Errorf("nx: node %d asks for type %d, want 0 to %d, or -1 for any", p.me, typesel, maxType)
	case node < Any || node >= len(p.peers):
		return fmt.Errorf("nx: node %d asks for node %d, want 0 to %d, or -1 for any", p.me, node, len(p.peers)-1)
	}
	return nil
}

// receive posts a receive, or completes it if its message has arrived.
func (p *Process) receive(typesel int, buf host.Addr, max, node int, system bool) (int, error) {
	if err := p.checkSelection(typesel, node); err != nil {
		return 0, err
	}
	if max < 0 || max > 0 && !p.space.Valid(buf, max) {
		return 0, fmt.Errorf("nx: node %d receives %d B at %#x, which is not memory of the process", p.me, max, buf)
	}
	id, req := p.newRequest()
	r := &posted{typ: typesel, from: node, buf: buf, max: max, system: system}
	req.recv = r
	for i, m := range p.unexpected {
		if r.wants(m) {
			p.unexpected = append(p.unexpected[:i], p.unexpected[i+1:]...)
			p.bind(r, m)
			return id, nil
		}
	}
	p.posted = append(p.posted, r)
	p.guess(r)
	return id, nil
}

// finish waits for a message and frees its number.
func (p *Process) finish(id int, reason string) error {
	req := p.requests[id]
	err := p.wait(reason, req.complete)
	if req.recv != nil && err == nil {
		p.last, err = req.recv.info, req.recv.err
	}
	if err == nil && req.poll {
		// The library has read the completion from the interface's memory.
		p.context.PIORead(1)
	}
	if err == nil && req.recv == nil {
		p.reportStep(req.span, stepSpread)
	}
	p.dropRequest(req)
	return err
}

// probe looks for a message that no receive has matched.
func (p *Process) probe(typesel, node int) bool {
	r := posted{typ: typesel, from: node}
	for _, m := range p.unexpected {
		if r.wants(m) {
			p.last = messageInfo{m.typ, m.bytes, m.node}
			return true
		}
	}
	return false
}
