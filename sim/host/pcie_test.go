package host

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/sim"
)

// withPCIe has a bus of eight lanes of the third generation with round times.
func withPCIe() Spec {
	s := testSpec()
	s.IOBus = 0
	s.PCIe = &PCIe{
		Generation: 3, Lanes: 8, HeaderBytes: 24, Payload: 256, ReadBytes: 512, Tags: 2,
		Write: 200 * sim.Nanosecond, Read: 700 * sim.Nanosecond, Hop: 50 * sim.Nanosecond,
	}
	return s
}

// TestPCIeRates: what a lane carries by generation, less its encoding and a part for acknowledgements.
func TestPCIeRates(t *testing.T) {
	for generation, gigabits := range map[int]float64{1: 2, 2: 4, 3: 8. * 128 / 130, 4: 16. * 128 / 130, 5: 32. * 128 / 130, 6: 64. * 242 / 256} {
		p := PCIe{Generation: generation, Lanes: 4}
		require.InEpsilon(t, 4*gigabits*0.92/8*1e9, float64(p.Rate()), 1e-6, "generation %d", generation)
	}
	require.InEpsilon(t, 57.9e9/8, float64((&PCIe{Generation: 3, Lanes: 8}).Rate()), 0.002, "as published")
}

// TestPCIeLatency: a write goes one way, a read there and back; a bus that is not PCIe has none.
func TestPCIeLatency(t *testing.T) {
	_, h := newHost(t, withPCIe(), Uncontended{})
	require.Equal(t, 250*sim.Nanosecond, h.Latency(false))
	require.Equal(t, 800*sim.Nanosecond, h.Latency(true))
	require.Equal(t, 250*sim.Nanosecond, h.StoreLatency())
	require.True(t, h.Overlaps())
	_, h = newHost(t, testSpec(), Uncontended{})
	require.Zero(t, h.Latency(true)+h.Latency(false)+h.StoreLatency())
	require.False(t, h.Overlaps())
}

// TestPCIeCrossing: data goes in packets with headers, at the rate of the link; a device's reads are bounded by what
// it may have asked for in a round trip.
func TestPCIeCrossing(t *testing.T) {
	s := withPCIe()
	_, h := newHost(t, s, Uncontended{})
	rate := float64(s.PCIe.Rate())
	for bytes, packets := range map[int]int{1: 1, 256: 1, 257: 2, 4096: 16} {
		d, alone := h.Crossing(false, bytes)
		require.True(t, alone)
		require.InDelta(t, float64(bytes+24*packets)/rate*1e9, float64(d/sim.Nanosecond), 2, "%d B", bytes)
	}
	d, _ := h.Crossing(true, 4096)
	require.InEpsilon(t, (4096+16*24)*800./(2*512), float64(d/sim.Nanosecond), 0.01, "1 KB in 0.8 µs")
	s.PCIe.Tags = 64
	_, h = newHost(t, s, Uncontended{})
	read, _ := h.Crossing(true, 4096)
	write, _ := h.Crossing(false, 4096)
	require.Equal(t, write, read, "tags enough")
	_, h = newHost(t, s, Uncontended{IOBus: true})
	_, alone := h.Crossing(true, 4096)
	require.False(t, alone)
}

// TestStoresOfCPUs: what CPUs store at the same time shares the link, which is much faster than one of them, and not their time.
func TestStoresOfCPUs(t *testing.T) {
	took := func(cpus int, lanes int) (last sim.Duration) {
		s := withPCIe()
		s.CPUs, s.PCIe.Lanes, s.PIOLine = cpus, lanes, 100*sim.Nanosecond
		e, h := newHost(t, s, Uncontended{})
		for range cpus {
			h.Go("program", Application, func(c *Context) {
				for range 10 {
					c.PIOWriteWhile(0, s.CacheLine/WordBytes, Combining)
				}
				last = max(last, sim.Duration(c.Now()))
			})
		}
		run(t, e)
		return last
	}
	require.Equal(t, took(1, 8), took(8, 8))
	s := withPCIe()
	s.PCIe.Lanes = 1
	link := s.PCIe.Rate().Time(8 * 10 * (s.CacheLine + s.PCIe.HeaderBytes))
	require.Greater(t, link, took(1, 1))
	require.InEpsilon(t, float64(link), float64(took(8, 1)), 0.01)
}

// TestOneBus: a host says what its I/O bus is, once.
func TestOneBus(t *testing.T) {
	s := withPCIe()
	require.NoError(t, s.checkBus())
	s.IOBus = 1e6
	require.ErrorContains(t, s.checkBus(), "host.io_bus_mbps is 1, want 0, as io_setup_ns")
	s.IOBus, s.IOBurst = 0, 8
	require.ErrorContains(t, s.checkBus(), "host.pcie says what they are")
	s.IOBurst, s.PCIe = 0, nil
	require.ErrorContains(t, s.checkBus(), "or a section host.pcie")
}
