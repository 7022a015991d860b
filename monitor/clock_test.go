package monitor_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// TestRounds counts the packets of a round: a query, a reply and a table for
// every node but the first.
func TestRounds(t *testing.T) {
	for _, estimator := range clock.Estimators() {
		r := newRig(t, monitor.Clock, 5, func(s *cluster.Spec) { s.Estimator = cluster.Estimator(estimator) })
		numbers := []uint32{}
		r.Nodes[0].Monitor.Clock().OnRound(func(n uint32) { numbers = append(numbers, n) })
		before := r.Nodes[0].Monitor.Clock().Rounds()
		r.run(100 * ms)
		c := r.Nodes[0].Monitor.Clock()
		rounds := uint64(c.Rounds())
		require.Len(t, numbers, int(rounds)-before)
		require.Equal(t, 4*rounds, c.Stats().Sent[trace.ClockQuery])
		require.Equal(t, 4*rounds, c.Stats().Sent[trace.ClockTable])
		require.Zero(t, c.Stats().Sent[trace.ClockReply])
		for _, n := range r.Nodes[1:] {
			k := n.Monitor.Clock()
			require.Equal(t, rounds, k.Stats().Sent[trace.ClockReply])
			require.Zero(t, k.Stats().Sent[trace.ClockQuery])
			require.Zero(t, k.Rounds())
			for from := range 5 {
				require.True(t, k.Converter().Ready(from))
			}
		}
		require.Zero(t, c.Stats().Partial)
		require.Zero(t, c.Stats().Malformed)
	}
}

// TestLostClockPackets: rounds go on without what is lost, and the bound still
// holds.
func TestLostClockPackets(t *testing.T) {
	for _, estimator := range clock.Estimators() {
		r := newRig(t, monitor.Full, 4, func(s *cluster.Spec) { s.Estimator = cluster.Estimator(estimator) })
		draw := rand.New(rand.NewPCG(1, 2))
		lost := map[trace.Kind]int{}
		r.Net.DropWhen(func(p *fabric.Packet) bool {
			k := p.Header.Meta.Kind
			if k < trace.ClockQuery || k > trace.ClockTable || draw.IntN(4) > 0 {
				return false
			}
			lost[k]++
			return true
		})
		r.Record()
		rounds := r.Nodes[0].Monitor.Clock().Rounds()
		for range 40 {
			r.run(10 * ms)
			for from := range 4 {
				r.burst(from, (from+1)%4, 5)
			}
		}
		c := r.Nodes[0].Monitor.Clock()
		require.Greater(t, c.Rounds(), rounds+15)
		require.NotZero(t, c.Stats().Partial)
		require.Len(t, lost, 3)
		for _, n := range r.Nodes {
			truth := n.Monitor.Stats().Truth
			require.Greater(t, truth.Conversions, uint64(150))
			require.Equal(t, truth.Conversions, truth.Covered, "%s", estimator)
		}
	}
}

// TestBound: the bound of Net's error contains the true error under load, for
// both sets of oscillators and both estimators, and is of some use.
func TestBound(t *testing.T) {
	for _, estimator := range clock.Estimators() {
		for _, set := range []cluster.Oscillators{cluster.Reference, cluster.Harsh} {
			r := newRig(t, monitor.Full, 4, func(s *cluster.Spec) {
				s.Estimator, s.Oscillators, s.WanderPerRound, s.Round = cluster.Estimator(estimator), set, set == "reference", 50*ms
			})
			r.Record()
			load, err := r.Load(60 * us)
			require.NoError(t, err)
			load.Start()
			r.run(300 * ms)
			load.Stop()
			var all monitor.Truth
			for _, n := range r.Nodes {
				truth := n.Monitor.Stats().Truth
				all.Conversions += truth.Conversions
				all.Covered += truth.Covered
				all.BoundSum += truth.BoundSum
				all.ErrorMax = max(all.ErrorMax, truth.ErrorMax)
			}
			require.Greater(t, all.Conversions, uint64(4000))
			require.GreaterOrEqual(t, float64(all.Covered), 0.999*float64(all.Conversions), "%s, %s", estimator, set)
			require.NotZero(t, all.ErrorMax)
			if estimator == clock.Filtered {
				require.Less(t, all.BoundSum.Us()/float64(all.Conversions), 100.0)
			}
		}
	}
}

// clockPacket lets a packet of the protocol arrive at a node's card.
func clockPacket(r *rig, node, from int, kind trace.Kind, data []byte) {
	nic := r.Nodes[node].NIC
	if !nic.Accept(nil) {
		return
	}
	p := r.Net.NewPacket()
	p.Src, p.Dst = int32(from), int32(node)
	p.Header.Meta.Kind = kind
	copy(p.Payload(len(data)), data)
	p.WireBytes = 12 + len(data)
	nic.Arrived(p)
}

// TestMalformedClockPackets are counted and change nothing.
func TestMalformedClockPackets(t *testing.T) {
	for _, estimator := range clock.Estimators() {
		r := newRig(t, monitor.Full, 3, func(s *cluster.Spec) { s.Estimator = cluster.Estimator(estimator) })
		words := r.Protocol().Words()
		bad := []struct {
			node int
			kind trace.Kind
			data []byte
		}{
			{1, trace.ClockQuery, nil},
			{1, trace.ClockQuery, make([]byte, 4*words.Query+4)},
			{1, trace.ClockQuery, make([]byte, 3)},
			{1, trace.ClockTable, make([]byte, 8)},
			{1, trace.ClockTable, make([]byte, 4*words.Table(1))}, // of no node
			{1, trace.ClockReply, make([]byte, 4*words.Reply)},    // not for this node
			{0, trace.ClockReply, make([]byte, 4*words.Reply-4)},
		}
		global := func() (out []int64) {
			for _, n := range r.Nodes {
				out = append(out, n.Monitor.Clock().Global())
			}
			return out
		}
		malformed := func() (sum uint64) {
			for _, n := range r.Nodes {
				sum += n.Monitor.Clock().Stats().Malformed
			}
			return sum
		}
		for i, x := range bad {
			before, now := global(), r.Engine.Now()
			clockPacket(r, x.node, 2-x.node, x.kind, x.data)
			r.run(20 * us)
			require.EqualValues(t, i+1, malformed(), "%s, packet %d", estimator, i)
			after := global()
			passed := r.Engine.Now().Sub(now).Us()
			for k := range after {
				ticks := float64(after[k]-before[k]) / (1 << clock.FracBits)
				require.InDelta(t, passed*33, ticks, 1.5, "node %d", k)
			}
		}
		r.run(100 * ms)
		require.EqualValues(t, len(bad), malformed())
	}
}

// TestDamagedClockPackets: what the CRC shows to be damaged is counted by the
// control program, and the protocol goes on.
func TestDamagedClockPackets(t *testing.T) {
	r := newRig(t, monitor.Full, 4, func(s *cluster.Spec) { s.Faults.ErrorPerByte = 2e-3 })
	r.run(2 * sim.Second)
	var damaged, malformed uint64
	for _, n := range r.Nodes {
		malformed += n.Monitor.Clock().Stats().Malformed + n.VMMC.Stats().Malformed
		damaged += n.VMMC.Stats().Corrupt
	}
	net := r.Net.Stats()
	require.NotZero(t, net.Detected)
	require.Equal(t, net.Detected, damaged)
	require.LessOrEqual(t, malformed, net.Undetected)
	require.Greater(t, r.Nodes[0].Monitor.Clock().Rounds(), 50)
}

// TestWrapOfRegister: a 32-bit register at 33 MHz wraps every 130 s.
func TestWrapOfRegister(t *testing.T) {
	r := newRig(t, monitor.Full, 2, func(s *cluster.Spec) { s.Round = 0 })
	r.Record()
	for range 14 {
		r.messages(0, 1, 64, 500)
		r.messages(1, 0, 64, 500)
		r.run(20 * sim.Second)
	}
	require.Greater(t, r.Engine.Now(), sim.Time(280*sim.Second))
	for node, n := range r.Nodes {
		n.Monitor.Stop()
		s := n.Monitor.ReadOut()
		require.Equal(t, [4]uint64{28, 28, 28, 28}, r.counts(node))
		for stage := range trace.NumStages {
			require.Less(t, moments(t, s, stage).MeanNs, 60e3)
			require.Greater(t, moments(t, s, stage).MeanNs, 0.0)
		}
		truth := n.Monitor.Stats().Truth
		require.Equal(t, truth.Conversions, truth.Covered)
	}
}

// FuzzClockPacket gives cards whatever may be in a packet of a reserved kind.
func FuzzClockPacket(f *testing.F) {
	for _, k := range []trace.Kind{trace.ClockQuery, trace.ClockReply, trace.ClockTable} {
		f.Add(uint8(k), true, []byte{})
		f.Add(uint8(k), false, make([]byte, 24))
	}
	table := make([]byte, 4*(3+14))
	binary.LittleEndian.PutUint32(table, 1)
	binary.LittleEndian.PutUint32(table[4:], 1)
	binary.LittleEndian.PutUint32(table[8:], 1)
	binary.LittleEndian.PutUint32(table[12:], 1)
	f.Add(uint8(trace.ClockTable), false, table)
	f.Fuzz(func(t *testing.T, kind uint8, filtered bool, data []byte) {
		k := trace.ClockQuery + trace.Kind(kind%3)
		r := newRig(t, monitor.Full, 3, func(s *cluster.Spec) {
			if !filtered {
				s.Estimator = clock.Cristian
			}
		})
		for node := range 3 {
			clockPacket(r, node, (node+1)%3, k, data)
			clockPacket(r, node, (node+2)%3, k, data)
		}
		r.Record()
		r.messages(0, 1, 64)
		r.messages(1, 2, 64)
		r.run(100 * ms)
	})
}
