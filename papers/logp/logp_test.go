package logp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
)

// planted is a signature whose cost is o up to a knee and tends to g.
func planted(o, g float64, knee int) (s measure.Found) {
	for m := 1; m <= 1024; m *= 2 {
		us := o
		if m > knee {
			us = g - (g-o)*float64(knee)/float64(m)
		}
		s.Points = append(s.Points, logp.Point{M: m, Cost: logp.Mean{Value: us, Lo: us, Hi: us, N: 4}})
	}
	s.Result = logp.Signature{Points: s.Points}.Extract()
	return s
}

func TestRegimesOfAShape(t *testing.T) {
	n, text := regimes(planted(2, 12, 14))
	require.Equal(t, 3, n, text)
	n, text = regimes(planted(2, 2, 14))
	require.Equal(t, 1, n, text)
}

func TestTwoDigits(t *testing.T) {
	require.True(t, twoDigits(12.43, 12.4))
	require.True(t, twoDigits(1.61, 1.6))
	require.False(t, twoDigits(1.75, 1.6))
	require.False(t, twoDigits(13.5, 12.4))
}

func TestConfidenceOfAnInterval(t *testing.T) {
	require.InDelta(t, 95, confidence(session{}, 1).Value, 0.01)
	require.Less(t, confidence(session{}, 0.9).Value, 94.0)
}

func TestLinesThroughTimes(t *testing.T) {
	var points logp.Bulk
	for n := 8; n <= 4096; n *= 2 {
		us := 20 + float64(n)/40
		points = append(points, logp.BulkPoint{SizeBytes: n, T: logp.Mean{Value: us, Lo: us, Hi: us, N: 4}})
	}
	require.True(t, onLine(points.Extract()).Holds)
	points[9].T.Value *= 1.5
	points[9].T.Lo, points[9].T.Hi = points[9].T.Value, points[9].T.Value
	require.False(t, onLine(points.Extract()).Holds)
}

// TestChangesMakeMachines that can be built, wherever a row uses them.
func TestChangesMakeMachines(t *testing.T) {
	trip := func(name string, c change) (us float64, err error) {
		s := session{seed: 1, known: judge.Memory{}}.with(c)
		m, err := s.measure(func(s session) judge.Measured {
			return calls(s, name, 2, 0, func(t *testbed.Calls) judge.Measured { return value(t.RoundTrip(0, 1, tripsPerPair), "") })
		})(t.Context())
		return m.Value, err
	}
	for o := range overlays {
		name := myrinet
		switch o {
		case string(fastWords), "a 40 MHz bus, the main processor unchanged", "words that cost bus cycles only", "data copied into a pinned area":
			name = meiko
		case "library times in proportion to the clock":
			name = meiko50
		case "no second-level cache controller", "a 25 MHz SBus":
			name = myrinet10
		case "a wire at a tenth of its rate":
			name = sunRPC
		}
		us, err := trip(name, change(o))
		require.NoError(t, err, "%s on %s", o, name)
		require.Positive(t, us, "%s on %s", o, name)
	}
	_, err := trip(myrinet, "no such")
	require.ErrorContains(t, err, "no such")
}
