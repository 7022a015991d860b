package activity

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/trace"
)

// Burst is a time in which a port has packets at much times its mean rate or more.
type Burst struct {
	Node     int
	Side     Side
	From, To int64   // ns
	Packets  int64   // of the port in that time
	Times    float64 // how many times the mean rate of the port
	// What Look finds: bytes, and what most of the packets are.
	Bytes     int64
	Peer      int // node that sends most of them, or receives them
	PeerShare float64
	Kind      string
	KindShare float64
	Program   trace.Tag

	peers map[int64]int64
	kinds map[string]int64
	tags  map[trace.Tag]int64
}

// much is the least ratio of the rate in a burst to the mean rate of the port.
const much = 4

// alarm bounds the probability that a port with packets at random times has a burst anywhere in the run.
const alarm = 0.01

// Bursts returns the bursts of all ports, those with the most packets beyond the mean first.
//
// It finds them by Page's cumulative sum. For a window of n packets the sum grows by the log likelihood ratio
// of much times the mean rate m to the mean rate itself, n·ln(much) − (much − 1)·m, and it begins again at 0
// when it falls below 0. A burst lasts from the last 0 to the largest sum. The largest sum has to exceed
// ln(windows/alarm), and the burst's own rate much·m.
func (s *Series) Bursts() []Burst {
	var out []Burst
	if !s.begun {
		return nil
	}
	for p, counts := range s.counts {
		var all int64
		for _, n := range counts {
			all += int64(n)
		}
		out = append(out, s.bursts(p, counts, float64(all)/float64(s.windows()))...)
	}
	beyond := func(b Burst) float64 { return float64(b.Packets) * (1 - 1/b.Times) }
	slices.SortFunc(out, func(a, b Burst) int {
		return cmp.Or(cmp.Compare(beyond(b), beyond(a)), cmp.Compare(a.From, b.From), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Side, b.Side))
	})
	return out
}

// bursts returns the bursts of one port in order of time. counts are its packets by window, mean is the mean of
// a window over the run, more than 0.
func (s *Series) bursts(p port, counts []int32, mean float64) (out []Burst) {
	bound := portable.Log(float64(s.windows()) / alarm)
	var sum, top float64
	begin, end := 0, 0 // of the present one, up to its largest sum
	done := func() {
		if top < bound {
			return
		}
		var packets int64
		for _, n := range counts[begin:end] {
			packets += int64(n)
		}
		if times := float64(packets) / (mean * float64(end-begin)); times >= much {
			out = append(out, Burst{
				Node: p.node, Side: p.side, Packets: packets, Times: times, Peer: -1,
				From: s.from + int64(begin)*s.width, To: s.from + int64(end)*s.width,
			})
		}
	}
	for w, n := range counts {
		sum += float64(float64(n)*portable.Log(much)) - float64((much-1)*mean)
		switch {
		case sum > top:
			top, end = sum, w+1
		case sum <= 0 || top-sum > bound: // it is over
			done()
			sum, top, begin, end = 0, 0, w+1, w+1
		}
	}
	done()
	return out
}

// Member is the columns of a packet's row of which a burst tells what most of its packets are.
type Member struct {
	Tag trace.Tag `col:"tag" doc:"the program that sent the packet"`
	Passage
	Kind      string `col:"kind" doc:"packet kind"`
	SizeBytes int64  `col:"size_bytes" unit:"B" doc:"payload"`
}

// Look adds those of rows that belong to the burst, and updates bytes, peer, kind and program. A packet belongs
// to it by T3 at the sender, by T5 at the receiver.
func (b *Burst) Look(rows []Member) {
	if b.peers == nil {
		b.peers, b.kinds, b.tags = map[int64]int64{}, map[string]int64{}, map[trace.Tag]int64{}
	}
	for i := range rows {
		r := &rows[i]
		own, peer, at := r.Sender, r.Receiver, r.T3Ns
		if b.Side == Received {
			own, peer, at = peer, own, r.T5Ns
		}
		if own != int64(b.Node) || !at.OK || at.Value < b.From || at.Value >= b.To {
			continue
		}
		b.Bytes += r.SizeBytes
		b.peers[peer]++
		b.kinds[r.Kind]++
		b.tags[r.Tag]++
	}
	var peer int64
	peer, b.PeerShare = most(b.peers)
	b.Peer = int(peer)
	b.Kind, b.KindShare = most(b.kinds)
	b.Program, _ = most(b.tags)
}

// most returns the key with the largest count and its share of all counts; of equal counts the smallest key.
func most[K cmp.Ordered](counts map[K]int64) (key K, share float64) {
	var best, all int64
	for k, n := range counts {
		all += n
		if n > best || n == best && k < key {
			key, best = k, n
		}
	}
	return key, float64(best) / float64(max(all, 1))
}
