package gm_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/gm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// both returns the parts of the processes' ports for low and high priority.
func both(t testbed.T, r *testbed.Test, most int) (parts [][2]*gm.Endpoint) {
	high := make([]comm.Endpoint, len(r.Procs))
	for i, p := range r.Procs {
		low := p.Endpoint.(*gm.Endpoint)
		parts = append(parts, [2]*gm.Endpoint{low, low.High()})
		high[i] = low.High()
	}
	if err := comm.Connect(high, most); err != nil {
		t.Fatalf("%v", err)
	}
	return parts
}

// TestPriorities: two processes that both send messages of both priorities before they receive
// get all of them once, in order for each priority, whatever the network loses.
func TestPriorities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tokens := rapid.SampledFrom([]int{1, 2, 61})
		r := testbed.New(t, on, "gm", 2, 64, few(tokens.Draw(t, "send"), tokens.Draw(t, "receive")))
		parts := both(t, r, 64)
		disturb(r, t)
		which := rapid.SliceOfN(rapid.IntRange(0, 1), 0, 60).Draw(t, "priorities")
		side := func(c *host.Context, p *testbed.Process) {
			mine, sent := parts[p.Number], [2]int{}
			for _, k := range which {
				testbed.SendNumbers(t, c, mine[k], 1-p.Number, sent[k], 1)
				sent[k]++
			}
			for k := range mine {
				testbed.ReceiveNumbers(t, c, mine[k], 1-p.Number, 0, sent[k])
			}
		}
		r.Go(side, side)
		require.Zero(t, r.Lost())
		require.True(t, r.Nodes[0].Layer.Quiet() && r.Nodes[1].Layer.Quiet())
	})
}

// TestHighPasses: messages of high priority pass those of low priority that find no token, also
// when these hold every send buffer that they may.
func TestHighPasses(t *testing.T) {
	const tokens = 30
	r := testbed.New(t, on, "gm", 2, 64, few(61, tokens))
	parts := both(t, r, 64)
	r.Go(func(c *host.Context, _ *testbed.Process) {
		testbed.SendNumbers(t, c, parts[0][0], 1, 0, 2*tokens)
		testbed.SendNumbers(t, c, parts[0][1], 1, 0, tokens)
	}, func(c *host.Context, _ *testbed.Process) {
		c.Sleep(20 * sim.Millisecond)
		require.Equal(t, tokens, parts[1][0].Poll(c))
		require.Equal(t, tokens, parts[1][1].Poll(c))
		testbed.ReceiveNumbers(t, c, parts[1][1], 0, 0, tokens)
		testbed.ReceiveNumbers(t, c, parts[1][0], 0, 0, 2*tokens)
	})
	require.NotZero(t, r.Count(1, "no token"))
	require.Zero(t, r.Lost())
}
