package host

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/sim"
)

// blockSpec has MMX, SSE and a bus on which devices read in bursts of their own.
func blockSpec() Spec {
	s := testSpec()
	s.MMX = &Blocks{64, 800 * sim.Nanosecond}
	s.SSE = &Prefetched{Blocks{32, 400 * sim.Nanosecond}, 256}
	s.IORead = &Bursts{us, 512}
	return s
}

func TestRoutes(t *testing.T) {
	_, h := newHost(t, blockSpec(), Uncontended{})
	for _, tc := range []struct {
		by    Route
		words int
		want  sim.Duration
	}{
		{Words, 16, 1600 * sim.Nanosecond},
		{Combining, 16, 800 * sim.Nanosecond},
		{Combining, 11, 700 * sim.Nanosecond},
		{MMX, 16, 800 * sim.Nanosecond},
		{MMX, 31, 1600 * sim.Nanosecond}, // the second block is faster than 15 words
		{MMX, 3, 300 * sim.Nanosecond},
		{SSE, 8, 400 * sim.Nanosecond},
	} {
		require.Equal(t, tc.want, h.PIOWriteTime(tc.words, tc.by), "%d words by %v", tc.words, tc.by)
	}
	require.Equal(t, []Route{Words, Combining, MMX, SSE}, h.Spec().Routes())
}

func TestAbsentRoute(t *testing.T) {
	_, h := newHost(t, testSpec(), Uncontended{})
	require.NoError(t, h.Spec().Offers(Combining))
	require.EqualError(t, h.Spec().Offers(SSE), "the host does not store by sse, want one of: word, combining")
	require.Panics(t, func() { h.PIOWriteTime(1, MMX) })
}

// What is not in the cache is read first; SSE reads only what its prefetches do not cover.
func TestStoresFromMemory(t *testing.T) {
	for _, tc := range []struct {
		by         Route
		cold, warm float64 // µs for 1024 B: 10.24 µs to read them
	}{
		{Words, 25.6 + 10.24, 25.6},
		{Combining, 12.8 + 10.24, 12.8},
		{MMX, 12.8 + 10.24, 12.8},
		{SSE, 12.8 + 2.56, 12.8},
	} {
		e, h := newHost(t, blockSpec(), Uncontended{})
		space := NewSpace("s", &Frames{})
		a := space.Alloc(4096)
		var cold, warm sim.Duration
		h.Go("app", Application, func(c *Context) {
			c.PIOWriteFrom(space, a, 1024, tc.by)
			cold = sim.Duration(c.Now())
			c.PIOWriteFrom(space, a, 1024, tc.by)
			warm = sim.Duration(c.Now()) - cold
		})
		run(t, e)
		require.InDelta(t, tc.cold, cold.Us(), 1e-3, tc.by)
		require.InDelta(t, tc.warm, warm.Us(), 1e-3, tc.by)
		require.EqualValues(t, 512, h.Stats().Stored)
	}
}

// A combined word may overtake combined words before it, unless something lies between.
func TestCombinedStoresOvertake(t *testing.T) {
	e, h := newHost(t, blockSpec(), Uncontended{})
	h.Go("app", Application, func(c *Context) {
		require.Zero(t, c.PIOAnnounce(Combining))
		c.PIOWrite(6, Combining)
		require.Equal(t, 7, c.PIOAnnounce(Combining))
		c.PIOWrite(1000, Combining)
		require.Equal(t, 4*8, c.PIOAnnounce(Combining), "four lines are held back")
		require.Zero(t, c.PIOAnnounce(Words))
		c.PIOWrite(6, Combining)
		c.Fence()
		require.Zero(t, c.PIOAnnounce(Combining))
		c.PIOWrite(6, SSE)
		require.Zero(t, c.PIOAnnounce(Combining))
	})
	run(t, e)
	require.EqualValues(t, 7+32, h.Stats().Overtaken)
}

// A device's reads have their own transactions, its writes those of the bus: the time is the
// set-ups and the bytes, whatever the length.
func TestBurstsPerDirection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := blockSpec()
		s.IOSetup, s.IOBurst = us/4, 128
		n := rapid.IntRange(1, 1<<16).Draw(t, "bytes")
		reads := rapid.Bool().Draw(t, "reads")
		setup, burst := 0.25, 128
		if reads {
			setup, burst = 1, 512
		}
		e := sim.New(1)
		h := New(e, "h", &s, Uncontended{})
		var f sim.Flow
		var end sim.Time
		h.DMA(&f, reads, n, sim.Infinite, OnIOBus, call(func() { end = e.Now() }), 0, 0)
		if err := e.Run(sim.Never); err != nil {
			t.Fatal(err)
		}
		want := float64(n)/100 + setup*float64((n+burst-1)/burst)
		if d := end.Us() - want; d < -1e-3 || d > 1e-3 {
			t.Fatalf("%d B, reads %t: %v, want %.4f µs", n, reads, end, want)
		}
	})
}
