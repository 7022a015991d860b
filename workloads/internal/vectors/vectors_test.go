package vectors

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/sim"
)

// TestSums: vectors added one after another are the sum that is found without them, and any part that is elsewhere,
// missing or there twice is not.
func TestSums(t *testing.T) {
	const nodes, elements = 5, 20_000
	v := New(sim.NewStream(1, "vectors"), nodes, 2)
	sum := make([]byte, elements*ElementBytes)
	for node := range nodes {
		if node%2 == 0 {
			v.Add(sum, 1, node, 100)
			continue
		}
		b := make([]byte, len(sum))
		v.Fill(b, 1, node, 100)
		Plus(sum, b)
	}
	require.NoError(t, v.Differs(sum, v.Total(1), 100))
	require.Error(t, v.Differs(sum, v.Total(0), 100))
	require.Error(t, v.Differs(sum, v.Total(1), 101))
	require.Error(t, v.Differs(sum[4096:], v.Total(1), 100))
	v.Add(sum[40_000:40_004], 1, 3, 100+10_000)
	require.ErrorContains(t, v.Differs(sum, v.Total(1), 100), "element 10100 is")
}
