package capture

import (
	"bytes"
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/sigview/sigview/internal/spill"
)

// probe is a packet that is in both captures. Times are in ns.
type probe struct {
	pair pair
	from address
	at   int64 // by the first capture
	diff int64 // the second capture's stamp less the first's
}

// to returns the address to which a probe goes.
func (p *probe) to() address {
	if p.from == p.pair.b {
		return p.pair.a
	}
	return p.pair.b
}

// above returns 1 if the difference is greater than on the straight line between two others, -1 if it is less.
func (p *probe) above(before, after *probe) int {
	share := float64(p.at-before.at) / float64(max(after.at-before.at, 1))
	return cmp.Compare(float64(p.diff-before.diff), float64(share*float64(after.diff-before.diff)))
}

// pair is two addresses between which packets go, the lesser first; or a group twice, as routers are that answer
// each other by it.
type pair struct{ a, b address }

// compare orders addresses by their bytes.
func compare(a, b address) int { return bytes.Compare(a[:], b[:]) }

// inTime orders probes by pair of addresses, then by time.
func inTime(p, q *probe) int {
	return cmp.Or(compare(p.pair.a, q.pair.a), compare(p.pair.b, q.pair.b), cmp.Compare(p.at, q.at), cmp.Compare(p.diff, q.diff))
}

// roomProbes is how many probes are in memory.
const roomProbes = 1 << 16

// probes returns packets that are in both captures, by pair and time: of those that look the same the first with the
// first, and so on, if each capture has as many. It counts those that one capture has alone.
func (s *observations) probes(ctx context.Context, files [2]*File) *spill.Sorter[probe] {
	out := spill.New(roomProbes, inTime)
	sends := map[address]bool{}
	for i := range s.tracks {
		sends[s.tracks[i].from] = true
	}
	var group []observation
	flush := func() {
		by, _ := sides(group)
		// What has been sent twice in a stream cannot be matched, and neither can more than there is room for.
		if len(by[0]) == len(by[1]) && len(group) < mostAlike && (len(by[0]) == 1 || group[0].sort != segment) {
			for i := range by[0] {
				s.probe(out, sends, &by[0][i], &by[1][i])
			}
		}
		for e, f := range files {
			if n := len(by[e]); n > 0 && len(by[1-e]) == 0 {
				if f.rest.alone == 0 {
					f.rest.flow = s.tracks[group[0].flow].flow
				}
				f.rest.alone += int64(n)
			}
		}
		group = group[:0]
	}
	for x := range until(ctx, s.all.All()) {
		if len(group) > 0 && (x.flow != group[0].flow || x.sort != group[0].sort || x.id != group[0].id) {
			flush()
		}
		if len(group) < mostAlike {
			group = append(group, x)
		}
	}
	flush()
	return out
}

// probe adds a packet of both captures. Its lengths may differ: segments are cut on their way. Who never sends is
// taken as a group.
func (s *observations) probe(to *spill.Sorter[probe], sends map[address]bool, first, second *observation) {
	if first.bytes != second.bytes {
		return
	}
	t := s.tracks[first.flow]
	between := pair{t.from, t.to}
	switch {
	case !sends[t.to]:
		between.a = t.to
	case compare(t.from, t.to) > 0:
		between = pair{t.to, t.from}
	}
	to.Add(probe{between, t.from, first.last, second.last - first.last})
}

// ends says at which end addresses are: 0, 1 or both.
type ends map[address]end

// both is the end of a group to which packets of both ends go.
const both end = 2

// find finds at which end addresses are. Of packets in opposite directions those from the first
// capture's end have the greater difference of stamps, whatever the clocks show: their way is added,
// and the others' subtracted. A packet is compared with those before and after it in the other
// direction, so that clocks may drift; where there is one only, with that. If both captures have one
// clock, each packet tells.
func find(probes iter.Seq[probe], sameClock bool) ends {
	votes := map[address]int64{}
	vote := func(sender, other address, sign int) {
		votes[sender] += int64(sign)
		votes[other] -= int64(sign)
	}
	var last, same probe // the last one, and the last one before those that go the same way as that
	for p := range probes {
		switch {
		case sameClock && p.pair.a == p.pair.b:
			votes[p.from] += int64(cmp.Compare(p.diff, 0))
		case sameClock:
			// By one clock the packet is later where it arrives.
			vote(p.from, p.to(), cmp.Compare(p.diff, 0))
		case p.pair != last.pair:
			same = probe{}
		case p.from != last.from && p.from == same.from:
			vote(last.from, p.from, 2*last.above(&same, &p))
			same = last
		case p.from != last.from:
			// diff is the clocks' difference plus the way for packets of the first end, and less it for others.
			vote(p.from, last.from, cmp.Compare(p.diff, last.diff))
			same = last
		}
		last = p
	}
	out := ends{}
	for a, n := range votes {
		// As many packets for one end as for the other leave it open.
		if n != 0 {
			out[a] = end(0)
			if n < 0 {
				out[a] = 1
			}
		}
	}
	// Who only receives is at the other end, and a group perhaps at both.
	for p := range probes {
		from, known := out[p.from]
		to, also := out[p.to()]
		switch {
		case known && !also:
			out[p.to()] = from.other()
		case known && p.pair.a == p.pair.b && to == from:
			out[p.to()] = both
		case also && !known && p.pair.a != p.pair.b:
			out[p.from] = to.other()
		}
	}
	return out
}

// sender returns at which end the packets of a flow are sent. It returns false if they do not go from one end
// to the other, or if that is not known.
func (e ends) sender(f flow) (end, bool) {
	from, known := e[f.from]
	to, also := e[f.to]
	return from, known && also && from != to
}

// nodes returns the addresses in the order of nodes: those of the first capture's end first.
func (e ends) nodes() []address {
	return slices.SortedFunc(maps.Keys(e), func(a, b address) int { return cmp.Or(cmp.Compare(e[a], e[b]), compare(a, b)) })
}
