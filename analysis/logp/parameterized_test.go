package logp

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// machine answers as two processes whose parameters are known functions of size.
type machine struct {
	os, or, g func(n int) float64
	l         float64
	queue     int // messages that the sender's queue takes in o_s each
	noise     *rand.Rand
	asked     []int // sizes of round trips there
	waits     []float64
	trains    []int
	fail      error
}

func (m *machine) jitter(us float64) float64 {
	if m.noise != nil {
		us *= 1 + 0.05*m.noise.NormFloat64()
	}
	return us
}

func (m *machine) Train(bytes, n int) (sends, roundTrip float64, err error) {
	m.trains = append(m.trains, n)
	queued := min(n, m.queue)
	sends = float64(queued)*m.os(bytes) + float64(n-queued)*m.g(bytes)
	return sends, float64(n)*m.g(bytes) + 2*m.l + m.g(0), m.fail
}

func (m *machine) Ready(int) error { return m.fail }

func (m *machine) There(bytes int) (send, roundTrip float64, err error) {
	m.asked = append(m.asked, bytes)
	return m.jitter(m.os(bytes)), m.jitter(m.g(bytes) + 2*m.l + m.g(0)), m.fail
}

func (m *machine) Back(bytes int, wait float64) (float64, error) {
	m.waits = append(m.waits, wait/(m.g(bytes)+2*m.l+m.g(0)))
	return m.jitter(m.or(bytes)), m.fail
}

func linear(a, b float64) func(int) float64 {
	return func(n int) float64 { return a + float64(b*float64(n)) }
}

// TestParametersAreRecovered: of a machine whose parameters are lines, with any queue.
func TestParametersAreRecovered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(name string, lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		m := machine{l: f("L", 1, 1000), queue: rapid.IntRange(0, 100).Draw(t, "queue")}
		g0, slope := f("g0", 1, 50), f("slope", 0.001, 1)
		m.g, m.os, m.or = linear(g0, slope), linear(g0/3, slope/3), linear(g0/2, slope/2)
		p, err := Published().Measure(&m, 0)
		require.NoError(t, err)
		require.InEpsilon(t, g0, p.G0.Value, 0.011+float64(m.queue)/float64(p.Trains[len(p.Trains)-1]))
		off := g0 - p.G0.Value // the queue's part
		require.InDelta(t, m.l+off, p.L.Value, 1e-6)
		require.Len(t, p.Sizes, 20, "lines need no further sizes")
		for _, s := range p.Sizes {
			require.InDelta(t, m.g(s.Bytes)-off, s.G.Value, 1e-6*s.G.Value)
			require.InDelta(t, m.os(s.Bytes), s.Os.Value, 1e-9*s.Os.Value)
			require.InDelta(t, m.or(s.Bytes), s.Or.Value, 1e-9*s.Or.Value)
			require.Equal(t, 3, s.Rounds)
		}
		for _, w := range m.waits {
			require.InDelta(t, 1.2, w, 1e-9)
		}
		one := p.LogP()
		require.InDelta(t, p.L.Value+p.Sizes[1].G.Value-m.os(1)-m.or(1), one.L.Value, 1e-6)
	})
}

// TestTrainsDouble: until the gap settles and the train is a hundred round trips long.
func TestTrainsDouble(t *testing.T) {
	m := machine{os: linear(1, 0), or: linear(1, 0), g: linear(1, 0.1), l: 100}
	p, err := Published().Measure(&m, 0)
	require.NoError(t, err)
	n := 10
	for 0.01*(float64(n)+201) <= 202 {
		n *= 2
	}
	require.Equal(t, n, p.Trains[len(p.Trains)-1])
	require.Equal(t, []int{1, 10, 20, 40}, m.trains[:4])

	m.queue, m.trains = 300, nil
	g, err := Published().Saturate(&m, 64)
	require.NoError(t, err)
	require.InEpsilon(t, 7.4, g.Value, 0.1)
	require.Less(t, g.Value, 7.4, "the queue's part is missed")
	s := Published()
	s.ShortTrains, m.trains = true, nil
	g, err = s.Saturate(&m, 64)
	require.NoError(t, err)
	require.InDelta(t, 1, g.Value, 1e-9, "a queue that takes the first trains hides the gap")
	require.Equal(t, []int{1, 10, 20}, m.trains)
}

// TestSizesBetweenAreMeasuredAtAStep: and only near it.
func TestSizesBetweenAreMeasuredAtAStep(t *testing.T) {
	const at = 5000
	m := machine{os: linear(1, 0), or: linear(1, 0), l: 20, g: func(n int) float64 {
		if n >= at {
			return 60 + 0.01*float64(n)
		}
		return 10 + 0.01*float64(n)
	}}
	p, err := Published().Measure(&m, 0)
	require.NoError(t, err)
	var between []int
	for _, s := range p.Sizes {
		if s.Bytes&(s.Bytes-1) != 0 {
			between = append(between, s.Bytes)
		}
	}
	require.NotEmpty(t, between)
	nearest := math.Inf(1)
	for _, n := range between {
		require.True(t, n > 4096 && n < 16384, "%d", n)
		nearest = min(nearest, math.Abs(float64(n-at)))
	}
	require.LessOrEqual(t, nearest, 0.01*at+32)
	require.True(t, slices.IsSortedFunc(p.Sizes, func(a, b Sized) int { return a.Bytes - b.Bytes }))
}

// TestSizesGoOnUntilTheGapIsALine: or to the largest allowed.
func TestSizesGoOnUntilTheGapIsALine(t *testing.T) {
	m := machine{os: linear(1, 0), or: linear(1, 0), l: 20, g: func(n int) float64 {
		return 10 + 0.01*float64(n) + 0.02*max(0, float64(n-100_000))
	}}
	p, err := Published().Measure(&m, 0)
	require.NoError(t, err)
	require.Equal(t, 1<<19, p.Sizes[len(p.Sizes)-1].Bytes, "the kink lies below 2^17")
	m.g = func(n int) float64 { return 10 + float64(n)*float64(n) }
	s := Published()
	s.Exponent, s.MostExponent = 4, 6
	p, err = s.Measure(&m, 0)
	require.NoError(t, err)
	require.Equal(t, 64, p.Sizes[len(p.Sizes)-1].Bytes)
	require.Contains(t, p.Warnings, "g(m) still departs from a line at 64 B")
}

// TestRoundsAreBounded: noise that a mean never averages out ends at the published bounds.
func TestRoundsAreBounded(t *testing.T) {
	m := machine{os: linear(1, 0.1), or: linear(1, 0.1), g: linear(2, 0.1), l: 20, noise: rand.New(rand.NewPCG(1, 2))}
	s := Published()
	s.Epsilon = 0.001
	p, err := s.Measure(&m, 0)
	require.NoError(t, err)
	for _, z := range p.Sizes {
		if want := 60; z.Bytes <= 1024 {
			require.Equal(t, want, z.Rounds, "%d B", z.Bytes)
			require.True(t, z.RTT.Capped)
		} else {
			require.Equal(t, 15, z.Rounds, "%d B", z.Bytes)
		}
	}
}

// TestShortestMessage: sizes that a layer cannot send are not asked for.
func TestShortestMessage(t *testing.T) {
	m := machine{os: linear(1, 0.1), or: linear(1, 0.1), g: linear(2, 0.1), l: 20}
	p, err := Published().Measure(&m, 3)
	require.NoError(t, err)
	require.Equal(t, []int{0, 4, 8}, []int{p.Sizes[0].Bytes, p.Sizes[1].Bytes, p.Sizes[2].Bytes})
	require.NotContains(t, m.asked, 1)
	m.fail = errors.New("lost")
	_, err = Published().Measure(&m, 0)
	require.ErrorIs(t, err, m.fail)
}
