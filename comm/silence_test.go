package comm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// TestSilence: a layer that repairs losses names the peer that does not answer and how often it has sent
// again, until it gives up; then it counts a loss. It says nothing of a peer that answers in the end, and
// layers that repair nothing name nobody.
func TestSilence(t *testing.T) {
	tries := map[string]int{"amii": 9, "gm": 100, "grim": 100, "mpi": 15, "rpc": 6, "tcp": 15, "verbs": 8, "vmmc": 100}
	for _, at := range layers {
		t.Run(at.layer+" on "+at.on, func(t *testing.T) {
			r := testbed.New(t, at.on, at.layer, 2, 100)
			if r.Nodes[0].Layer.Traits().Errors != "Tolerated" {
				require.Empty(t, silence(r, 1<<60))
				return
			}
			require.Equal(t, []comm.Silence{{Peer: 1, Again: tries[at.layer], GivenUp: true}}, silence(r, 1<<60))
			require.NotZero(t, r.Lost())
			r = testbed.New(t, at.on, at.layer, 2, 100)
			require.Empty(t, silence(r, 3))
			require.Zero(t, r.Lost())
			require.NotZero(t, r.Net.Stats().Dropped)
		})
	}
}

// silence sends a message of which the network loses all packets, at first. It lets the layer do what
// it can and returns who is silent then.
func silence(r *testbed.Test, lost uint64) []comm.Silence {
	r.Net.DropWhen(func(*fabric.Packet) bool { return r.Net.Stats().Dropped < lost })
	ended := r.Start(testbed.On(0, func(c *host.Context) {
		e := r.Endpoint(0)
		r.Keep(e.Send(c, 1, e.Buffer(100), 100, trace.Meta{Kind: trace.Message}))
		if q, ok := e.(comm.Requester); ok {
			drain(c, q)
		}
	}), testbed.On(1, func(c *host.Context) {
		for r.Engine.Now() < sim.Time(3000*sim.Second) {
			r.Endpoint(1).Poll(c)
			c.Sleep(sim.Second)
		}
	}))
	r.Keep(r.Engine.RunUntil(ended))
	return r.Nodes[0].Layer.Silent()
}
