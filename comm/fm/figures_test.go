package fm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// roundTrip returns RTT/2 in µs for messages of n bytes.
func roundTrip(r *testbed.Test, n, turns, skip int) float64 {
	var begin, end sim.Time
	side := func(first bool) func(c *host.Context, p *testbed.Process) {
		return func(c *host.Context, p *testbed.Process) {
			b, in := p.Endpoint.Buffer(max(n, 1)), p.Endpoint.Buffer(max(n, 1))
			for i := range turns {
				if first && i == skip {
					begin = c.Now()
				}
				if first {
					must(p.Endpoint.Send(c, 1, b, n, trace.Meta{Kind: trace.Message}))
				}
				_, err := p.Endpoint.Receive(c, 1-p.Number, into(p, in), n)
				must(err)
				if !first {
					must(p.Endpoint.Send(c, 0, b, n, trace.Meta{Kind: trace.Message}))
				}
			}
			if first {
				end = c.Now()
			}
		}
	}
	r.Go(side(true), side(false))
	return end.Sub(begin).Us() / 2 / float64(turns-skip)
}

// stream returns the bandwidth in MB/s of messages of n bytes one way.
func stream(r *testbed.Test, n, count, skip int) float64 {
	var begin, end sim.Time
	r.Go(func(c *host.Context, p *testbed.Process) {
		b := p.Endpoint.Buffer(n)
		for range count {
			must(p.Endpoint.Send(c, 1, b, n, trace.Meta{Kind: trace.Message}))
		}
	}, func(c *host.Context, p *testbed.Process) {
		b := p.Endpoint.Buffer(n)
		for i := range count {
			if i == skip {
				begin = c.Now()
			}
			_, err := p.Endpoint.Receive(c, 0, into(p, b), n)
			must(err)
		}
		end = c.Now()
	})
	return float64(n*(count-skip)) / end.Sub(begin).Us()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// overheads returns O_s and O_r in µs: of a send that has credits, and of a
// receive that finds all of the message in the ring.
func overheads(r *testbed.Test, n, turns int) (send, receive float64) {
	const apart = 10 * sim.Millisecond
	r.Go(func(c *host.Context, p *testbed.Process) {
		b := p.Endpoint.Buffer(n)
		for i := range turns {
			begin := c.Now()
			must(p.Endpoint.Send(c, 1, b, n, trace.Meta{Kind: trace.Message}))
			if i > 0 { // the first one reads the source from memory
				send += c.Now().Sub(begin).Us() / float64(turns-1)
			}
			c.Spend(apart - c.Now().Sub(begin))
		}
	}, func(c *host.Context, p *testbed.Process) {
		b := p.Endpoint.Buffer(n)
		c.Spend(apart / 2)
		for i := range turns {
			begin := c.Now()
			_, err := p.Endpoint.Receive(c, 0, b, n)
			must(err)
			if i > 0 {
				receive += c.Now().Sub(begin).Us() / float64(turns-1)
			}
			c.Spend(apart - c.Now().Sub(begin))
		}
	})
	return send, receive
}

// TestLatency: about 9 µs one way for a short message, which the layer's costs
// were set to; less than VMMC-2, more than 5 µs (userspace, Figure 4, §6).
func TestLatency(t *testing.T) {
	fm := roundTrip(rig(t, 4), 4, 40, 5)
	t.Logf("RTT/2 at 4 B: %.2f µs, published about 9", fm)
	require.InDelta(t, 9, fm, 0.5)
	require.Less(t, fm, roundTrip(testbed.New(t, "ppro", "vmmc", 2, 4), 4, 40, 5))
}

// TestOverheads: both overheads grow with the size, and L falls where a
// message becomes two packets (userspace §4.1.3-4.1.5, Figures 6-8).
func TestOverheads(t *testing.T) {
	type point struct{ half, send, receive, rest float64 }
	var at []point
	sizes := []int{4, 64, 256, 1024, 2048, 4096}
	for _, n := range sizes {
		p := point{half: roundTrip(rig(t, n), n, 40, 5)}
		p.send, p.receive = overheads(rig(t, n), n, 10)
		p.rest = p.half - p.send - p.receive
		at = append(at, p)
		t.Logf("%5d B: RTT/2 %6.2f = O_s %6.2f + O_r %6.2f + L %6.2f µs", n, p.half, p.send, p.receive, p.rest)
	}
	for i := range at[1:] {
		require.Greater(t, at[i+1].send, at[i].send, "O_s at %d B", sizes[i+1])
		require.Greater(t, at[i+1].receive, at[i].receive, "O_r at %d B", sizes[i+1])
	}
	require.Greater(t, at[3].rest, at[0].rest, "one packet: L grows")
	require.Less(t, at[4].rest, at[3].rest-5, "two packets")
}

// TestBandwidth: a plateau of the rate of combined stores, which falls most
// where the buffers and the ring outgrow the L2 of 256 KB (userspace §4.2).
func TestBandwidth(t *testing.T) {
	one, turns := map[int]float64{}, map[int]float64{}
	for _, kb := range []int{64, 128, 256, 512, 1024} {
		n := kb << 10
		one[kb] = stream(rig(t, n), n, (4<<20)/n+4, 4)
		turns[kb] = float64(n) / roundTrip(rig(t, n), n, 12, 4)
		t.Logf("%5d KB: %.1f MB/s one way, %.1f by turns; published 60-70 at most, knee at 256 KB", kb, one[kb], turns[kb])
	}
	require.InDelta(t, 70, one[128], 5)
	require.InDelta(t, 70, turns[64], 5)
	require.Greater(t, one[256], 0.93*one[128], "source or destination just fit")
	require.Less(t, one[512], 0.85*one[256])
	require.Greater(t, turns[128], 0.9*turns[64], "source and destination just fit")
	require.Less(t, turns[256], 0.85*turns[128])
	require.Less(t, one[1024], one[512])
	require.InDelta(t, one[1024], turns[1024], 2)
}

// TestShortMessagesInARow: better than VMMC-2 for small and medium sizes, worse for
// long ones (userspace §4.2).
func TestShortMessagesInARow(t *testing.T) {
	for _, n := range []int{16, 64, 256, 1024, 4096} {
		fm, vmmc := stream(rig(t, n), n, 100, 4), stream(testbed.New(t, "ppro", "vmmc", 2, n), n, 100, 4)
		t.Logf("%5d B: %.1f MB/s, VMMC-2 %.1f", n, fm, vmmc)
		require.Greater(t, fm, 1.15*vmmc, n)
	}
	const long = 512 << 10
	require.Less(t, stream(rig(t, long), long, 8, 2), stream(testbed.New(t, "ppro", "vmmc", 2, long), long, 8, 2))
}

func rig(t testbed.T, n int) *testbed.Test { return testbed.New(t, "ppro", "fm", 2, n) }

func into(p *testbed.Process, b host.Addr) host.Addr {
	if p.Endpoint.Traits().InPlace {
		return 0
	}
	return b
}
