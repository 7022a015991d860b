package pm_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/pm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Remote writes of any size, among messages that find few buffers, leave what the same
// writes on a slice do, and are in memory before the messages that were sent after them.
func TestRemoteWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const size = 4 * mtu
		type write struct{ at, n, pause int }
		writes := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) write {
			n := rapid.IntRange(1, mtu).Draw(t, "bytes")
			return write{rapid.IntRange(0, size-n).Draw(t, "at"), n, rapid.IntRange(0, 30).Draw(t, "pause")}
		}), 1, 30).Draw(t, "writes")
		r := testbed.New(t, "ppro", "pm", 2, mtu, buffers(rapid.SampledFrom([]int{1, 2, 64}).Draw(t, "buffers")))
		a, b := r.Procs[0].Endpoint.(*pm.Endpoint), r.Procs[1].Endpoint
		far := b.Buffer(size)
		want, states := make([]byte, size), [][]byte{}
		for i, w := range writes {
			copy(want[w.at:], testbed.Pattern(uint64(i), w.n))
			states = append(states, append([]byte(nil), want...))
		}
		r.Go(func(c *host.Context, p *testbed.Process) {
			for i, w := range writes {
				from := p.Endpoint.Buffer(w.n)
				p.Space.WriteAt(from, testbed.Pattern(uint64(i), w.n))
				require.NoError(t, a.Write(c, 1, from, far+host.Addr(w.at), w.n, message))
				c.Spend(sim.Duration(w.pause) * sim.Microsecond)
			}
			testbed.SendNumbers(t, c, a, 1, 0, 3)
		}, func(c *host.Context, p *testbed.Process) {
			testbed.ReceiveNumbers(t, c, b, 0, 0, 3)
			got := make([]byte, size)
			p.Space.ReadAt(far, got)
			require.Equal(t, states[len(states)-1], got)
		})
		require.EqualValues(t, len(writes), r.Count(1, "written"))
		require.Zero(t, r.Lost())
		for _, n := range r.Nodes {
			require.True(t, n.Layer.Quiet())
		}
	})
}

// A write to a process that sleeps is in its memory.
func TestAWriteNeedsNoReceiver(t *testing.T) {
	r := testbed.New(t, "ppro", "pm", 2, mtu)
	a, far := r.Procs[0].Endpoint.(*pm.Endpoint), r.Procs[1].Endpoint.Buffer(4)
	var arrived uint32
	r.Go(func(c *host.Context, p *testbed.Process) {
		from := a.Buffer(4)
		p.Space.Store32(from, 77)
		require.NoError(t, a.Write(c, 1, from, far, 4, message))
		c.Sleep(12 * sim.Microsecond)
		arrived = r.Procs[1].Space.Load32(far)
	}, func(c *host.Context, _ *testbed.Process) { c.Sleep(sim.Second) })
	require.EqualValues(t, 77, arrived)
}

// A write outside of the receiver's pinned memory changes nothing and is counted, and the
// channel goes on. One without data is an error.
func TestWritesThatAreRefused(t *testing.T) {
	r := testbed.New(t, "ppro", "pm", 2, mtu)
	a, b := r.Procs[0].Endpoint.(*pm.Endpoint), r.Procs[1].Endpoint
	ordinary, pinned := r.Procs[1].Space.Alloc(4), b.Buffer(8)
	r.Go(func(c *host.Context, p *testbed.Process) {
		from := a.Buffer(16)
		p.Space.Store32(from, 5)
		require.ErrorContains(t, a.Write(c, 1, from, pinned, 0, message), "write of 0 B, want 1 to")
		require.ErrorContains(t, a.Write(c, 0, from, pinned, 4, trace.Meta{Kind: trace.Message}), "peer is node 0")
		require.NoError(t, a.Write(c, 1, from, ordinary, 4, message))
		require.NoError(t, a.Write(c, 1, from, pinned+4, 8, message))
		testbed.SendNumbers(t, c, a, 1, 0, 1)
	}, func(c *host.Context, p *testbed.Process) { testbed.ReceiveNumbers(t, c, b, 0, 0, 1) })
	require.Zero(t, r.Procs[1].Space.Load32(ordinary))
	require.Zero(t, r.Procs[1].Space.Load32(pinned+4))
	require.EqualValues(t, 2, r.Count(1, "refused"))
	for _, n := range r.Nodes {
		require.True(t, n.Layer.Quiet())
	}
}
