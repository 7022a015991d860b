package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// TestMonitored: each packet of a message is measured once at every stage, over LFC and
// over TCP.
func TestMonitored(t *testing.T) {
	const messages, bytes = 30, 3000
	for place, packets := range map[int]int{3: 3, 4: 1} {
		r := bed(t, place, 2, bytes, testbed.Monitored, func(s *cluster.Spec) { s.Profile.Clock.WarmRounds = 8 })
		got := r.Measured(func() {
			r.Go(func(c *host.Context, p *testbed.Process) {
				at := p.Endpoint.Buffer(bytes)
				for range messages {
					must(p.Endpoint.Send(c, 1, at, bytes, message))
					c.Spend(20 * sim.Millisecond)
				}
			}, func(c *host.Context, p *testbed.Process) {
				at := p.Endpoint.Buffer(bytes)
				for range messages {
					_, err := p.Endpoint.Receive(c, 0, at, bytes)
					must(err)
				}
			})
		})
		quiet(t, r)
		require.Equal(t, testbed.EachStage(packets*messages), got, places[place].over)
	}
}
