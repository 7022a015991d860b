package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// TestMonitored: each packet of a message is measured once at every stage, over LFC and
// over TCP.
func TestMonitored(t *testing.T) {
	const messages, bytes = 30, 3000
	for place, packets := range map[int]int{3: 3, 4: 1} {
		r := bed(t, place, 2, bytes, func(s *cluster.Spec) {
			p := *s.Profile
			p.Clock.WarmRounds = 8
			s.Profile = &p
			s.Build, s.Trace, s.Kinds, s.Round = monitor.Full, monitor.TracePackets, []trace.Kind{trace.Message}, 20*sim.Millisecond
		})
		require.NoError(t, r.Warm())
		r.Record()
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
		quiet(t, r)
		s, err := r.Histograms()
		require.NoError(t, err)
		for stage := range trace.NumStages {
			m, err := s.Moments(histo.Query{Stage: stage})
			require.NoError(t, err)
			require.EqualValues(t, packets*messages, m.Count, "%v of %s", stage, places[place].over)
		}
	}
}
