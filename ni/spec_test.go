package ni_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/boundstest"
	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// TestSpecRefuses: every number has limits, and the error names field, value
// and what is wanted.
func TestSpecRefuses(t *testing.T) {
	good := card()
	require.Equal(t, 23, boundstest.Refuses(t, "ni", &good, good.Validate))
	good.NetDMAMBps = nan()
	require.ErrorContains(t, good.Validate(), "ni.net_dma_mbps is NaN")
}

func nan() float64 { z := 0.0; return z / z }

// TestSRAM: what does not fit is an error at construction that shows the table.
func TestSRAM(t *testing.T) {
	build := func(bytes int) (*ni.NIC, error) {
		e := sim.New(1)
		net, err := fabric.New(e, fabric.Spec{
			Topology: fabric.Topology{Shape: fabric.Cable, Nodes: 2}, LinkRate: sim.MBps(100), WireDelay: 10 * ns,
			SlackBytes: 80, StopBytes: 56, GoBytes: 32, BlockLimit: sim.Millisecond,
		})
		require.NoError(t, err)
		rtc, err := clock.NewOscillator(clock.Spec{HzNum: 1e8, HzDen: 1, WidthBits: 32})
		require.NoError(t, err)
		r := newRig(t, setup{})
		h := host.New(e, "h", r.hosts[0].Spec(), host.Uncontended{})
		s := card()
		s.SRAMBytes = bytes
		return ni.New(e, 0, &s, h, net, rtc, ni.Uncontended{})
	}
	const all = 1<<16 + 16*128 + 4*4200
	n, err := build(all)
	require.NoError(t, err)
	require.Zero(t, n.SRAM().Free())
	want := strings.Join([]string{
		"  control program              65536 B",
		"  request queue                 2048 B",
		"  receive ring                 16800 B",
		"  in all                       84384 B of 84384 B",
	}, "\n")
	require.Equal(t, want, n.SRAM().String())
	_, err = build(all - 1)
	require.EqualError(t, err, "the interface's SRAM has 16799 B free, receive ring wants 16800 B\n"+
		"  control program              65536 B\n"+
		"  request queue                 2048 B\n"+
		"  in all                       67584 B of 84383 B")

	require.ErrorContains(t, n.SRAM().Reserve("more", 1), "has 0 B free, more wants 1 B")
	require.Error(t, n.SRAM().Reserve("less", -1))
	require.NoError(t, n.SRAM().Reserve("nothing", 0))
}

// TestDuration: cycles are never a multiple of a rounded period.
func TestDuration(t *testing.T) {
	for _, hz := range []uint64{1e6, 1234567, 33e6, 33333333, 66e6, 100e6, 999999937, 10e9} {
		r := newRig(t, setup{card: func(s *ni.Spec) { s.ClockHz = hz }})
		for c := range 5000 {
			require.Equal(t, sim.Hz(hz).Cycles(uint64(c)), r.nics[0].Duration(c), "%d cycles at %d Hz", c, hz)
		}
	}
}
