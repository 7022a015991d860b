package firmware

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// onProcessor runs f as the handler of the program's timer.
func (x *end) onProcessor(c *host.Context, f func()) {
	x.timer = f
	x.program.NIC().SetTimer(c.Now())
	c.Sleep(100 * us)
}

// TestKeptPackets: kept packets hold their send buffers until they are
// forgotten, and go again with what they carried.
func TestKeptPackets(t *testing.T) {
	r := newRig(t, nil)
	x, y := r.ends[0], r.ends[1]
	post := func(c *host.Context, text string) {
		q := x.message(100, false, text)
		q.Keep = true
		x.program.Post(c, q, us, host.Words)
		c.Sleep(100 * us)
	}
	r.run(t, 0, func(c *host.Context) {
		for _, text := range []string{"a", "b", "c"} {
			post(c, text)
		}
		require.Len(t, y.landed, 2, "there are two send buffers")
		require.False(t, x.program.Quiet())
		require.True(t, x.program.Settled())

		x.onProcessor(c, func() {
			x.program.Again(1, func(h *fabric.Header) { h.Seq = 7 })
			x.program.Forget(1) // while it waits for the S engine
			require.Panics(t, func() { x.program.Forget(1) })
			require.Panics(t, func() { x.program.Again(1, nil) })
			require.False(t, x.program.Settled())
		})
		require.Len(t, y.landed, 4, "the third has the second one's buffer")
		require.Equal(t, "b", y.landed[2].data[:1])
		require.Equal(t, "c", y.landed[3].data[:1])
		x.onProcessor(c, func() {
			x.program.Forget(0)
			x.program.Forget(1)
		})
	})
	require.True(t, x.program.Quiet())
	require.EqualValues(t, 1, x.program.Stats().Repeated)
	require.EqualValues(t, 3, x.program.Stats().Packets)
	require.Zero(t, r.net.InUse())
}

// TestQueues: requests of a queue that is not in use wait, and its kept packets
// leave their buffers to the other one.
func TestQueues(t *testing.T) {
	r := newRig(t, nil)
	x, y := r.ends[0], r.ends[1]
	var first, second Queue
	x.program.Use(&first)
	post := func(c *host.Context, q *Queue, text string) {
		m := x.message(1000, false, text)
		m.Keep = true
		m.In(q)
		x.program.Post(c, m, us, host.Words)
	}
	r.run(t, 0, func(c *host.Context) {
		post(c, &first, "a")
		post(c, &second, "x")
		post(c, &first, "b")
		c.Sleep(5 * us)
		require.Panics(t, func() { x.program.Use(&second) }, "packets are on their way out")
		c.Sleep(100 * us)
		require.Len(t, y.landed, 2)
		require.False(t, second.Quiet())
		x.onProcessor(c, func() { x.program.Use(&second) })
		require.Len(t, y.landed, 3)
		require.Equal(t, "x", y.landed[2].data[:1])
		require.False(t, first.Quiet(), "two packets are kept")

		for range 4 {
			post(c, &first, "c")
		}
		require.True(t, x.program.Full(&first))
		require.False(t, x.program.Full(&second))
		x.onProcessor(c, func() {
			x.program.Forget(2)
			x.program.Use(&first)
		})
		require.Len(t, y.landed, 3, "both buffers are taken again")
		require.True(t, second.Quiet())
		x.onProcessor(c, func() { x.program.Forget(0) })
		require.Len(t, y.landed, 4)
	})
}
