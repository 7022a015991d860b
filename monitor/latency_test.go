package monitor_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"

	_ "github.com/sigview/sigview/check/testlong" // more cases in make test-long
)

// tick is one of the interface's clock; oscillators are off by parts per
// million, which is nothing over a latency.
const tick = 1e9/33e6 + 0.01 // ns

// TestBuilds: each firmware build files exactly what its parts can know.
func TestBuilds(t *testing.T) {
	sizes := []int{4, 64, 65, 128, 4096, 10000}
	n := uint64(0)
	for _, s := range sizes {
		n += uint64(packets(s))
	}
	for _, c := range []struct {
		build          monitor.Build
		sender, target [4]uint64 // Source, LANai, Net, Dest
		unanchored     uint64
	}{
		{monitor.Full, [4]uint64{n, n, 0, 0}, [4]uint64{0, 0, n, n}, 0},
		{monitor.Send, [4]uint64{n, n, 0, 0}, [4]uint64{}, 0},
		{monitor.Recv, [4]uint64{}, [4]uint64{0, 0, 0, n}, n},
		{monitor.Clock, [4]uint64{}, [4]uint64{}, 0},
	} {
		t.Run(c.build.String(), func(t *testing.T) {
			r := newRig(t, c.build, 2, nil)
			r.messages(0, 1, 64, 200) // not recorded
			r.Record()
			r.messages(0, 1, sizes...)
			require.Equal(t, c.sender, r.counts(0))
			require.Equal(t, c.target, r.counts(1))
			require.Equal(t, c.unanchored, r.Nodes[1].Monitor.Stats().Unanchored)
			clocks := r.Nodes[0].Monitor.Clock() != nil
			require.Equal(t, c.build == monitor.Full || c.build == monitor.Clock, clocks)
		})
	}
	require.Nil(t, newRig(t, monitor.Off, 2, nil).Nodes[0].Monitor)
}

// TestLaterPackets: both ends know which packet is the first of its message.
func TestLaterPackets(t *testing.T) {
	r := newRig(t, monitor.Off, 2, nil)
	h := histo.Published()
	h.Tags, h.Nodes, h.Kinds, h.Later = 1, 2, []trace.Kind{trace.Data}, []trace.Kind{trace.Data}
	layout, err := histo.Plan(h)
	require.NoError(t, err)
	for _, n := range r.Nodes {
		n.Monitor, err = monitor.New(n.NIC, &r.profile.Monitor, monitor.Config{Options: monitor.Options{Build: monitor.Full}, Layout: layout, Protocol: r.Protocol()})
		require.NoError(t, err)
	}
	require.NoError(t, r.Warm())
	r.Record()
	r.messages(0, 1, 64, 10000, 4096, 5000)
	for node, stage := range []trace.Stage{trace.LANai, trace.Net} {
		for part, want := range map[histo.Part]uint64{histo.FirstPackets: 4, histo.LaterPackets: 3} {
			m, err := r.Nodes[node].Monitor.ReadOut().Moments(histo.Query{Stage: stage, Part: part})
			require.NoError(t, err)
			require.Equal(t, want, m.Count)
		}
	}
}

// TestOneByOne compares each latency of single packets with its true value:
// the two reads of a clock each lose less than a tick.
func TestOneByOne(t *testing.T) {
	for _, inline := range []bool{true, false} {
		r := newRig(t, monitor.Full, 2, func(s *cluster.Spec) { s.NoInlineChecks = !inline })
		r.Record()
		for _, n := range []int{4, 8, 60, 64, 65, 100, 500, 2000, 4096} {
			for i := range 2 {
				r.Nodes[i].Monitor.Reset()
				r.oracles[i].injected, r.oracles[i].landed = nil, nil
			}
			r.messages(0, 1, n)
			sent, came := r.oracles[0].injected[0], r.oracles[1].landed[0]
			near := func(stage trace.Stage, node int, x *times, within float64) {
				m := moments(t, r.Nodes[node].Monitor.ReadOut(), stage)
				require.EqualValues(t, 1, m.Count)
				require.InDelta(t, x.latency(stage).Us()*1000, m.MeanNs, within, "%v of %d B", stage, n)
			}
			near(trace.Source, 0, sent, tick)
			near(trace.LANai, 0, sent, tick)
			near(trace.Dest, 1, came, tick)
			truth := r.Nodes[1].Monitor.Stats().Truth
			require.EqualValues(t, 1, truth.Conversions)
			require.EqualValues(t, 1, truth.Covered)
			bound := truth.BoundSum.Us() * 1000
			require.Less(t, bound, 2000.0)
			near(trace.Net, 1, came, bound+tick)
			m := moments(t, r.Nodes[1].Monitor.ReadOut(), trace.Net)
			require.InDelta(t, truth.ErrorMax.Us()*1000, math.Abs(m.MeanNs-came.latency(trace.Net).Us()*1000), tick)
		}
	}
}

// interval is when a monitor recorded without a break.
type interval struct {
	from, to sim.Time
	cleared  sim.Time // when the histograms were cleared last
}

// expect returns count and mean of the latencies of packets whose instants,
// from the one that is called begin on, all lie in one of the intervals. The
// handler that stamps the first of them may have begun in an earlier one.
func (o *oracle) expect(list []*times, recorded []interval, begin int, stage trace.Stage) (count uint64, mean float64) {
	for _, x := range list {
		on, inside := false, false
		for _, w := range recorded {
			on = on || x.first >= w.from && x.first < w.to
			inside = inside || o.nic.Ticks(x.at[begin]) >= o.nic.Ticks(max(w.from, w.cleared)) && x.noted >= w.cleared && x.noted < w.to
		}
		if on && inside {
			count++
			mean += x.latency(stage).Us() * 1000
		}
	}
	if count > 0 {
		mean /= float64(count)
	}
	return count, mean
}

// TestSwitching starts, stops and clears the monitors of both ends at random
// moments of a stream, and compares what they file with the oracle.
func TestSwitching(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := newRig(t, monitor.Full, 2, nil)
		var recorded [2][]interval
		began := r.Engine.Now()
		r.burst(0, 1, 60)
		r.burst(1, 0, 50)
		for node := range 2 {
			m := r.Nodes[node].Monitor
			on := false
			at := began
			for range rapid.IntRange(1, 12).Draw(t, "switches") {
				at = at.Add(sim.Duration(rapid.IntRange(1, 700).Draw(t, "us")) * us)
				action := rapid.IntRange(0, 2).Draw(t, "action")
				r.Engine.At(at, call(func() {
					list, now := &recorded[node], r.Engine.Now()
					switch action {
					case 0:
						m.Start()
						if !on { // else it has no effect
							on = true
							*list = append(*list, interval{now, sim.Never, 0})
						}
					case 1:
						m.Stop()
						if on {
							(*list)[len(*list)-1].to = now
						}
						on = false
					case 2:
						m.Reset()
						for i := range *list {
							(*list)[i].cleared = now
						}
					}
				}), 0, 0)
			}
		}
		r.run(60 * ms)
		for node := range 2 {
			m, o := r.Nodes[node].Monitor, r.oracles[node]
			m.Stop()
			s := m.ReadOut()
			for stage, begin := range map[trace.Stage]int{trace.Source: 1, trace.LANai: 1} {
				count, mean := o.expect(o.injected, recorded[node], begin, stage)
				got := moments(t, s, stage)
				require.Equal(t, count, got.Count, "%v at node %d", stage, node)
				require.InDelta(t, mean, got.MeanNs, tick)
			}
			// The sender has to have recorded too, so there may be fewer.
			got := moments(t, s, trace.Dest)
			count, _ := o.expect(o.landed, recorded[node], 5, trace.Dest)
			require.LessOrEqual(t, got.Count, count)
			require.Equal(t, got.Count, moments(t, s, trace.Net).Count)
			if got.Count > 0 {
				require.Less(t, got.MeanNs, 1e6)
				require.Positive(t, got.MeanNs)
			}
			require.Zero(t, s.Losses().Underflow)
		}
	})
}

type call func()

func (f call) Act(uint32, uint64) { f() }

// TestReceiverAlone: what a receiver files is what arrived and was delivered
// while it recorded, of senders that always record.
func TestReceiverAlone(t *testing.T) {
	for _, build := range []monitor.Build{monitor.Full, monitor.Recv} {
		r := newRig(t, build, 2, nil)
		r.Nodes[0].Monitor.Start()
		m := r.Nodes[1].Monitor
		var recorded []interval
		began := r.Engine.Now()
		for i := range 200 {
			on := i%2 == 0
			at := 40 + i/2*61 // on for 58 µs, off for 3, less than a deposit takes
			if !on {
				at += 58
			}
			r.Engine.At(began.Add(sim.Duration(at)*us), call(func() {
				if on {
					m.Start()
					recorded = append(recorded, interval{r.Engine.Now(), sim.Never, 0})
				} else {
					m.Stop()
					recorded[len(recorded)-1].to = r.Engine.Now()
				}
			}), 0, 0)
		}
		r.burst(0, 1, 150)
		r.run(60 * ms)
		count, mean := r.oracles[1].expect(r.oracles[1].landed, recorded, 5, trace.Dest)
		got := moments(t, m.ReadOut(), trace.Dest)
		require.Equal(t, count, got.Count, "%v", build)
		require.InDelta(t, mean, got.MeanNs, tick)
		require.Greater(t, count, uint64(30))
		require.Less(t, count, uint64(140))
	}
}

// TestUnderLoad compares means of everything that a busy cluster files.
func TestUnderLoad(t *testing.T) {
	const nodes = 4
	r := newRig(t, monitor.Full, nodes, nil)
	r.Record()
	for from := range nodes {
		for k := 1; k < nodes; k++ {
			r.burst(from, (from+k)%nodes, 60)
		}
	}
	r.run(100 * ms)
	for node, n := range r.Nodes {
		n.Monitor.Stop()
		s, o := n.Monitor.ReadOut(), r.oracles[node]
		all := []interval{{0, sim.Never, 0}}
		for stage := range trace.NumStages {
			list, within := o.injected, tick
			if stage == trace.Net || stage == trace.Dest {
				list = o.landed
			}
			if stage == trace.Net {
				truth := n.Monitor.Stats().Truth
				require.Equal(t, truth.Conversions, truth.Covered)
				within += truth.BoundSum.Us() * 1000 / float64(truth.Conversions)
			}
			count, mean := o.expect(list, all, 3, stage)
			got := moments(t, s, stage)
			require.EqualValues(t, len(list), count)
			require.Equal(t, count, got.Count, "%v", stage)
			require.InDelta(t, mean, got.MeanNs, within, "%v", stage)
		}
	}
}

// TestSaturatedRing: samples without a slot are binned at once, and none is
// lost.
func TestSaturatedRing(t *testing.T) {
	for _, slots := range []int{0, 1, 3, 64} {
		r := newRig(t, monitor.Full, 2, func(s *cluster.Spec) { s.Profile.Monitor.DeferredSlots = slots })
		r.Record()
		r.burst(0, 1, 200)
		r.burst(1, 0, 200)
		r.run(60 * ms)
		var inline uint64
		for _, n := range r.Nodes {
			n.Monitor.Stop()
			inline += n.Monitor.Stats().Inline
		}
		for node := range 2 {
			sent, came := uint64(len(r.oracles[node].injected)), uint64(len(r.oracles[node].landed))
			require.Equal(t, [4]uint64{sent, sent, came, came}, r.counts(node))
		}
		switch slots {
		case 0:
			require.EqualValues(t, 2*len(r.oracles[0].injected)+2*len(r.oracles[1].injected), inline)
		case 1, 3:
			require.NotZero(t, inline)
		default:
			require.Less(t, inline, uint64(400))
		}
	}
}

// TestRetransmissions are not binned, and are counted where they land.
func TestRetransmissions(t *testing.T) {
	for _, build := range []monitor.Build{monitor.Full, monitor.Recv} {
		retransmissions(t, build)
	}
}

func retransmissions(t *testing.T, build monitor.Build) {
	r := newRig(t, build, 2, nil)
	r.Record()
	lost := 0
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		if p.Header.Meta.Kind != trace.Data || p.Src != 0 {
			return false
		}
		lost++
		return lost%10 == 3
	})
	r.burst(0, 1, 100)
	r.run(300 * ms)
	s := r.Nodes[0].VMMC.Stats()
	require.NotZero(t, s.Retransmitted)
	require.Equal(t, s.Packets, r.Nodes[1].VMMC.Stats().Delivered)
	r.Nodes[0].Monitor.Stop()
	r.Nodes[1].Monitor.Stop()
	repeated := uint64(0)
	for _, x := range r.oracles[1].landed {
		if x.repeated {
			repeated++
		}
	}
	require.NotZero(t, repeated)
	require.Equal(t, repeated, r.Nodes[1].Monitor.Stats().Repeated)
	once := s.Packets - repeated
	if build == monitor.Recv {
		require.Equal(t, [4]uint64{0, 0, 0, once}, r.counts(1))
		return
	}
	require.Equal(t, [4]uint64{s.Packets, s.Packets, 0, 0}, r.counts(0))
	require.Equal(t, [4]uint64{0, 0, once, once}, r.counts(1))
}
