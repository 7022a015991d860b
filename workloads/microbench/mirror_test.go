package microbench_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/microbench"
)

// TestMirrorOnEveryLayer: trains and round trips of empty, short and long messages end,
// their parts fit into one another, and every message is counted.
func TestMirrorOnEveryLayer(t *testing.T) {
	everyLayer(t, func(t *testing.T, layer string) {
		c := clusterOf(t, layer, 2, 1)
		const long = 20_000
		pair, err := c.Pair(0, 1, long)
		require.NoError(t, err)
		traits := c.Nodes[0].Layer.Traits()
		require.NoError(t, pair.Mirrored(func(m *microbench.Mirror) error {
			for _, n := range []int{0, 64, long} {
				m.Used()
				require.NoError(t, m.Ready())
				send, roundTrip, err := m.There(n)
				require.NoError(t, err)
				require.Less(t, send, roundTrip)
				receive, err := m.Back(n, 3*roundTrip)
				require.NoError(t, err)
				if traits.Consumes {
					require.Positive(t, receive)
				}
				sends, whole, err := m.Train(n, 10)
				require.NoError(t, err)
				require.Less(t, sends, whole)
				require.Greater(t, whole, roundTrip)
				used, bytes := m.Used(), max(n, traits.MinBytes)
				require.Greater(t, used.Took, 4*roundTrip+whole)
				announced := 0
				if traits.PostFrom > 0 && n >= traits.PostFrom {
					announced = 11
				}
				require.EqualValues(t, 1+2+2+11+announced, used.Messages)
				require.EqualValues(t, 12*bytes+4*traits.MinBytes+4*announced, used.Bytes)
			}
			return nil
		}))
		require.Error(t, pair.Mirrored(func(m *microbench.Mirror) error {
			_, _, err := m.There(long + 1)
			return err
		}))
		stop := errors.New("enough")
		require.ErrorIs(t, pair.Mirrored(func(m *microbench.Mirror) error {
			_, err := m.Back(1, 11*sim.Second)
			require.ErrorContains(t, err, "a wait of")
			return stop
		}), stop, "the pair can be used again")
	})
}
