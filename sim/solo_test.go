package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// laterStep is what happens in a pool at a time: a flow starts, now or later, a capacity
// changes, or the statistics are read.
type laterStep struct {
	at, after Time
	kind      int
	bytes     int64
	limit     Rate
	uses      uint32
}

// play takes the steps and returns when flows end, and the statistics. No flow is alone in a
// pool with accounts.
func play(t require.TestingT, steps []laterStep, solo bool) (ends []Time, stats []CapacityStats) {
	e := New(1)
	p := NewPool(e, "pool", 1000, 700)
	if !solo {
		p.Account()
	}
	ends = make([]Time, len(steps))
	flows := make([]Flow, len(steps))
	read := func() {
		for i := range p.caps {
			stats = append(stats, p.Stats(i))
		}
	}
	for i, s := range steps {
		f := &flows[i]
		end := call(func() { ends[i] = e.Now() })
		start := call(func() { p.Start(f, s.bytes, s.limit, s.uses, end, 0, 0) })
		e.At(s.at, call(func() {
			switch {
			case s.kind == 0:
				p.SetCapacity(0, s.limit)
			case s.kind == 1:
				read()
			case s.kind == 2:
				start()
			case !p.StartLater(e.Now()+s.after, f, s.bytes, s.limit, s.uses, end, 0, 0):
				e.At(e.Now()+s.after, start, 0, 0)
			}
		}), 0, 0)
	}
	require.NoError(t, e.Run(Never))
	read()
	return ends, stats
}

// TestAlone: flows that are alone, at once or later, are like any others.
func TestAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := Time(0)
		var steps []laterStep
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			at += Time(2 * rapid.Int64Range(1, int64(100*Millisecond)).Draw(t, "wait")) // no flow starts at the time of a step
			steps = append(steps, laterStep{
				at: at, after: Time(2*rapid.Int64Range(0, int64(50*Millisecond)).Draw(t, "after") + 1), kind: rapid.IntRange(0, 9).Draw(t, "kind"),
				bytes: rapid.Int64Range(0, 200).Draw(t, "bytes"), limit: Rate(rapid.Int64Range(100, 1200).Draw(t, "limit")),
				uses: uint32(rapid.IntRange(1, 3).Draw(t, "uses")),
			})
		}
		ends, stats := play(t, steps, true)
		wantEnds, wantStats := play(t, steps, false)
		require.Equal(t, wantEnds, ends)
		require.Equal(t, wantStats, stats)
	})
}
