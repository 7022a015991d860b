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

// probe is a packet that is in both captures once. Times are in ns.
type probe struct {
	pair pair
	up   bool  // from the first of the pair to the second
	at   int64 // by the first capture
	diff int64 // the second capture's stamp less the first's
}

// pair is two addresses, the lesser first.
type pair struct{ a, b address }

// compare orders addresses by their bytes.
func compare(a, b address) int { return bytes.Compare(a[:], b[:]) }

// inTime orders probes by pair of addresses, then by time.
func inTime(p, q *probe) int {
	return cmp.Or(compare(p.pair.a, q.pair.a), compare(p.pair.b, q.pair.b), cmp.Compare(p.at, q.at), cmp.Compare(p.diff, q.diff))
}

// roomProbes is how many probes are in memory.
const roomProbes = 1 << 16

// probes returns the packets that are in both captures once, by pair and time.
func (s *observations) probes(ctx context.Context) *spill.Sorter[probe] {
	out := spill.New(roomProbes, inTime)
	var group []observation
	flush := func() {
		// Seen once by each: what one capture has twice cannot be matched.
		if len(group) == 2 && group[0].end != group[1].end && group[0].bytes == group[1].bytes {
			t, first, second := s.tracks[group[0].flow], group[0], group[1]
			// diff is that of the second capture less the first's.
			if first.end == 1 {
				first, second = second, first
			}
			p := probe{pair{t.from, t.to}, true, first.last, second.last - first.last}
			if compare(t.from, t.to) > 0 {
				p.pair, p.up = pair{t.to, t.from}, false
			}
			out.Add(p)
		}
		group = group[:0]
	}
	for x := range until(ctx, s.all.All()) {
		if len(group) > 0 && (x.flow != group[0].flow || x.sort != group[0].sort || x.id != group[0].id) {
			flush()
		}
		// A third one only shows that the group is no probe.
		if len(group) < 3 {
			group = append(group, x)
		}
	}
	flush()
	return out
}

// ends says at which end addresses are.
type ends map[address]end

// find finds at which end addresses are. Of two packets in opposite directions, one soon after the
// other, the one from the first capture's end has the greater difference of stamps, whatever the
// clocks show: its way is added, and the other's subtracted. If both captures have one clock, each
// packet tells.
func find(probes iter.Seq[probe], sameClock bool) ends {
	votes := map[address]int64{}
	var last probe
	for p := range probes {
		sign := int64(0)
		switch {
		case sameClock:
			// By one clock the packet is later where it arrives.
			sign = int64(cmp.Compare(p.diff, 0))
		case p.pair == last.pair && p.up != last.up:
			// diff is the clocks' difference plus the way for packets of the first end, and less it for others.
			sign = int64(cmp.Compare(p.diff, last.diff))
		}
		if !p.up {
			sign = -sign
		}
		votes[p.pair.a] += sign
		votes[p.pair.b] -= sign
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
	for p := range probes { // who only receives, as groups do, is at the other end
		for _, x := range [][2]address{{p.pair.a, p.pair.b}, {p.pair.b, p.pair.a}} {
			if _, known := out[x[1]]; !known {
				if e, known := out[x[0]]; known {
					out[x[1]] = e.other()
				}
			}
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
