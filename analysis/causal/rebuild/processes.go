package rebuild

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// house finds the processes of programs and those that serve other nodes, and numbers
// them after the packets.
func (b *builder) house(operations []operation) {
	h := household{own: map[seat][]*operation{}, tasks: map[seat][]task{}, waited: map[seat][]window{}}
	for i := range operations {
		o := &operations[i]
		if o.row.Operation != string(trace.OpDiffFlush) {
			at := seat{o.row.Tag, o.row.Node}
			h.own[at] = append(h.own[at], o)
			if w := o.waited(); w.to > w.from {
				h.waited[at] = append(h.waited[at], w)
			}
		}
		o.serve(h.tasks)
	}
	for _, tasks := range h.tasks {
		slices.SortStableFunc(tasks, func(x, y task) int { return cmp.Compare(x.begin, y.begin) })
	}
	h.seats = sorted(h.own, h.tasks)
	for i, at := range h.seats {
		b.programs[at], b.services[at] = b.last+waits.ID(1+i), b.last+waits.ID(1+len(h.seats)+i)
	}
	b.household = h
}

// processes adds the processes, as far as their operations tell what they did, and the
// causes of packets.
func (b *builder) processes(operations []operation) {
	for _, at := range b.seats {
		b.program(at)
		waited := b.waited[at]
		for _, p := range b.node(int(at.node)).sent {
			if p.tag != at.tag || p.span != 0 {
				continue
			}
			// It belongs to no operation. A program that waits has not sent it.
			b.log.Actors[p.id].Cause = b.programs[at]
			if n, _ := slices.BinarySearchFunc(waited, p.t1, func(w window, t int64) int { return cmp.Compare(w.to, t) }); n < len(waited) && waited[n].from < p.t1 {
				b.log.Actors[p.id].Cause = b.services[at]
			}
		}
	}
	for i := range operations {
		o := &operations[i]
		for _, p := range o.packets {
			b.log.Actors[p.id].Cause = b.cause(o, p)
		}
	}
	for _, at := range b.seats {
		b.service(at)
	}
}

// sorted returns the seats of programs and services, by tag, then by node.
func sorted(programs map[seat][]*operation, services map[seat][]task) (all []seat) {
	for at := range programs {
		all = append(all, at)
	}
	for at := range services {
		if programs[at] == nil {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, func(x, y seat) int { return cmp.Or(cmp.Compare(x.tag, y.tag), cmp.Compare(x.node, y.node)) })
	return all
}

// operations joins operations with their steps, which are in the same order, and packets.
func (b *builder) operations(spans []trace.SpanRow, steps []trace.StepRow) []operation {
	type key struct {
		tag  trace.Tag
		span int64
	}
	packets := map[key][]*packet{}
	for _, p := range b.packets {
		if p.span != 0 {
			k := key{p.tag, p.span}
			packets[k] = append(packets[k], p)
		}
	}
	var out []operation
	for i := range spans {
		s := &spans[i]
		n := 0
		for n < len(steps) && steps[n].Tag == s.Tag && steps[n].Span == s.Span && steps[n].Order == int64(n) {
			n++
		}
		if n > 0 {
			out = append(out, operation{s, steps[:n], packets[key{s.Tag, s.Span}]})
		}
		steps = steps[n:]
	}
	return out
}

// arrival returns the packet of an operation that ended its way to a node at the time at,
// nil if none did.
func (o *operation) arrival(node int64, at int64) *packet {
	for _, p := range o.packets {
		if p.receiver == int(node) && p.t6 == ns*at {
			return p
		}
	}
	return nil
}

// posted returns when a step that begins with the sending of a message has posted it: when
// the interface first saw the request; at, if no packet of the step is recorded.
func (o *operation) posted(x trace.StepRow, at int64) int64 {
	for _, p := range o.packets {
		if p.sender == int(x.Node) && p.t1 >= ns*x.BeginNs && p.t1 <= ns*(x.BeginNs+x.DurationNs) {
			at = max(at, p.t1)
		}
	}
	return at
}

// serve adds what other nodes did for an operation: from the arrival of a message until
// the step that the message caused has ended.
func (o *operation) serve(services map[seat][]task) {
	for i := 1; i < len(o.steps); i++ {
		came, x := o.steps[i-1], o.steps[i]
		unseen := sends(came.Step) && (x.Step == string(trace.StepHandler) || x.Step == string(trace.StepApply))
		if unseen { // of a packet that was lost
			came = x
		}
		p := o.arrival(came.Node, came.BeginNs)
		if p == nil || !(came.Step == string(trace.StepQueue) || unseen && p.lost) {
			continue
		}
		t := task{packet: p, begin: ns * x.BeginNs, end: ns * (x.BeginNs + x.DurationNs)}
		if i+1 < len(o.steps) {
			t.end = o.posted(o.steps[i+1], t.end)
		}
		if x.Step == string(trace.StepHeld) || x.Step == string(trace.StepGather) || x.Step == string(trace.StepDiffWait) {
			t.end = t.begin // it waits for another process
		}
		at := seat{o.row.Tag, came.Node}
		services[at] = append(services[at], t)
	}
}

// computer writes the process of a program.
type computer struct {
	scribe
	node    int
	service waits.ID
	tasks   []task // of the service process of its node, in order of time
}

// compute writes that the process computes until a time, except while the service process
// of its node has the CPU.
func (c *computer) compute(until int64) {
	for len(c.tasks) > 0 && c.tasks[0].end <= c.at {
		c.tasks = c.tasks[1:]
	}
	for _, t := range c.tasks {
		if t.begin >= until {
			break
		}
		c.serve(waits.CPU, c.node, t.begin)
		c.wait(waits.CPU, c.node, min(t.end, until), c.service)
	}
	c.serve(waits.CPU, c.node, until)
}

// program writes a program's process: it computes, except in its operations.
func (b *builder) program(at seat) {
	s := computer{scribe: scribe{log: b.log}, node: int(at.node), service: b.services[at], tasks: b.tasks[at]}
	s.begin(waits.Actor{Type: waits.Process, Tag: at.tag, Node: int32(at.node), Peer: -1, Number: -1, Name: fmt.Sprintf("program %d", at.node)}, 0)
	for _, o := range b.own[at] {
		s.compute(ns * o.row.BeginNs)
		b.operation(&s, at, o)
	}
	s.compute(b.end)
	s.end()
}

// waited returns when a process waits in its own operation: from its request, or what it has
// done last, until it goes on.
func (o *operation) waited() (w window) {
	w.from = ns * o.row.BeginNs
	for _, x := range o.steps {
		if x.Node != o.row.Node {
			continue
		}
		from, to := ns*x.BeginNs, ns*(x.BeginNs+x.DurationNs)
		switch trace.Step(x.Step) {
		case trace.StepNotice, trace.StepResume:
			w.to = max(w.to, from)
			return w
		case trace.StepRequest:
			w.from = max(w.from, o.posted(x, from))
		case trace.StepTrap, trace.StepFlush, trace.StepCompare:
			w.from = max(w.from, to)
		}
	}
	return w
}

// operation writes what a process does in its own operation: it works up to its request,
// waits for the answer, and notices it.
func (b *builder) operation(s *computer, at seat, o *operation) {
	for _, x := range o.steps {
		if x.Node != at.node {
			continue
		}
		from, to := ns*x.BeginNs, ns*(x.BeginNs+x.DurationNs)
		switch trace.Step(x.Step) {
		case trace.StepNotice:
			by := waits.ID(0)
			if p := o.arrival(at.node, x.BeginNs); p != nil {
				by = p.id
			}
			s.wait(waits.Event, int(at.node), from, by)
			if p := o.arrival(at.node, x.BeginNs+x.DurationNs); p != nil && p.lost { // a part of the message was
				s.wait(waits.Event, int(at.node), to, p.id)
			}
			s.idle(waits.Event, int(at.node), to)
		case trace.StepResume:
			by := b.services[at]
			if p := o.arrival(at.node, x.BeginNs); p != nil && p.lost {
				by = p.id
			}
			s.wait(waits.Event, int(at.node), from, by)
			s.compute(to)
		case trace.StepRequest:
			s.compute(o.posted(x, from))
		case trace.StepTrap, trace.StepFlush, trace.StepCompare:
			s.compute(to)
		}
	}
}

// service writes the process that serves other nodes: it waits for a message, and then
// works for it until it has posted what it sends.
func (b *builder) service(at seat) {
	s := scribe{log: b.log}
	s.begin(waits.Actor{Type: waits.Handler, Tag: at.tag, Node: int32(at.node), Peer: -1, Number: -1, Name: fmt.Sprintf("service %d", at.node)}, 0)
	posts := b.node(int(at.node)).sent
	post := func(until int64) {
		for ; len(posts) > 0 && posts[0].t1 <= until; posts = posts[1:] {
			if b.log.Actors[posts[0].id].Cause == b.services[at] {
				s.serve(waits.CPU, int(at.node), posts[0].t1)
			}
		}
	}
	for _, t := range b.tasks[at] {
		// What it has sent before the message came.
		post(t.packet.t6)
		// One that came while it worked has woken it too: 1 ps tells for whom it works then.
		came := max(t.packet.t6, s.at+1)
		if came > t.packet.t6 { // one that has just worked polls
			came = t.begin
		}
		s.wait(waits.Event, int(at.node), came, t.packet.id)
		s.idle(waits.CPU, int(at.node), t.begin) // interrupt and switch
		s.serve(waits.CPU, int(at.node), t.end)
	}
	post(b.end)
	s.wait(waits.Event, int(at.node), b.end, 0)
	s.end()
}

// cause returns the process that sent a packet of an operation.
func (b *builder) cause(o *operation, p *packet) waits.ID {
	at := seat{p.tag, int64(p.sender)}
	waited := func(o *operation, step trace.Step) bool {
		return slices.ContainsFunc(o.steps, func(x trace.StepRow) bool {
			return x.Step == string(step) && x.Node == at.node && ns*x.BeginNs < p.t1
		})
	}
	switch p.kind {
	// Nothing but the service process answers these.
	case trace.PageReply, trace.LockForward:
		return b.services[at]
	case trace.LockGrant:
		if waited(o, trace.StepHeld) { // until the program released the lock
			return b.programs[at]
		}
		return b.services[at]
	// The node that gathers releases all: its program if it came last, else its service process.
	case trace.BarrierRelease:
		all := b.own[at]
		i, _ := slices.BinarySearchFunc(all, p.t1, func(x *operation, t int64) int { return cmp.Compare(ns*x.row.BeginNs, t) })
		if i > 0 && all[i-1].row.EndNs*ns > p.t1 && !waited(all[i-1], trace.StepGather) { // it came last itself
			return b.programs[at]
		}
		return b.services[at]
	}
	return b.programs[at]
}

// sends reports whether a step lasts until a message has arrived.
func sends(step string) bool {
	return step == string(trace.StepRequest) || step == string(trace.StepForward) || step == string(trace.StepReply)
}
