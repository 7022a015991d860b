package pm_test

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

// TestMonitored: with the whole monitor in SRAM everything fits, each message
// is measured once, and one that was rejected is not measured at its second
// arrival.
func TestMonitored(t *testing.T) {
	const messages = 100
	for _, slow := range []bool{false, true} {
		r := testbed.New(t, "ppro", "pm", 2, 0, buffers(4), func(s *cluster.Spec) {
			s.Build, s.Trace, s.Kinds = monitor.Full, monitor.TracePackets, []trace.Kind{trace.Message}
			s.Profile.Clock.WarmRounds, s.Round = 2, 20*sim.Millisecond
		})
		require.NoError(t, r.Warm())
		r.Record()
		r.Go(
			func(c *host.Context, p *testbed.Process) { testbed.SendNumbers(t, c, p.Endpoint, 1, 0, messages) },
			func(c *host.Context, p *testbed.Process) {
				if slow {
					c.Sleep(10 * sim.Millisecond)
				}
				testbed.ReceiveNumbers(t, c, p.Endpoint, 0, 0, messages)
			})
		again := r.Count(0, "repeated")
		require.Equal(t, slow, again > 0)
		s, err := r.Histograms()
		require.NoError(t, err)
		for stage := range trace.NumStages {
			m, err := s.Moments(histo.Query{Stage: stage})
			require.NoError(t, err)
			if !slow || stage == trace.Source || stage == trace.LANai {
				require.EqualValues(t, messages, m.Count, "%v", stage)
			} else {
				require.Less(t, m.Count, uint64(messages), "%v", stage)
			}
		}
	}
}
