package clock_test

import (
	"testing"

	"github.com/sigview/sigview/clock"
	"github.com/stretchr/testify/require"
)

// pairOf returns a coordinator with its converter, at register 1000.
func pairOf(t *testing.T, estimator string, nodes int) (*clock.Coordinator, *clock.Converter) {
	p := protocol(estimator, nodes)
	own, err := clock.NewConverter(p, 0)
	require.NoError(t, err)
	own.Interpolate(1000)
	c, err := clock.NewCoordinator(p, own)
	require.NoError(t, err)
	return c, own
}

func TestCristianIsTheMidpointAndTwoTables(t *testing.T) {
	c, own := pairOf(t, clock.Cristian, 2)
	exchange := func(t0, received, t1 uint64) clock.Entry {
		q := c.Begin()
		c.Queried(1, t0)
		require.True(t, c.Replied(clock.Reply{Round: q.Round, Node: 1, Received: received, Sent: received}, t1))
		entries := c.End(t1 + 5)
		require.Len(t, entries, 1)
		require.NoError(t, own.Adopt(entries, t1+10))
		return entries[0]
	}
	e := exchange(2000, 52_051, 2101)
	require.EqualValues(t, 2050, e.Epoch)
	require.EqualValues(t, 50_000*4096+2048, e.Offset, "52051 less 2050.5")
	got, _ := own.Convert(1, 52_051)
	require.EqualValues(t, 2050*4096+2048, got, "no rate yet")

	// 10 ticks gained in a million: 10 ppm.
	e = exchange(1_002_000, 1_052_061, 1_002_101)
	require.EqualValues(t, 50_010*4096+2048, e.Offset)
	got, _ = own.Convert(1, 1_052_061+2_000_020)
	require.InDelta(t, (1_002_050.5+2_000_000)*4096, got, 2, "two million ticks on at 10 ppm")
}

func TestRepliesOutOfPlaceAreCounted(t *testing.T) {
	for _, estimator := range clock.Estimators() {
		c, _ := pairOf(t, estimator, 4)
		old := c.Begin()
		require.Equal(t, 3, c.Outstanding())
		for node := 1; node < 4; node++ {
			c.Queried(node, 2000)
		}
		r := clock.Reply{Round: old.Round, Node: 1, Received: 9010, Sent: 9015}
		require.True(t, c.Replied(r, 2100))
		require.False(t, c.Replied(r, 2100), "twice")
		require.Equal(t, 2, c.Outstanding())
		late := clock.Reply{Round: old.Round, Node: 2, Received: 9010, Sent: 9015}
		// Longer at the node than on the whole; Cristian's reply has one instant.
		absurd := clock.Reply{Round: old.Round, Node: 3, Received: 9015, Sent: 9010 + 4000}
		require.Equal(t, estimator == clock.Cristian, c.Replied(absurd, 2050))
		c.End(3000)
		require.Zero(t, c.Outstanding())

		q := c.Begin()
		require.Equal(t, old.Round+1, q.Round)
		c.Queried(2, 4000) // left over from the round before
		require.False(t, c.Replied(late, 4100))
		c.Queried(2, 5000)
		require.True(t, c.Replied(clock.Reply{Round: q.Round, Node: 2, Received: 12_010, Sent: 12_015}, 5100))
		require.False(t, c.Replied(clock.Reply{Round: q.Round, Node: 4}, 5100), "no such node")
		require.False(t, c.Replied(clock.Reply{Round: q.Round, Node: 0}, 5100), "node 0")
		require.False(t, c.Replied(clock.Reply{Round: q.Round, Node: 3}, 5100), "not asked")

		want := clock.Counts{Stale: 5, Absurd: 1, Lost: 2}
		if estimator == clock.Cristian {
			want = clock.Counts{Stale: 5, Absurd: 0, Lost: 1}
		}
		require.Equal(t, want, c.Counts())
		require.Panics(t, func() { c.Queried(4, 0) })
		require.Panics(t, func() { c.Queried(0, 0) })
	}
}

// TestLostRepliesWidenTheBoundOnly: every third reply of node 1 is lost, and
// for Filtered its published entry goes on with a wider bound.
func TestLostRepliesWidenTheBoundOnly(t *testing.T) {
	c, own := pairOf(t, clock.Filtered, 2)
	now := uint64(1000)
	const rate = 1.000_002 // the node's
	node := func(global uint64) uint64 { return 1e6 + uint64(float64(global)*rate) }
	var widths [2]uint64
	for round := range 60 {
		q := c.Begin()
		c.Queried(1, now)
		lost := round%3 == 2
		if !lost {
			r := clock.Reply{Round: q.Round, Node: 1, Received: node(now + 70), Sent: node(now + 170)}
			require.True(t, c.Replied(r, now+240))
		}
		entries := c.End(now + 500)
		require.Len(t, entries, 1)
		require.NoError(t, own.Adopt(entries, now+600))
		got, bound := own.Convert(1, node(now+600))
		if round > 10 {
			require.InDelta(t, float64(now+600), float64(got)/4096, 3)
			if lost {
				widths[1] += uint64(bound)
			} else {
				widths[0] += uint64(bound)
			}
		}
		for range 50 {
			now += 33_000_000
			own.Interpolate(now)
		}
	}
	require.EqualValues(t, 20, c.Counts().Lost)
	require.Greater(t, 2*widths[1], widths[0], "mean bound in rounds without and with a reply")
}

// TestUnexpectedRateWidensTheBound: a clock whose rate changes by more than was assumed has a
// wider bound after that.
func TestUnexpectedRateWidensTheBound(t *testing.T) {
	c, own := pairOf(t, clock.Filtered, 2)
	now, local := uint64(1000), 1e6
	var before, after int64
	for round := range 60 {
		q := c.Begin()
		c.Queried(1, now)
		r := clock.Reply{Round: q.Round, Node: 1, Received: uint64(local) + 70, Sent: uint64(local) + 170}
		require.True(t, c.Replied(r, now+240))
		require.NoError(t, own.Adopt(c.End(now+500), now+600))
		_, bound := own.Convert(1, uint64(local)+600)
		switch {
		case round == 39:
			before = bound
		case round > 40:
			after = max(after, bound)
		}
		for range 50 {
			now += 33_000_000
			local += 33_000_000
			if round >= 40 {
				local += 33 * 2 // 2 ppm
			}
			own.Interpolate(now)
		}
	}
	require.Greater(t, 2*after, 3*before)
}

// TestLongerRouteIsForgotten: when the way becomes 100 us longer, round trips
// exceed the old shortest one until two blocks of rounds have passed.
func TestLongerRouteIsForgotten(t *testing.T) {
	c, own := pairOf(t, clock.Cristian, 2)
	now, way := uint64(1000), uint64(70)
	var width [3]uint32
	for round := range 1300 {
		if round == 100 {
			way = 70 + 3300
		}
		q := c.Begin()
		c.Queried(1, now)
		require.True(t, c.Replied(clock.Reply{Round: q.Round, Node: 1, Received: now + way}, now+2*way))
		e := c.End(now + 2*way)
		require.NoError(t, own.Adopt(e, now+2*way))
		switch round {
		case 99:
			width[0] = e[0].Error
		case 101:
			width[1] = e[0].Error
		case 1299:
			width[2] = e[0].Error
		}
		now += 1_000_000_000
		own.Interpolate(now)
	}
	require.Greater(t, width[1], width[0]+3000*4096)
	require.Less(t, width[2], width[0]+100*4096)
}

// TestReplySentBeforeItWasReceived is of a node whose times cannot be.
func TestReplySentBeforeItWasReceived(t *testing.T) {
	c, _ := pairOf(t, clock.Filtered, 2)
	q := c.Begin()
	c.Queried(1, 1000)
	require.False(t, c.Replied(clock.Reply{Round: q.Round, Node: 1, Received: 5000, Sent: 4999}, 2000))
	require.EqualValues(t, 1, c.Counts().Absurd)
	require.True(t, c.Replied(clock.Reply{Round: q.Round, Node: 1, Received: 5000, Sent: 5000}, 2000))
}
