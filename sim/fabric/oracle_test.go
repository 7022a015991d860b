package fabric

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/sim"

	"github.com/sigview/sigview/check/testlong"
)

// traffic is a list of packets for both machines.
type traffic struct {
	spec    Spec
	packets []twinPacket
}

// randomTraffic draws packets per node at times that no two share.
func randomTraffic(r *rand.Rand, spec Spec, perNode int, maxBytes int, spread int64) traffic {
	tr := traffic{spec: spec}
	seq := uint32(0)
	for range perNode {
		for src := range spec.Topology.Nodes {
			dst := r.IntN(spec.Topology.Nodes)
			if r.IntN(4) == 0 {
				dst = 0 // a hot spot
			}
			if dst == src {
				dst = (dst + 1) % spec.Topology.Nodes
			}
			p := twinPacket{bytes: 1 + r.IntN(maxBytes), rate: spec.LinkRate, at: r.Int64N(spread)}
			p.src, p.dst, p.seq = int32(src), int32(dst), seq
			seq++
			tr.packets = append(tr.packets, p)
		}
	}
	return tr
}

// fast runs the traffic on the package, slow on the twin. Both inject a
// packet at its time or when the one before has left, whichever is later.
func (tr traffic) fast(t testing.TB) (map[uint32]record, Stats) {
	rig := newRig(t, tr.spec)
	return tr.on(t, rig), rig.net.Stats()
}

// on runs the traffic on a rig.
func (tr traffic) on(t testing.TB, rig *rig) map[uint32]record {
	left := make([][]twinPacket, rig.net.Nodes())
	for _, p := range tr.packets {
		left[p.src] = append(left[p.src], p)
	}
	next := func(src int32) {
		if len(left[src]) == 0 {
			return
		}
		q := left[src][0]
		left[src] = left[src][1:]
		p := rig.net.NewPacket()
		p.Src, p.Dst, p.WireBytes, p.Header.Seq, p.WantSent = q.src, q.dst, q.bytes, q.seq, true
		at := max(rig.engine.Now(), sim.Time(q.at))
		if q.seq%2 == 0 {
			rig.net.Inject(p, at, q.rate) // in advance
			return
		}
		rig.engine.At(at, action(func() { rig.net.Inject(p, at, q.rate) }), 0, 0)
	}
	for i, p := range rig.ports {
		p.sent = func(*Packet) { next(int32(i)) }
		next(int32(i))
	}
	rig.run(t)
	require.Zero(t, rig.net.InUse())
	out := map[uint32]record{}
	for _, p := range rig.ports {
		for _, g := range p.got {
			out[g.seq] = g
		}
	}
	return out
}

// action is an event of a test.
type action func()

func (a action) Act(uint32, uint64) { a() }

func (tr traffic) slow(t testing.TB) (out map[uint32]record, tie bool) {
	l := tr.spec.Topology.layout()
	w := newTwin(tr.spec, l.channels())
	packets := slices.Clone(tr.packets)
	for i := range packets {
		packets[i].path = l.route(nil, int(packets[i].src), int(packets[i].dst), 0)
		w.add(&packets[i])
	}
	if len(tr.spec.Faults.Stalls) > 0 {
		s := tr.spec.Faults.Stalls[0]
		w.pause = func(node int) (int64, int64) {
			if node == s.Node {
				return int64(s.At), int64(s.At.Add(s.For))
			}
			return 0, 0
		}
	}
	require.NoError(t, w.run())
	out = map[uint32]record{}
	for i := range packets {
		out[packets[i].seq] = packets[i].record
	}
	return out, w.tie
}

// TestAgainstTwin holds every instant of random traffic against the byte-level
// machine.
func TestAgainstTwin(t *testing.T) {
	cases := []struct {
		name     string
		top      Topology
		perNode  int
		maxBytes int
		spread   int64
		stall    sim.Duration
	}{
		{"cable", Topology{Shape: Cable, Nodes: 2}, 30, 300, 50e6, 0},
		{"crossbar, light", Topology{Nodes: 8}, 10, 300, 200e6, 0},
		{"crossbar, small packets", Topology{Nodes: 8}, 20, 40, 5e6, 0},
		{"crossbar, loaded", Topology{Nodes: 8}, 12, 600, 20e6, 0},
		{"two levels", Topology{Nodes: 16}, 10, 500, 30e6, 0},
		{"two levels, small packets", Topology{Nodes: 20}, 12, 60, 5e6, 0},
		{"three levels of 4 ports", Topology{Nodes: 16, Radix: 4}, 8, 400, 30e6, 0},
		{"mesh", Topology{Shape: Mesh, Nodes: 16}, 8, 300, 20e6, 0},
		{"crossbar with a stalled receiver", Topology{Nodes: 8}, 10, 300, 20e6, 13 * sim.Microsecond},
		{"two levels with a stalled receiver", Topology{Nodes: 16}, 8, 300, 20e6, 13 * sim.Microsecond},
		{"cable with a stalled receiver", Topology{Shape: Cable, Nodes: 2}, 10, 300, 20e6, 13 * sim.Microsecond},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			packets, differ, ties, worst := 0, 0, 0, sim.Duration(0)
			first, what := never, ""
			for seed := range testlong.Pick[uint64](6, 60) {
				r := rand.New(rand.NewPCG(seed, 7))
				spec := base(c.top)
				if c.stall > 0 {
					spec.Faults.Stalls = []Stall{{Node: 0, At: 3_000_003, For: c.stall}}
				}
				tr := randomTraffic(r, spec, c.perNode, c.maxBytes, c.spread)
				fast, _ := tr.fast(t)
				slow, tie := tr.slow(t)
				if tie {
					ties++
					continue // either order is right
				}
				require.Len(t, fast, len(slow), "seed %d", seed)
				for seq, want := range slow {
					packets++
					got := fast[seq]
					d := max(abs(got.t3.Sub(want.t3)), abs(got.t4.Sub(want.t4)), abs(got.t5.Sub(want.t5)))
					if d > 0 {
						differ++
						worst = max(worst, d)
						if at := min(got.t4, want.t4, got.t5, want.t5); at < first {
							first = at
							what = fmt.Sprintf("seed %d packet %d %d>%d: t3 %v t4 %v t5 %v, twin %v %v %v", seed, seq, got.src, got.dst, got.t3, got.t4, got.t5, want.t3, want.t4, want.t5)
						}
					}
				}
			}
			t.Logf("%d packets, %d differ, worst by %v; %d runs with ties left out", packets, differ, worst, ties)
			if differ > 0 {
				t.Log("first: " + what)
			}
			require.Zero(t, differ)
		})
	}
}

func abs(d sim.Duration) sim.Duration { return max(d, -d) }
