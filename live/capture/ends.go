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

// probes returns packets that are in both captures, by pair and time: of those that look the same the first with the
// first, and so on, if each capture has as many.
func (s *observations) probes(ctx context.Context) *spill.Sorter[probe] {
	out := spill.New(roomProbes, inTime)
	var group []observation
	flush := func() {
		by, _ := sides(group)
		// What has been sent twice in a stream cannot be matched, and neither can more than there is room for.
		if len(by[0]) == len(by[1]) && len(group) < mostAlike && (len(by[0]) == 1 || group[0].sort != segment) {
			for i := range by[0] {
				s.probe(out, &by[0][i], &by[1][i])
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

// probe adds a packet of both captures. Its lengths may differ: segments are cut on their way.
func (s *observations) probe(to *spill.Sorter[probe], first, second *observation) {
	if first.bytes != second.bytes {
		return
	}
	t := s.tracks[first.flow]
	p := probe{pair{t.from, t.to}, true, first.last, second.last - first.last}
	if compare(t.from, t.to) > 0 {
		p.pair, p.up = pair{t.to, t.from}, false
	}
	to.Add(p)
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
