package rebuild

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// usages finds what processes have done to the buses of their nodes.
func (b *builder) usages(steps []trace.StepRow) {
	at := func(node int, t int64) {
		n := b.node(node)
		n.accesses = append(n.accesses, t)
	}
	for _, p := range b.packets {
		// A request is posted over the I/O bus.
		at(p.sender, p.t1)
	}
	for i := range steps {
		// For the stamp of a step the process reads the clock of the card.
		at(int(steps[i].Node), ns*steps[i].BeginNs)
	}
	for i := range b.nodes {
		slices.Sort(b.nodes[i].accesses)
	}
	for _, at := range b.seats {
		n := b.node(int(at.node))
		n.seats = append(n.seats, at)
	}
}

// accessed returns how often a process has used the I/O bus between two times.
func (u *usage) accessed(from, to int64) int64 {
	i, _ := slices.BinarySearch(u.accesses, from)
	j, _ := slices.BinarySearch(u.accesses, to)
	return int64(j - i)
}

// computes returns for how long between two times programs of a node can have used its
// memory bus, as far as operations tell that they wait; all of it if no operation does.
func (b *builder) computes(node int, from, to int64) (longest int64) {
	seats := b.nodes[node].seats
	if len(seats) == 0 {
		return to - from
	}
	for _, at := range seats {
		t := to - from
		all := b.waited[at]
		// The first time of waiting that ends at from or later. Those of one program do not overlap.
		i, _ := slices.BinarySearchFunc(all, from, func(w window, t int64) int { return cmp.Compare(w.to, t) })
		for ; i < len(all) && all[i].from < to; i++ {
			t -= max(0, min(to, all[i].to)-max(from, all[i].from))
		}
		// One program that computes is enough to slow the bus.
		longest = max(longest, t)
	}
	return longest
}

// serves reports whether a service process of a node works between two times.
func (b *builder) serves(node int, from, to int64) bool {
	for _, at := range b.nodes[node].seats {
		all := b.tasks[at]
		i, _ := slices.BinarySearchFunc(all, from, func(x task, t int64) int { return cmp.Compare(x.end, t) })
		if i < len(all) && all[i].begin < to {
			return true
		}
	}
	return false
}

// quiet reports whether no record shows that the processor of a node, or a process, did
// anything for others than p between two times.
func (b *builder) quiet(node int, from, to int64, p *packet) bool {
	quiet := b.nodes[node].accessed(from, to) == 0
	b.each(node, from, to, p, func(*packet, int64, int64) { quiet = false })
	return quiet
}

// slowdown returns by how much programs that compute slow a transfer on the memory bus, in ps
// a byte: of three quarters of the longer transfers it is less.
func (b *builder) slowdown() float64 {
	if b.rules != nil {
		return b.rules.slowed
	}
	const long = 256 // bytes
	var all []float64
	note := func(p *packet, node int, from, to int64, alone *usual) {
		if p.size >= long && b.nodes[node].accessed(from, to) == 0 && b.computes(node, from, to) > (to-from)/2 {
			// What is beyond the time alone, by byte. Transfers that the I/O bus may have slowed are left out.
			all = append(all, max(0, float64(to-from-alone.of(p.size))/float64(p.size)))
		}
	}
	for _, p := range b.packets {
		if !p.inline {
			note(p, p.sender, p.fetch, p.t2, b.fetches)
		}
		note(p, p.receiver, p.land, p.t6, b.deposits)
	}
	if len(all) < enough {
		return 0
	}
	slices.Sort(all)
	return all[len(all)*3/4]
}

// transferred writes a transfer of the H engine until its end is stamped: its usual time,
// then that by which processes of the host slowed it on a bus, then that until the processor
// had done other work.
func (b *builder) transferred(s *scribe, p *packet, node int, stamp int64, times *usual) {
	begin := s.at
	s.serve(waits.HostDMA, node, min(stamp, s.at+times.of(p.size)))
	busy := b.unnoticed(s.at, stamp)
	lost := stamp - s.at
	// The time in which the processor worked for others is no time on a bus: it only noticed the end late.
	b.each(node, busy, stamp, p, func(_ *packet, from, to int64) { lost -= to - from })
	memory, known := b.onMemory(p, node, begin, stamp, lost)
	program := b.programs[seat{p.tag, int64(node)}]
	slowed := func(until int64) {
		switch {
		case b.paces[node] > 0: // a slow processor notices the end late, whatever else is in the way
			s.serve(waits.Processor, node, until)
			return
		case !known:
			s.serve(waits.HostDMA, node, until)
			return
		}
		// First what is lost on the memory bus, then on the I/O bus: which came when is not recorded.
		to := max(s.at, min(until, s.at+memory))
		memory -= to - s.at
		s.wait(waits.MemBus, node, to, program)
		s.wait(waits.IOBus, node, until, program)
	}
	b.each(node, busy, stamp, p, func(other *packet, from, to int64) {
		slowed(from)
		s.wait(waits.Processor, node, to, other.id)
	})
	slowed(stamp)
}

// onMemory returns how much of the time that a transfer has lost it has lost on the memory
// bus: the rest is the I/O bus's. It is false if no process can have slowed the transfer.
func (b *builder) onMemory(p *packet, node int, begin, end, lost int64) (memory int64, known bool) {
	accesses, computes := b.nodes[node].accessed(begin, end), b.computes(node, begin, end)
	switch {
	case accesses == 0:
		// Nobody has used the I/O bus: all is lost on the memory bus.
		return lost, computes > 0 || b.serves(node, begin, end)
	case computes > (end-begin)/2:
		// A program that computes slows transfers on the memory bus by slowed at the most.
		return min(lost, int64(b.slowed*float64(p.size))), true
	case lost >= accesses*b.longest: // a process uses the I/O bus for no longer than a handler takes
		return lost, true
	}
	// All on the I/O bus.
	return 0, true
}

// unnoticed returns since when at the earliest the end of a transfer can have been unnoticed
// when it was stamped: not for long if handlers stamp what happens meanwhile.
func (b *builder) unnoticed(from, stamp int64) int64 {
	if b.checks {
		return max(from, stamp-brief/2)
	}
	return from
}
