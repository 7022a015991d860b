package live

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/live/stamps"
)

// ends connects two ends of this host, of which node 1 reacts.
func ends(t *testing.T, p stamps.Protocol) *mirrored {
	t.Helper()
	spec := Default()
	spec.Protocol = p
	links, err := connectLoopback(p, newToken(), stamps.Options{BufferKB: bufferKB})
	require.NoError(t, err)
	zero, one := newEnd(0, spec, []*link{nil, links[0]}, func(Batch) {}), newEnd(1, spec, []*link{links[1], nil}, func(Batch) {})
	one.mirror = true
	one.Receive()
	t.Cleanup(func() {
		for _, e := range []*End{zero, one} {
			_, err := e.Stop()
			require.NoError(t, err)
		}
	})
	return &mirrored{ctx: context.Background(), l: links[0], bytes: 64}
}

// TestMirror: the other end answers what it is asked, and times hold what they should.
func TestMirror(t *testing.T) {
	for _, p := range stamps.Protocol("").All() {
		m := ends(t, p)
		sends, roundTrip, err := m.Train(1000, 20)
		require.NoError(t, err)
		require.Greater(t, roundTrip, sends)
		require.Positive(t, sends)

		begun := time.Now()
		receive, err := m.Back(3000, 20_000)
		require.NoError(t, err)
		require.Less(t, receive, since(begun)-20_000+1) // the wait is not in it
		require.NoError(t, m.l.send(header{purpose: call, seq: 3000, bytes: headerBytes}, 0))
		for h := (header{}); h.purpose != pong; {
			if h, err = m.l.receive(); err != stamps.ErrNothing {
				require.NoError(t, err)
				require.EqualValues(t, 3000, h.bytes)
			}
		}
		require.NoError(t, m.l.send(header{purpose: burst, seq: 7, bytes: 48}, 0))
		for range 7 {
			require.NoError(t, m.expect(oneWay))
		}
		_, _, err = m.There(0)
		require.NoError(t, err)
		m.l.received = 0
		require.ErrorIs(t, m.expect(oneWay), errLost) // no more than seven
		require.NoError(t, m.l.send(header{purpose: burst, seq: 1 << 31, bytes: 48}, 0))
		for range mostBurst {
			require.NoError(t, m.expect(oneWay))
		}
		require.ErrorIs(t, m.expect(oneWay), errLost) // however many are wanted
	}
}

// TestAllowance: bursts wait for as long as in any second there would be too many messages.
func TestAllowance(t *testing.T) {
	const rate, each = 2000, 50
	a := allowance{rate: rate / 2}
	var stop atomic.Bool
	var at []time.Time
	for range (rate/2 + rate/4) / each { // half of a second after those that are free at once
		a.wait(each, &stop)
		at = append(at, time.Now())
	}
	require.GreaterOrEqual(t, at[len(at)-1].Sub(at[0]), 240*time.Millisecond)
	for i := range at {
		n := 0
		for k := i; k < len(at) && at[k].Sub(at[i]) < time.Second; k++ {
			n += each
		}
		require.LessOrEqual(t, n, rate)
	}
	require.Less(t, at[rate/2/each-1].Sub(at[0]), at[len(at)-1].Sub(at[0])/2, "half of a second's are free at once")
	stop.Store(true)
	a.wait(1e9, &stop) // returns: the end is stopped
}

// TestLogP measures every parameter of messages over loopback, or says why it is not known.
func TestLogP(t *testing.T) {
	for _, p := range stamps.Protocol("").All() {
		for _, method := range Method("").All() {
			spec := Default()
			if spec.Protocol = p; method == Sweep {
				spec.Sizes = []int64{64, 1024}
			}
			out, err := LogP(context.Background(), spec, method, nil)
			require.NoError(t, err, "%s, %s", p, method)
			require.GreaterOrEqual(t, len(out.Sizes), 2)
			for _, z := range out.Sizes {
				require.True(t, z.RTT.OK() && z.RTT.Value > 0, "%s, %s, %d B: %+v", p, method, z.SizeBytes, z.RTT)
				require.True(t, z.Os.OK() != (z.Os.Reason != ""))
			}
		}
	}
	spec := Default()
	spec.Sizes = []int64{64}
	_, err := LogP(context.Background(), spec, PLogP, nil)
	require.ErrorContains(t, err, "sizes_bytes is [64], want none")
}
