package comm_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// TestMisuse: what cannot be is an error that names the layer, takes nothing and
// leaves the endpoint as it was.
func TestMisuse(t *testing.T) {
	const most = 1024
	for _, l := range layers {
		t.Run(l.layer+" on "+l.on, func(t *testing.T) {
			r := testbed.New(t, l.on, l.layer, 2, most)
			r.Go(func(c *host.Context, p *testbed.Process) {
				e := p.Endpoint
				at := e.Buffer(most)
				refused(t, c, e, at)
				q, asks := e.(comm.Requester)
				if asks {
					badRequests(t, c, q, at)
				}
				p.Space.WriteAt(at, []byte("a message"))
				require.NoError(t, e.Send(c, 1, at, 9, trace.Meta{Kind: trace.Message}))
				for asks && q.Outstanding() > 0 {
					q.Wait(c)
				}
			}, func(c *host.Context, p *testbed.Process) {
				into := p.Space.Alloc(9)
				m, err := p.Endpoint.Receive(c, 0, into, 9)
				require.NoError(t, err)
				require.Equal(t, comm.Message{From: 0, Bytes: 9, At: into}, m)
				b := make([]byte, 9)
				p.Space.ReadAt(into, b)
				require.Equal(t, "a message", string(b))
			})
			require.Zero(t, r.Lost())
			require.True(t, r.Nodes[0].Layer.Quiet())
		})
	}
}

// nowhere is an address that no test allocates.
const nowhere host.Addr = 1 << 40

func refused(t *testing.T, c *host.Context, e comm.Endpoint, at host.Addr) {
	name, data := e.Traits().Name, trace.Meta{}
	require.NotZero(t, e.Buffer(0))
	require.NotZero(t, e.Buffer(-5))
	begin := c.Now()
	for i, err := range []error{
		e.Send(c, 0, at, 8, data),
		e.Send(c, -1, at, 8, data),
		e.Send(c, 2, at, 8, data),
		e.Send(c, 1, at, -1, data),
		e.Send(c, 1, nowhere, 8, data),
		e.Send(c, 1, 0, 8, data),
		e.Send(c, 1, at, min(1<<40, math.MaxInt), data),
		e.Send(c, 1, at, 8, trace.Meta{Kind: trace.Ack}),
		e.Send(c, 1, at, 8, trace.Meta{Kind: trace.NumKinds}),
		received(e.Receive(c, 0, at, 8)),
		received(e.Receive(c, 2, at, 8)),
		received(e.Receive(c, -2, at, 8)),
		received(e.Receive(c, 1, at, -1)),
		received(e.Receive(c, 1, nowhere, 8)),
		received(e.Receive(c, 1, at, min(1<<40, math.MaxInt))),
	} {
		require.ErrorContains(t, err, name+": node 0: ", "call %d", i)
	}
	if e.Traits().PostFrom > 0 || e.Traits().Posts {
		require.Error(t, e.Post(c, 1, nowhere, 1000))
		require.Error(t, e.Post(c, 5, at, 1000))
		require.Error(t, e.Post(c, 1, at, -1))
	}
	require.Equal(t, begin, c.Now(), "refusing takes no time")
}

func received(_ comm.Message, err error) error { return err }

func badRequests(t *testing.T, c *host.Context, q comm.Requester, at host.Addr) {
	var args [4]uint32
	for i, err := range []error{
		q.Request(c, 0, 1, args),
		q.Request(c, 2, 1, args),
		q.Store(c, 1, nowhere, at, 8, 1, args),
		q.Store(c, 1, at, at, -1, 1, args),
		q.Store(c, 1, at, at, min(1<<40, math.MaxInt), 1, args),
		q.Store(c, -1, at, at, 8, 1, args),
		q.Get(c, 1, at, nowhere, 8, 1, args),
		q.Get(c, 1, at, at, -1, 1, args),
		q.Get(c, 1, at, at, min(1<<40, math.MaxInt), 1, args),
		q.Get(c, 7, at, at, 8, 1, args),
	} {
		require.ErrorContains(t, err, q.Traits().Name+": node 0: ", "call %d", i)
	}
	require.Zero(t, q.Outstanding())
}
