package rebuild

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// operation is an operation with its steps and packets.
type operation struct {
	row     *trace.SpanRow
	steps   []trace.StepRow
	packets []*packet // in the order of T3
}

// task is what the service process of a node does for a message.
type task struct {
	packet     *packet // that asked for it
	begin, end int64
}

// household is what the processes of all seats did.
type household struct {
	seats    []seat
	programs map[seat][]*operation
	services map[seat][]task
}

// household finds the processes of programs and those that serve other nodes, and numbers
// them after the packets.
func (b *builder) household(operations []operation) household {
	h := household{programs: map[seat][]*operation{}, services: map[seat][]task{}}
	for i := range operations {
		o := &operations[i]
		if o.row.Operation != string(trace.OpDiffFlush) {
			at := seat{o.row.Tag, o.row.Node}
			h.programs[at] = append(h.programs[at], o)
		}
		o.serve(h.services)
	}
	for _, tasks := range h.services {
		slices.SortStableFunc(tasks, func(x, y task) int { return cmp.Compare(x.begin, y.begin) })
	}
	h.seats = sorted(h.programs, h.services)
	for i, at := range h.seats {
		b.programs[at], b.services[at] = b.last+waits.ID(1+i), b.last+waits.ID(1+len(h.seats)+i)
	}
	return h
}

// processes adds the processes, as far as their operations tell what they did, and the
// causes of packets.
func (b *builder) processes(operations []operation, h household) {
	for _, at := range h.seats {
		waited := b.program(at, h.programs[at], h.services[at])
		for _, p := range b.node(int(at.node)).sent {
			if p.row.Tag != at.tag || p.row.Span != 0 {
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
			b.log.Actors[p.id].Cause = b.cause(o, p, h.programs)
		}
	}
	for _, at := range h.seats {
		b.service(at, h.services[at])
	}
}

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
		if p.row.Span != 0 {
			k := key{p.row.Tag, p.row.Span}
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
	for i, s := range o.steps {
		if s.Step != string(trace.StepQueue) {
			continue
		}
		p := o.arrival(s.Node, s.BeginNs)
		if p == nil || i+1 == len(o.steps) {
			continue
		}
		x := o.steps[i+1]
		t := task{packet: p, begin: ns * x.BeginNs, end: ns * (x.BeginNs + x.DurationNs)}
		if i+2 < len(o.steps) {
			t.end = o.posted(o.steps[i+2], t.end)
		}
		if x.Step == string(trace.StepHeld) || x.Step == string(trace.StepGather) || x.Step == string(trace.StepDiffWait) {
			t.end = t.begin // it waits for another process
		}
		at := seat{o.row.Tag, s.Node}
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

// program writes a program's process: it computes, except in its operations. It returns
// when it waited in them.
func (b *builder) program(at seat, operations []*operation, tasks []task) (waited []window) {
	s := computer{scribe: scribe{log: b.log}, node: int(at.node), service: b.services[at], tasks: tasks}
	s.begin(waits.Actor{Type: waits.Process, Tag: at.tag, Node: int32(at.node), Peer: -1, Number: -1, Name: fmt.Sprintf("program %d", at.node)}, 0)
	for _, o := range operations {
		s.compute(ns * o.row.BeginNs)
		if w := b.operation(&s, at, o); w.to > w.from {
			waited = append(waited, w)
		}
	}
	s.compute(b.end)
	s.end()
	return waited
}

// operation writes what a process does in its own operation: it works up to its request,
// waits for the answer, and notices it. It returns when it waited.
func (b *builder) operation(s *computer, at seat, o *operation) (w window) {
	for _, x := range o.steps {
		from, to := ns*x.BeginNs, ns*(x.BeginNs+x.DurationNs)
		switch own := x.Node == at.node; {
		case own && x.Step == string(trace.StepNotice):
			by := waits.ID(0)
			if p := o.arrival(at.node, x.BeginNs); p != nil {
				by = p.id
			}
			w = window{s.at, from}
			s.wait(waits.Event, int(at.node), from, by)
			s.idle(waits.Event, int(at.node), to)
		case own && x.Step == string(trace.StepResume):
			if w.to == 0 {
				w = window{s.at, from}
			}
			s.wait(waits.Event, int(at.node), from, b.services[at])
			s.compute(to)
		case own && x.Step == string(trace.StepRequest):
			s.compute(o.posted(x, from))
		case own && (x.Step == string(trace.StepTrap) || x.Step == string(trace.StepFlush) || x.Step == string(trace.StepCompare)):
			s.compute(to)
		}
	}
	return w
}

// service writes the process that serves other nodes: it waits for a message, and then
// works for it until it has posted what it sends.
func (b *builder) service(at seat, tasks []task) {
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
	for _, t := range tasks {
		post(t.packet.t6)
		s.wait(waits.Event, int(at.node), t.packet.t6, t.packet.id)
		s.idle(waits.CPU, int(at.node), t.begin) // interrupt and switch
		s.serve(waits.CPU, int(at.node), t.end)
	}
	post(b.end)
	s.wait(waits.Event, int(at.node), b.end, 0)
	s.end()
}

// cause returns the process that sent a packet of an operation.
func (b *builder) cause(o *operation, p *packet, programs map[seat][]*operation) waits.ID {
	at := seat{p.row.Tag, p.row.Sender}
	waited := func(o *operation, step trace.Step) bool {
		return slices.ContainsFunc(o.steps, func(x trace.StepRow) bool {
			return x.Step == string(step) && x.Node == at.node && ns*x.BeginNs < p.t1
		})
	}
	switch kind, _ := kindOf(p.row.Kind); kind {
	case trace.PageReply, trace.LockForward:
		return b.services[at]
	case trace.LockGrant:
		if waited(o, trace.StepHeld) { // until the program released the lock
			return b.programs[at]
		}
		return b.services[at]
	case trace.BarrierRelease:
		all := programs[at]
		i, _ := slices.BinarySearchFunc(all, p.t1, func(x *operation, t int64) int { return cmp.Compare(ns*x.row.BeginNs, t) })
		if i > 0 && all[i-1].row.EndNs*ns > p.t1 && !waited(all[i-1], trace.StepGather) { // it came last itself
			return b.programs[at]
		}
		return b.services[at]
	}
	return b.programs[at]
}
