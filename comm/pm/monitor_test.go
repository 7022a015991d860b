package pm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// TestMonitored: with the whole monitor in SRAM everything fits, each message
// is measured once, and one that was rejected is not measured at its second
// arrival.
func TestMonitored(t *testing.T) {
	const messages = 100
	for _, slow := range []sim.Duration{0, 10 * sim.Millisecond} {
		r := testbed.New(t, "ppro", "pm", 2, 0, buffers(4), testbed.Monitored)
		got := r.Measured(func() { r.Numbers(messages, slow) })
		require.Equal(t, slow > 0, r.Count(0, "repeated") > 0)
		want := testbed.EachStage(messages)
		if slow > 0 {
			for stage := range want {
				if s := trace.Stage(stage); s != trace.Source && s != trace.LANai {
					require.Less(t, got[s], want[s], "%v", s)
					want[s] = got[s]
				}
			}
		}
		require.Equal(t, want, got)
	}
}
