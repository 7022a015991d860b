package agent

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/live"
	"github.com/sigview/sigview/live/stamps"
)

// TestLogP measures every parameter of messages between two hosts, or says why it is not known, and
// notes how they were sent. An agent that allows few messages has its bursts wait.
func TestLogP(t *testing.T) {
	key, file := newKeyFile(t)
	hosts := startHosts(t, 1, file)
	few := serve(t, &Server{Key: key, Limits: Limits{16 * live.LeastRate, time.Hour, 1 << 20}})
	for _, p := range stamps.Protocol("").All() {
		for _, method := range live.Method("").All() {
			spec := live.Default()
			spec.CPUs = []int{0}
			if spec.Protocol = p; method == live.Sweep {
				spec.Sizes = []int64{64}
			}
			at := hosts[0].at4()
			if p == stamps.UDP && method == live.Sweep {
				at = few.at
			}
			out, err := LogP(t.Context(), spec, method, key, at, nil)
			require.NoError(t, err, "%s, %s\n%s", p, method, hosts[0].said())
			require.Equal(t, string(method), out.Method)
			require.Contains(t, out.Platform, " and 1 more")
			require.Equal(t, []any{"block", []int{0}}, []any{out.Sockets.Wait, out.Sockets.CPUs})
			require.Equal(t, p == stamps.TCP, out.Sockets.Congestion != "")
			require.NotEmpty(t, out.Sizes)
			for _, z := range out.Sizes {
				require.True(t, z.RTT.OK() && z.RTT.Value > 0, "%s, %s, %d B: %+v", p, method, z.SizeBytes, z.RTT)
				require.True(t, z.Os.OK() != (z.Os.Reason != ""))
			}
		}
	}
	require.Contains(t, hosts[0].said(), "node 1 of 2, LogP parameters over tcp")
	require.NotContains(t, hosts[0].said(), "failed")
}

// TestLogPEnds: parameters that are interrupted, or whose agent vanishes, end with the reason, and an
// agent that is still there is free again.
func TestLogPEnds(t *testing.T) {
	key, file := newKeyFile(t)
	for _, p := range stamps.Protocol("").All() {
		hosts := startHosts(t, 1, file)
		spec := live.Default()
		spec.Protocol, spec.Sizes = p, []int64{64, 128, 256, 512}
		early := func(end func()) { // four sizes take seconds
			text := "LogP parameters over " + string(p)
			before := strings.Count(hosts[0].said(), text)
			go func() {
				for strings.Count(hosts[0].said(), text) == before {
					time.Sleep(10 * time.Millisecond)
				}
				time.Sleep(300 * time.Millisecond)
				end()
			}()
		}
		ctx, cancel := context.WithCancel(t.Context())
		early(cancel)
		_, err := LogP(ctx, spec, live.Sweep, key, hosts[0].at4(), nil)
		require.ErrorIs(t, err, context.Canceled)
		early(hosts[0].kill)
		_, err = LogP(t.Context(), spec, live.Sweep, key, hosts[0].at4(), nil)
		require.ErrorContains(t, err, "node 1 ("+hosts[0].at4()+") has vanished (it has closed the connection)")
		removeBridge()
	}
}
