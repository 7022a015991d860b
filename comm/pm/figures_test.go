package pm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

var message = trace.Meta{Kind: trace.Message}

// pingPong returns half of the mean round trip of messages of n bytes, µs.
func pingPong(t *testing.T, n int, changes ...testbed.Change) float64 {
	r := testbed.New(t, "ppro", "pm", 2, 0, changes...)
	const turns = 40
	var begin, end sim.Time
	play := func(first bool) func(c *host.Context, p *testbed.Process) {
		return func(c *host.Context, p *testbed.Process) {
			at := p.Endpoint.Buffer(max(n, 1))
			begin = c.Now()
			for i := range 2 * turns {
				if (i%2 == 0) == first {
					require.NoError(t, p.Endpoint.Send(c, 1-p.Number, at, n, message))
				} else {
					_, err := p.Endpoint.Receive(c, 1-p.Number, 0, n)
					require.NoError(t, err)
				}
			}
			end = c.Now()
		}
	}
	r.Go(play(true), play(false))
	return end.Sub(begin).Us() / (2 * turns)
}

// stream returns the bandwidth of messages of n bytes one after another, MB/s,
// and what each send and each receive costs when the other side is not waited
// for, µs.
func stream(t *testing.T, n int, changes ...testbed.Change) (mbps, send, receive float64) {
	r := testbed.New(t, "ppro", "pm", 2, 0, changes...)
	const messages = 400
	var begin, end sim.Time
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			at := p.Endpoint.Buffer(max(n, 1))
			begin = c.Now()
			for i := range messages {
				require.NoError(t, p.Endpoint.Send(c, 1, at, n, message))
				if i == 0 {
					send = c.Now().Sub(begin).Us()
				}
			}
		},
		func(c *host.Context, p *testbed.Process) {
			for range messages {
				_, err := p.Endpoint.Receive(c, 0, 0, n)
				require.NoError(t, err)
			}
			end = c.Now()
		})
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			at := p.Endpoint.Buffer(max(n, 1))
			for range 10 {
				require.NoError(t, p.Endpoint.Send(c, 1, at, n, message))
			}
		},
		func(c *host.Context, p *testbed.Process) {
			c.Sleep(5 * sim.Millisecond)
			before := c.Now()
			for range 10 {
				_, err := p.Endpoint.Receive(c, 0, 0, n)
				require.NoError(t, err)
			}
			receive = c.Now().Sub(before).Us() / 10
		})
	return float64(n) * messages / end.Sub(begin).Us(), send, receive
}

// TestSizes: a short message takes some 9 µs, long ones stream at the rate of
// layers that do not copy, and neither overhead knows the size.
func TestSizes(t *testing.T) {
	require.InEpsilon(t, 9, pingPong(t, 0), 0.1)
	require.InEpsilon(t, 9, pingPong(t, 4), 0.1)
	_, send, receive := stream(t, 4)
	for _, x := range []struct {
		bytes       int
		least, most float64 // MB/s
	}{{256, 35, 60}, {1024, 75, 100}, {4096, 95, 125}, {mtu, 95, 125}} {
		mbps, s, r := stream(t, x.bytes)
		t.Logf("%5d B: RTT/2 %.2f µs, g %.2f µs, %.1f MB/s, O_s %.2f µs, O_r %.2f µs",
			x.bytes, pingPong(t, x.bytes), float64(x.bytes)/mbps, mbps, s, r)
		require.GreaterOrEqual(t, mbps, x.least, "%d B", x.bytes)
		require.LessOrEqual(t, mbps, x.most, "%d B", x.bytes)
		require.InDelta(t, send, s, 1e-3)
		require.InDelta(t, receive, r, 1e-3)
	}
}

// TestImmediate: sending while fetching saves the time that the wire takes.
func TestImmediate(t *testing.T) {
	whole := func(s *cluster.Spec) { s.Profile.PM.Firmware.CutThrough = false }
	for _, n := range []int{1024, 4096, mtu} {
		wire := float64(n) / 132
		require.InDelta(t, wire, pingPong(t, n, whole)-pingPong(t, n), 1, "%d B", n)
	}
}
