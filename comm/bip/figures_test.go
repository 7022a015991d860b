package bip_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

func us(d sim.Duration) float64 { return float64(d) / float64(sim.Microsecond) }

// bandwidth of a ping-pong, bytes per µs.
func bandwidth(t testbed.T, n int) float64 { return float64(n) / us(pingPong(t, n, 10)) }

// TestLatency: 6 µs for 4 B set the costs of the library and the control
// program (userspace §4.1.1). The knee at 256 B is none of theirs: a message
// that long takes less time than one of 252 B whose words the host stores.
func TestLatency(t *testing.T) {
	require.InDelta(t, 6, us(pingPong(t, 4, 50)), 0.6)
	perWord := (us(pingPong(t, 252, 20)) - us(pingPong(t, 124, 20))) / 32
	require.Greater(t, perWord, 0.18, "words are not combined into lines")
	require.Less(t, us(pingPong(t, 256, 20)), us(pingPong(t, 252, 20)))
	perByte := (us(pingPong(t, 768, 20)) - us(pingPong(t, 256, 20))) / 512
	require.Less(t, perByte, perWord/4/2)
}

// TestBandwidth: 125 MB/s at most (userspace §4.2), half of it at 4 kB
// (Prylli and Tourancheau); nothing was set by them.
func TestBandwidth(t *testing.T) {
	most := bandwidth(t, 4<<20)
	require.InEpsilon(t, 125, most, 0.03)
	require.InEpsilon(t, most/2, bandwidth(t, 4096), 0.05)
	for n := 256; n < 2<<20; n *= 2 {
		require.Less(t, bandwidth(t, n), bandwidth(t, 2*n))
	}
}

// TestFragments: sizes around the model's choice are no better at any length
// by more than 3 %: the pipeline of the simulation is that of the model.
func TestFragments(t *testing.T) {
	time := func(n int, scale float64) float64 {
		r := testbed.New(t, "ppro", "bip", 2, n, func(s *cluster.Spec) { s.Profile.BIP.FragmentUs *= scale })
		return us(transfer(r, n))
	}
	for _, n := range []int{1024, 4096, 30_000, 200_000, 1 << 20} {
		for _, scale := range []float64{0.25, 0.5, 2, 4} {
			require.Less(t, time(n, 1), 1.03*time(n, scale), "%d B, %v times the cost of a fragment", n, scale)
		}
	}
}

// TestSynchronousSend: the time of a transfer is in O_s at every size, and what
// is left for L and O_r is little of it for long messages (userspace §4.1.5,
// Table 3).
func TestSynchronousSend(t *testing.T) {
	last := sim.Duration(0)
	for _, n := range []int{4, 64, 252} {
		o := overhead(t, n)
		require.Greater(t, o, last)
		last = o
	}
	last = 0
	for n := 256; n <= 1<<20; n *= 4 {
		o := overhead(t, n)
		require.Greater(t, o, last)
		last = o
	}
	require.Greater(t, us(last), 0.93*us(pingPong(t, 1<<20, 5)))
	rest := func(n int) float64 { return us(pingPong(t, n, 10)) - us(overhead(t, n)) }
	require.Less(t, rest(1<<20)/rest(1024), 50.0, "where O_s grows 500 times")
}

// TestBothWays: both interfaces send and receive at once. The host's bus, which
// carries all data twice, bounds both directions together. The knee at 256 B is
// there; the one at 1 MB that was measured and not explained (userspace §4.2)
// is not: from 256 kB on bandwidth is flat.
func TestBothWays(t *testing.T) {
	require.Greater(t, simultaneous(t, 256, 10), 1.3*simultaneous(t, 252, 10))
	half, one, two := simultaneous(t, 1<<19, 5), simultaneous(t, 1<<20, 5), simultaneous(t, 1<<21, 5)
	require.Less(t, 2*two, 133.0)
	require.InEpsilon(t, half, one, 0.03)
	require.InEpsilon(t, one, two, 0.03)
	// One direction alone: the receiver's word costs what DMA gains at 256 B.
	require.Less(t, stream(t, 256, 30), 0.7*stream(t, 252, 30))
}

// TestUnderTheMonitor: the largest packets and the monitor find room in SRAM,
// and nothing is lost.
func TestUnderTheMonitor(t *testing.T) {
	r := testbed.New(t, "ppro", "bip", 2, 70_000, func(s *cluster.Spec) {
		s.Build, s.Kinds, s.Estimator = monitor.Full, []trace.Kind{trace.Message}, "filtered"
	})
	require.NoError(t, r.Warm())
	r.Record()
	r.Deliver(1, 2, 0, 4, 255, 256, 5000, 70_000, 1)
	require.Zero(t, r.Lost())
	h, err := r.Histograms()
	require.NoError(t, err)
	m, err := h.Moments(histo.Query{Stage: trace.Net})
	require.NoError(t, err)
	spec := r.Nodes[0].NIC.Spec()
	require.Equal(t, 16384+16+8, spec.BufferBytes, "header and the monitor's words")
	require.EqualValues(t, 29+21, m.Count, "packets both ways: 5 for 5000 B, 19 for 70,000 B")
}
