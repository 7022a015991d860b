package logp

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/testbed"
)

// planted is a signature whose cost is o up to a knee and tends to g.
func planted(o, g float64, knee int) shape {
	var s shape
	var points []logp.Point
	for m := 1; m <= 1024; m *= 2 {
		us := o
		if m > knee {
			us = g - (g-o)*float64(knee)/float64(m)
		}
		points = append(points, logp.Point{M: m, Cost: logp.Mean{Value: us, Lo: us, Hi: us, N: 4}})
	}
	s.points = points
	s.Result = logp.Signature{Points: points}.Extract()
	return s
}

func TestRegimesOfAShape(t *testing.T) {
	n, text := planted(2, 12, 14).regimes()
	require.Equal(t, 3, n, text)
	n, text = planted(2, 2, 14).regimes()
	require.Equal(t, 1, n, text)
	require.InDelta(t, 2, planted(2, 12, 14).cost(8), 1e-9)
	require.True(t, math.IsNaN(planted(2, 12, 14).cost(7)))
}

func TestTwoDigits(t *testing.T) {
	require.True(t, twoDigits(12.43, 12.4))
	require.True(t, twoDigits(1.61, 1.6))
	require.False(t, twoDigits(1.75, 1.6))
	require.False(t, twoDigits(13.5, 12.4))
}

func TestConfidenceOfAnInterval(t *testing.T) {
	require.InDelta(t, 95, confidence(1).Value, 0.01)
	require.Less(t, confidence(0.9).Value, 94.0)
}

func TestLinesThroughTimes(t *testing.T) {
	var points logp.Bulk
	for n := 8; n <= 4096; n *= 2 {
		us := 20 + float64(n)/40
		points = append(points, logp.BulkPoint{SizeBytes: n, T: logp.Mean{Value: us, Lo: us, Hi: us, N: 4}})
	}
	law := func(t0, rate, n float64) float64 { return t0 + n/rate }
	require.True(t, onLine(points.Extract(), law).Holds)
	points[9].T.Value *= 1.5
	points[9].T.Lo, points[9].T.Hi = points[9].T.Value, points[9].T.Value
	require.False(t, onLine(points.Extract(), law).Holds)
}

// TestChangesMakeMachines that can be built, wherever a row uses them.
func TestChangesMakeMachines(t *testing.T) {
	a := newAssessment(1)
	for o := range overlays {
		c := change(o)
		name := myrinet
		switch c {
		case fastWords, slowBusOnly, busWordsOnly, copied:
			name = meiko
		case clockedLibrary:
			name = meiko50
		case noController, fasterSBus:
			name = myrinet10
		case tenthWire:
			name = sunRPC
		}
		m, err := a.talking(machine{name, c}, 2, 0, func(t *testbed.Calls) judge.Measured {
			us := t.Trip(0, 1, tripsPerPair)
			return value(us, "")
		})(t.Context())
		require.NoError(t, err, "%s on %s", c, name)
		require.Positive(t, m.Value, "%s on %s", c, name)
	}
	_, err := a.subject(t.Context(), machine{myrinet, "no such"})
	require.ErrorContains(t, err, "no such")
}
