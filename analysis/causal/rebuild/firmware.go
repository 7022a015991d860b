package rebuild

import (
	"cmp"
	"slices"
	"sort"

	"github.com/sigview/sigview/trace/waits"
)

// stamp collects the stamps of every node, in the order of time.
func (b *builder) stamp() {
	at := func(node int, s stamp) {
		n := b.node(node)
		n.stamps = append(n.stamps, s)
	}
	for _, p := range b.packets {
		// The next packet of a message is made by the handler of the data of the one before, and has none of
		// its own.
		if p.before == nil {
			at(p.sender, stamp{p.take, p, taken})
		}
		if !p.inline {
			at(p.sender, stamp{p.t2, p, fetched})
		}
		at(p.sender, stamp{p.t4, p, left})
		at(p.receiver, stamp{p.t5, p, arrived})
		at(p.receiver, stamp{p.t6, p, delivered})
	}
	for i := range b.nodes {
		slices.SortStableFunc(b.nodes[i].stamps, func(x, y stamp) int { return cmp.Compare(x.at, y.at) })
	}
}

// brief is a time in ps that any handler exceeds.
const brief = 1200 * ns

// learn sets the times of handlers to the shortest times between two stamps in a row, by the sorts of the
// first. between returns that time in ps, and false for pairs that say nothing.
func (b *builder) learn(into lasting, between func(x, y stamp) (int64, bool)) {
	all := map[handler][]int64{}
	for n := range b.nodes {
		stamps := b.nodes[n].stamps
		for i := 1; i < len(stamps); i++ {
			if t, ok := between(stamps[i-1], stamps[i]); ok && t >= brief {
				for _, h := range stamps[i-1].sorts() {
					all[h] = append(all[h], t)
				}
			}
		}
	}
	for h, list := range all {
		// A size that is rare has the time of its class; see lasting.of.
		if len(list) >= enough || h.size == anySize {
			into[h] = low(list)
		}
	}
}

// handlers finds how long handlers run after their stamps and, those of arrivals, before. If a request is
// taken up that had waited, the handler before has just ended. Between two arrivals in a row lie what the
// first takes after its stamp and what the second takes before.
func (b *builder) handlers() {
	if b.rules != nil {
		return
	}
	// Each of the three passes needs what the ones before have found.
	b.after, b.before, b.paces = lasting{}, lasting{}, b.ticks()
	waited := func(x, y stamp) bool { return y.event == taken && y.packet.t1 <= x.at }
	b.learn(b.after, func(x, y stamp) (int64, bool) { return y.at - x.at, x.event == arrived && waited(x, y) })
	b.learn(b.before, func(x, y stamp) (int64, bool) {
		return y.at - x.at - b.after.of(x), x.event == arrived && y.event == arrived
	})
	b.learn(b.after, func(x, y stamp) (int64, bool) {
		if y.event == arrived {
			return y.at - b.before.of(y) - x.at, x.event != arrived
		}
		return y.at - x.at, x.event != arrived && waited(x, y)
	})
	for e := range event(events) {
		// No pair of stamps tells: the least that any handler takes.
		if h := (handler{e, anySize}); b.after[h] == 0 {
			b.after[h] = brief
		}
	}
	b.noting = b.after[handler{left, anySize}]
	limit := int64(0) // not what lies between handlers of a sort that no request waits for
	for h, t := range b.before {
		limit = max(limit, 2*(t+b.after[h]))
	}
	for h, t := range b.after {
		if limit > 0 {
			b.after[h] = min(t, limit)
		}
		b.longest = max(b.longest, b.after[h])
		b.checks = b.checks || h.event == left && t-b.noting > brief/2
	}
}

// ahead and behind return how long the handler of a stamp runs before and after it, in ps.
func (b *builder) ahead(s stamp) int64  { return b.paced(s.node(), b.before.of(s)) }
func (b *builder) behind(s stamp) int64 { return b.paced(s.node(), b.after.of(s)) }

// until returns when the handler of a stamp ends that begins at a time, in ps. One that sends a packet may
// notice itself that the packet has left, and then ends later.
func (b *builder) until(s stamp, begin int64) int64 {
	switch {
	case s.event == left:
		return begin + b.paced(s.node(), b.noting)
	case s.event == fetched || s.event == taken && s.packet.inline:
		rest := b.behind(stamp{packet: s.packet, event: left}) - b.paced(s.node(), b.noting)
		if end := s.packet.t4 + rest; rest > brief/2 && end > begin && end <= begin+b.paced(s.node(), b.longest) {
			return end
		}
	}
	return begin + b.behind(s)
}

// schedule finds when the processor of a node ran which handler. Handlers whose begin is known run then.
// The others follow in the order of their stamps as soon as the processor is free.
func (b *builder) schedule(n *node) {
	var fixed, waiting []stamp
	for _, s := range n.stamps {
		if s.event == taken || s.event == arrived {
			s.at -= b.ahead(s)
			fixed = append(fixed, s)
		} else {
			waiting = append(waiting, s)
		}
	}
	slices.SortStableFunc(fixed, func(x, y stamp) int { return cmp.Compare(x.at, y.at) })
	// Until then, in ps, the processor is busy.
	free, longest := int64(0), b.paced(n.id, b.longest)
	// run notes that a handler ran, not before the processor was free.
	run := func(s stamp, from, to int64) {
		if from = max(from, free); to > from {
			s.packet.turns[s.event] = window{from, to}
			n.turns = append(n.turns, turn{from, to, s.packet, s.event})
			free = to
		}
	}
	// fill runs handlers that wait, up to a time at which another one is known to begin.
	fill := func(until int64) {
		for len(waiting) > 0 {
			s := waiting[0]
			from := max(free, s.at)
			end := b.until(s, from)
			// More than half of it would be after that time: it runs later, unless it has waited long already.
			if (from+end)/2 > until && s.at > until-2*longest {
				return
			}
			run(s, from, min(end, until))
			waiting = waiting[1:]
		}
	}
	for i, s := range fixed {
		fill(s.at)
		end := b.until(s, s.at+b.ahead(s))
		if i+1 < len(fixed) {
			end = min(end, fixed[i+1].at)
		}
		run(s, s.at, end)
	}
	fill(1 << 62)
	// No time is free before a request that had waited, nor is a short gap: the first handler ran until the
	// second began.
	for i := 1; i < len(n.turns); i++ {
		x, y := &n.turns[i-1], &n.turns[i]
		if waited := y.event == taken && y.packet.t1 <= x.end; waited || y.begin-x.end < longest/2 {
			x.end = y.begin
		}
	}
	for _, t := range n.turns {
		if t.event == left || t.event == delivered { // the last thing that it does here
			t.packet.turns[t.event] = window{t.begin, t.end}
		}
		if t.event != left { // the task's, see note
			b.hold(waits.Processor, n.id, t.packet, t.begin, t.end)
		}
	}
}

// idleBefore returns the last time before at at which the processor of a node was idle.
func (b *builder) idleBefore(node int, at int64) int64 {
	all := b.nodes[node].turns
	i := sort.Search(len(all), func(i int) bool { return all[i].end >= at }) // the one that ends there, or goes on
	if i == len(all) || all[i].begin >= at {
		return at
	}
	// Back through handlers that followed each other without a gap.
	for i > 0 && all[i-1].end == all[i].begin {
		i--
	}
	return all[i].begin
}

// low returns the 5th percentile of times, of which there is one at least. It sorts them.
func low(all []int64) int64 {
	slices.Sort(all)
	return all[len(all)/20]
}

// each calls f for the parts of a time in which the processor of a node works for another
// packet than self, as far as stamps show.
func (b *builder) each(node int, from, to int64, self *packet, f func(p *packet, from, to int64)) {
	all := b.nodes[node].turns
	i := sort.Search(len(all), func(i int) bool { return all[i].end > from })
	for ; i < len(all) && all[i].begin < to; i++ {
		if begin, end := max(from, all[i].begin), min(to, all[i].end); end > begin && all[i].packet != self {
			f(all[i].packet, begin, end)
		}
	}
}
