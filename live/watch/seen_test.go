package watch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// TestWindowsComeBeforeNagle: a message that met Nagle's algorithm and a full window waited for the window, as those of a bulk
// transfer do, whose calls leave small tails.
func TestWindowsComeBeforeNagle(t *testing.T) {
	for why, want := range map[uint32][]trace.Cause{
		heldByNagle:              {trace.HeldByNagle},
		heldByNagle | 4:          {trace.HeldByWindow},
		heldByNagle | 8:          {trace.HeldByCongestion},
		heldByNagle | moved | 16: {trace.HeldByNagle, trace.HeldByCork},
	} {
		var s seen
		m := &sample{At: [5]uint64{1, 901}, Why: why}
		countHeld(s.of(m), m)
		var got []trace.Cause
		for _, o := range s.rows(nil) {
			got = append(got, o.What)
			require.EqualValues(t, 900, o.MeanNs)
		}
		require.ElementsMatch(t, want, got, why)
	}
}
