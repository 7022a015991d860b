package nx

import "github.com/sigview/sigview/sim/host"

// route delivers a message, or holds it back until those before it have been delivered.
func (p *Process) route(m *message) {
	if m.system || p.sys.spec.Broadcast != Tree {
		p.deliver(m)
		return
	}
	o := &p.origins[m.node]
	if m.tree {
		o.tree = append(o.tree, m)
	} else {
		o.direct = append(o.direct, m)
	}
	for {
		switch {
		case len(o.direct) > 0 && int32(o.direct[0].after-o.trees) <= 0:
			m := o.direct[0]
			o.direct = append(o.direct[:0], o.direct[1:]...)
			if m.mark {
				o.marks++
			} else {
				p.deliver(m)
			}
		case len(o.tree) > 0 && int32(o.tree[0].after-o.marks) <= 0:
			m := o.tree[0]
			o.tree = append(o.tree[:0], o.tree[1:]...)
			o.trees++
			p.deliver(m)
		default:
			return
		}
	}
}

// heldIn returns the message in a slot that is held back for earlier ones, or nil.
func (p *Process) heldIn(x *slot) *message {
	for i := range p.origins {
		o := &p.origins[i]
		for _, list := range [...][]*message{o.direct, o.tree} {
			for _, m := range list {
				if m.slot == x {
					return m
				}
			}
		}
	}
	return nil
}

// children returns the nodes to which node me forwards a broadcast of node
// root, those with the largest subtrees first. The tree is binomial, and the
// node after the root is a leaf.
func children(root, me, nodes int) []int {
	v := (me - root + nodes) % nodes
	var out []int
	for bit := 1; v+bit < nodes && v&bit == 0; bit <<= 1 {
		out = append([]int{(root + v + bit) % nodes}, out...)
	}
	return out
}

// forward forwards a broadcast by tree to this node's children.
func (p *Process) forward(m *message, r record) {
	if !m.tree {
		return
	}
	to := children(m.node, p.me, len(p.peers))
	if len(to) == 0 {
		return
	}
	p.stats.Forwarded++
	_, req := p.newRequest()
	req.left, req.onward = len(to), true
	if m.slot != nil {
		req.slot = m.slot
		m.slot.users++
	}
	p.forwards = append(p.forwards, req)
	for _, node := range to {
		s := &send{
			req: req, op: r.op, flags: r.flags, origin: m.node, typ: m.typ, bytes: m.bytes, body: m.body, after: m.after, span: m.span,
			broadcast: true,
		}
		if m.slot != nil {
			s.buf = m.slot.memory + host.Addr(m.offset)
		}
		q := p.peer(node)
		q.push(&q.queue, s)
	}
}

// reap frees the slots of messages that have been forwarded, and reports
// whether there were any.
func (p *Process) reap() bool {
	did := false
	for i := 0; i < len(p.forwards); {
		req := p.forwards[i]
		if !req.sent() {
			i++
			continue
		}
		did = true
		p.forwards = append(p.forwards[:i], p.forwards[i+1:]...)
		if req.slot != nil {
			p.release(req.slot)
		}
		p.dropRequest(req)
	}
	return did
}
