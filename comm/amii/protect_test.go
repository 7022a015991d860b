package amii_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/amii"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// TestProcessesApart: two programs share the nodes' interfaces and CPUs; each
// gets its own messages only.
func TestProcessesApart(t *testing.T) {
	const messages, bytes = 300, 500
	r := testbed.New(t, "ppro", "amii", 2, 4096)
	programs := [2][]comm.Endpoint{{r.Procs[0].Endpoint, r.Procs[1].Endpoint}}
	for i, n := range r.Nodes {
		e, err := n.Layer.Open(host.NewSpace(fmt.Sprintf("other%d", i), n.Frames), 1)
		require.NoError(t, err)
		programs[1] = append(programs[1], e)
	}
	require.NoError(t, comm.Connect(programs[1], 4096))
	left := 4
	for k, peers := range programs {
		seed := uint64(1000 * k)
		r.Nodes[0].Host.Go("sender", host.Application, func(c *host.Context) {
			e := peers[0].(*amii.Endpoint)
			out := e.Buffer(bytes)
			for i := range messages {
				e.Space().WriteAt(out, testbed.Pattern(seed+uint64(i), bytes))
				must(e.Send(c, 1, out, bytes, trace.Meta{Kind: trace.Message}))
			}
			drain(c, e)
			left--
		})
		r.Nodes[1].Host.Go("receiver", host.Application, func(c *host.Context) {
			e := peers[1].(*amii.Endpoint)
			in := e.Buffer(bytes)
			for i := range messages {
				got, err := e.Receive(c, comm.Anyone, in, bytes)
				must(err)
				data := make([]byte, got.Bytes)
				e.Space().ReadAt(in, data)
				require.Equal(t, testbed.Pattern(seed+uint64(i), bytes), data, "program %d", k)
			}
			left--
			for left > 0 {
				if e.Poll(c) == 0 {
					c.Spend(100_000_000)
				}
			}
		})
	}
	require.NoError(t, r.Engine.RunUntil(func() bool { return left == 0 }))
	require.Zero(t, r.Lost())
	require.Zero(t, count(r, "wrong key"))
}

// TestWrongKey: a request with a key that is not its endpoint's is refused and
// counted, and touches nothing.
func TestWrongKey(t *testing.T) {
	r := testbed.New(t, "ppro", "amii", 2, 4096)
	handled := 0
	requester(r.Procs[1]).Handle(0, func(*host.Context, comm.Call) [4]uint32 { handled++; return [4]uint32{} })
	at := r.Procs[1].Space.Alloc(4096)
	requester(r.Procs[0]).Forge(1, 1<<31)
	done := false
	r.Go(func(c *host.Context, p *testbed.Process) {
		from := p.Endpoint.Buffer(8)
		p.Space.Store32(from, 0xdead)
		must(requester(p).Store(c, 1, from, at, 8, 0, [4]uint32{}))
		drain(c, requester(p))
		done = true
	}, serve(requester(r.Procs[1]), &done))
	require.Zero(t, handled)
	require.Zero(t, r.Procs[1].Space.Load32(at))
	require.EqualValues(t, 10, r.Count(1, "wrong key"), "all tries")
	require.EqualValues(t, 1, r.Count(0, "returned"))
}

// TestForeignAddress: memory that the peer does not have is neither written nor
// read; the request returns at once.
func TestForeignAddress(t *testing.T) {
	r := testbed.New(t, "ppro", "amii", 2, 4096)
	done := false
	r.Go(func(c *host.Context, p *testbed.Process) {
		e := requester(p)
		buf := e.Buffer(4096)
		must(e.Store(c, 1, buf, 1<<40, 100, 0, [4]uint32{}))
		drain(c, e)
		require.ErrorContains(t, e.Get(c, 1, 1<<40, buf, 100, 0, [4]uint32{}), "refused")
		must(e.Get(c, 1, 1<<40, buf, 100, 0, [4]uint32{}))
		drain(c, e)
		require.ErrorContains(t, e.Request(c, 1, 0, [4]uint32{}), "refused")
		must(e.Request(c, 1, 0, [4]uint32{}))
		drain(c, e)
		done = true
	}, serve(requester(r.Procs[1]), &done))
	require.EqualValues(t, 2, r.Count(1, "refused"))
	require.EqualValues(t, 2, r.Count(0, "returned"))
	require.Zero(t, count(r, "repeated"))
}

// TestBadCalls: what a program may not ask for is an error, and takes nothing.
func TestBadCalls(t *testing.T) {
	r := testbed.New(t, "ppro", "amii", 3, 4096)
	stranger, err := r.Nodes[0].Layer.Open(r.Procs[0].Space, 0)
	require.NoError(t, err)
	r.Go(func(c *host.Context, p *testbed.Process) {
		e := requester(p)
		buf := e.Buffer(8192)
		require.ErrorContains(t, e.Send(c, 0, buf, 8, trace.Meta{}), "node 0: peer is node 0, want another one of 3")
		require.ErrorContains(t, e.Send(c, 3, buf, 8, trace.Meta{}), "peer is node 3")
		require.ErrorContains(t, e.Send(c, 1, buf, 4097, trace.Meta{}), "message of 4097 B, want 0 to 4096")
		require.ErrorContains(t, e.Send(c, 1, 1<<40, 8, trace.Meta{}), "not all allocated")
		require.ErrorContains(t, e.Get(c, 1, buf, 1<<40, 8, 0, [4]uint32{}), "not all allocated")
		_, err := e.Receive(c, 1, 0, 8)
		require.ErrorContains(t, err, "receive of 8 B at 0x0, which is not all allocated")
		require.ErrorContains(t, stranger.Send(c, 1, buf, 8, trace.Meta{}), "no connection to node 1")
	})
	for _, p := range r.Procs {
		require.True(t, p.Node.Layer.Quiet())
	}
	require.Zero(t, stranger.(*amii.Endpoint).Outstanding())
}
