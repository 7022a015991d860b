package fabric

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace/waits"
)

// TestLogOfRandomTraffic: the waits of a packet sum to the time that its head has waited,
// and to more if STOP keeps it from starting. All the time that it waits for a channel,
// another packet has that channel, or is in its way.
func TestLogOfRandomTraffic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := base(drawTopology(t))
		spec.Arbitration = Arbitration(rapid.IntRange(0, 1).Draw(t, "arbitration"))
		stops := rapid.Bool().Draw(t, "stops")
		if !stops {
			spec.StopBytes = 1 << 19
			spec.SlackBytes = spec.StopBytes + 96
		}
		log, waited := logRandom(t, spec, rapid.Uint64().Draw(t, "seed"))
		held := map[int32][]waits.Hold{}
		for _, h := range log.Holds {
			held[h.Instance] = append(held[h.Instance], h)
		}
		sums := make([]int64, len(log.Actors))
		for _, x := range log.Intervals {
			if x.What != waits.Waiting {
				continue
			}
			sums[x.Actor] += x.End - x.Begin
			require.NotEqual(t, x.Actor, x.By)
			if x.By != 0 || x.Resource != waits.Port {
				continue
			}
			covered := int64(0)
			for _, h := range held[x.Instance] {
				if h.Actor != x.Actor {
					covered += max(0, min(h.End, x.End)-max(h.Begin, x.Begin))
				}
			}
			require.Equal(t, x.End-x.Begin, covered, "%+v", x)
		}
		for id, d := range waited {
			if stops {
				require.GreaterOrEqual(t, sums[id], int64(d))
			} else {
				require.Equal(t, int64(d), sums[id])
			}
		}
	})
}

// logRandom runs random traffic with receivers that refuse, and returns its log and how
// long each packet has waited.
func logRandom(t *rapid.T, spec Spec, seed uint64) (*waits.Log, map[waits.ID]sim.Duration) {
	r := rand.New(rand.NewPCG(seed, 2))
	e := sim.New(seed)
	n, err := New(e, spec)
	require.NoError(t, err)
	log, waited := waits.NewLog(), map[waits.ID]sim.Duration{}
	n.Log(log)
	left := make([]int, n.Nodes())
	next := func(src int) {
		if left[src]--; left[src] < 0 {
			return
		}
		p := n.NewPacket()
		p.Src, p.Dst = int32(src), int32((src+1+r.IntN(n.Nodes()-1))%n.Nodes())
		p.WireBytes, p.WantSent = 1+r.IntN(400), true
		at := e.Now().Add(sim.Duration(r.IntN(100_000)))
		p.Actor = log.Begin(waits.Actor{Node: p.Src}, waits.Interval{Resource: waits.Processor, Begin: int64(e.Now())})
		n.Inject(p, at, sim.Rate(40_000_000*(1+r.IntN(5))))
	}
	for i := range n.Nodes() {
		s := &sink{net: n, sent: func(*Packet) { next(i) }, arrived: func(p *Packet) {
			waited[p.Actor] = p.Waited
			log.End(p.Actor, int64(p.T5))
		}}
		s.take = func(*Packet) bool {
			if r.IntN(4) > 0 {
				return true
			}
			e.After(sim.Duration(1+r.IntN(2_000_000)), resumer{n, i}, 0, 0)
			return false
		}
		n.Attach(i, s)
		left[i] = 12
	}
	for i := range n.Nodes() {
		next(i)
	}
	require.NoError(t, e.Run(sim.Never))
	n.Close()
	log.Finish(int64(e.Now()))
	require.Len(t, waited, 12*n.Nodes())
	return log, waited
}

// TestLogOfBuffers: the waits of a packet in switches with buffers sum to the time that it has waited there, and to more if it is
// kept back by its sender. All the time that it waits for a channel, another packet has that channel or
// is in its way, but for the time of pause frames.
func TestLogOfBuffers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := rapid.SampledFrom([]Topology{{Nodes: 8}, {Nodes: 16}, {Nodes: 16, Radix: 4}}).Draw(t, "topology")
		control := rapid.SampledFrom([]FlowControl{PFC, Credits}).Draw(t, "control")
		log, waited := logRandom(t, buffered(top, control), rapid.Uint64().Draw(t, "seed"))
		held := map[int32][]waits.Hold{}
		for _, h := range log.Holds {
			held[h.Instance] = append(held[h.Instance], h)
		}
		sums := make([]int64, len(log.Actors))
		for _, x := range log.Intervals {
			if x.What != waits.Waiting {
				continue
			}
			sums[x.Actor] += x.End - x.Begin
			require.NotEqual(t, x.Actor, x.By)
			if x.Resource != waits.Port {
				continue
			}
			free := x.End - x.Begin
			for _, h := range held[x.Instance] {
				if h.Actor != x.Actor {
					free -= max(0, min(h.End, x.End)-max(h.Begin, x.Begin))
				}
			}
			if x.By != 0 {
				require.Equal(t, x.End-x.Begin, free, "what is in the way is elsewhere: %+v", x)
				continue
			}
			require.GreaterOrEqual(t, free, int64(0))
			if control == Credits {
				require.Zero(t, free, "%+v", x)
			}
			require.Less(t, free, (x.End-x.Begin)/2+2*int64(sim.Microsecond), "%+v", x)
		}
		for id, d := range waited {
			require.GreaterOrEqual(t, sums[id], int64(d))
		}
	})
}
