package clock_test

import (
	"math/big"
	"testing"

	"github.com/sigview/sigview/clock"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/sigview/sigview/check/testlong" // more cases in make test-long
)

// TestCountSurvivesTheWrapBetweenRounds: a 32-bit register at 33 MHz wraps
// every 130 s. Interpolations a second apart, or any that leave less than half
// of the range between them, keep the 64-bit count over rounds 300 s apart.
func TestCountSurvivesTheWrapBetweenRounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := protocol(clock.Cristian, 2)
		o, err := clock.NewOscillator(clock.Harsh(rapid.Uint64().Draw(t, "seed"), 1))
		require.NoError(t, err)
		c, err := clock.NewConverter(p, 1)
		require.NoError(t, err)
		c.Interpolate(o.Counter(0))
		base := o.Ticks(0) - o.Counter(0)
		var now int64
		for _, step := range rapid.SliceOfN(rapid.Int64Range(1, 60*secPs), 1, 30).Draw(t, "steps") {
			now += step
			c.Interpolate(o.Counter(now))
			near := max(0, now+rapid.Int64Range(-60*secPs, 60*secPs).Draw(t, "near"))
			require.Equal(t, o.Ticks(near)-base, c.Extend(o.Counter(near)))
		}
	})
}

// TestCountBeginsWithTheFirstReply: the register may wrap between a node's first reply and its
// first interpolation.
func TestCountBeginsWithTheFirstReply(t *testing.T) {
	c, err := clock.NewConverter(protocol(clock.Filtered, 2), 1)
	require.NoError(t, err)
	require.EqualValues(t, int64(1<<32-7), c.Reply(clock.Query{Round: 1}, 1<<32-7).Received)
	require.EqualValues(t, int64(1<<32+5), c.Reply(clock.Query{Round: 2}, 5).Received)
	c.Interpolate(9)
	require.EqualValues(t, int64(1<<32+10), c.Extend(10))
}

// TestConvertFollowsItsTable compares the fixed-point conversion with the
// table's parabola, solved in rationals.
func TestConvertFollowsItsTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := protocol(clock.Filtered, 3)
		entry := func(node uint32) clock.Entry {
			return clock.Entry{
				Node: node, Epoch: rapid.Uint64Range(1e9, 2e9).Draw(t, "epoch"),
				Offset: rapid.Int64Range(-1e12, 1e15).Draw(t, "offset"),
				Rate:   rapid.Int64Range(-1<<43, 1<<43).Draw(t, "rate"),          // 122 ppm
				Bend:   rapid.Int64Range(-1<<18, 1<<18).Draw(t, "bend"),          // 0.1 ppb/s
				Error:  7, Error1: rapid.Uint64Range(0, 1<<40).Draw(t, "growth"), // 15 ppm
			}
		}
		entries := []clock.Entry{entry(1), entry(2)}
		local := func(e clock.Entry, global int64) uint64 {
			return new(big.Int).Add(big.NewInt(global), floor(offsetAt(e, global))).Uint64()
		}
		c, err := clock.NewConverter(p, 1)
		require.NoError(t, err)
		now := rapid.Int64Range(2e9, 12e9).Draw(t, "now") // up to 300 s later
		c.Interpolate(local(entries[0], now))
		require.False(t, c.Ready(2))
		require.NoError(t, c.Adopt(entries, local(entries[0], now)))
		require.True(t, c.Ready(2))
		at := now + rapid.OneOf(rapid.Int64Range(-1<<30, 1<<30), // 32 s each way: beyond the anchor
			rapid.Int64Range(-1<<25, 1<<25)).Draw(t, "at") // and within its reach
		for i, e := range entries {
			got, bound := c.Convert(i+1, local(e, at))
			// local is a floor: the count's instant is up to a tick before at.
			require.LessOrEqual(t, got, at*4096+80, "node %d", i+1)
			require.Greater(t, got, at*4096-4096-80, "node %d", i+1)
			grown := new(big.Int).Rsh(new(big.Int).Mul(big.NewInt(int64(e.Error1)), big.NewInt(max(0, at-int64(e.Epoch)))), 44)
			require.GreaterOrEqual(t, bound, 4096+7+grown.Int64()-4)
		}
		t3, b3 := c.Convert(2, local(entries[1], at))
		t5, b5 := c.Convert(1, local(entries[0], at+1000))
		net, bound := c.Latency(2, local(entries[1], at), local(entries[0], at+1000))
		require.Equal(t, []int64{t5 - t3, b3 + b5}, []int64{net, bound})
		got, bound := c.Convert(0, uint64(at))
		require.Equal(t, at*4096, got)
		require.EqualValues(t, 4096, bound)
	})
}

// TestBoundAfterTheNextStride: an anchor's bound holds for one stride of 33 million ticks. Counts
// after it have a greater one.
func TestBoundAfterTheNextStride(t *testing.T) {
	c, err := clock.NewConverter(protocol(clock.Filtered, 3), 1)
	require.NoError(t, err)
	entry := clock.Entry{Node: 1, Epoch: 1e9, Error: 7, Error1: 1 << 30} // 2^-14 subticks a tick
	require.NoError(t, c.Adopt([]clock.Entry{entry}, 2e9))
	for _, later := range []int64{32e6, 34e6, 50e6, 65e6, 67e6} {
		_, bound := c.Convert(1, uint64(2e9+later))
		require.GreaterOrEqual(t, bound, 4096+7+(1e9+later)>>14)
	}
}

func rat(a, b int64) *big.Rat { return big.NewRat(a, b) }

// offsetAt evaluates an entry's parabola at a global tick, in ticks.
func offsetAt(e clock.Entry, global int64) *big.Rat {
	dt := rat(global-int64(e.Epoch), 1)
	r := new(big.Rat).Mul(rat(e.Bend, 1<<21), dt)
	r.Add(r, rat(e.Rate, 1)).Mul(r, dt).Mul(r, rat(1, 1<<56))
	return r.Add(r, rat(e.Offset, 4096))
}

func floor(r *big.Rat) *big.Int { return new(big.Int).Div(r.Num(), r.Denom()) }

func TestWithoutATableNothingConverts(t *testing.T) {
	for _, estimator := range clock.Estimators() {
		c, err := clock.NewConverter(protocol(estimator, 3), 2)
		require.NoError(t, err)
		c.Interpolate(77)
		for node := range 3 {
			require.False(t, c.Ready(node))
			_, bound := c.Convert(node, 1<<31)
			require.EqualValues(t, int64(clock.Unbounded), bound)
		}
		_, bound := c.Latency(0, 1, 2)
		require.EqualValues(t, int64(clock.Unbounded), bound)
		c.Observe(0, 1, 2, 3, 4)
		require.Zero(t, c.Reply(clock.Query{Round: 1}, 80).Count)

		// An entry for another node alone tells nothing about this one's clock.
		require.NoError(t, c.Adopt([]clock.Entry{{Node: 1, Epoch: 5}}, 90))
		require.False(t, c.Ready(1))
		require.NoError(t, c.Adopt([]clock.Entry{{Node: 2, Epoch: 5}}, 90))
		require.True(t, c.Ready(0) && c.Ready(1) && c.Ready(2))
	}
}

func TestOldEntriesAreCountedAndBadOnesRefused(t *testing.T) {
	c, err := clock.NewConverter(protocol(clock.Filtered, 3), 1)
	require.NoError(t, err)
	table := []clock.Entry{{Node: 1, Epoch: 500, Offset: 4096}, {Node: 2, Epoch: 500, Offset: 8192}}
	require.NoError(t, c.Adopt(table, 600))
	require.NoError(t, c.Adopt(table, 600)) // a retransmission
	require.EqualValues(t, 2, c.Stale())
	bad := []clock.Entry{{Node: 1, Epoch: 700, Offset: 1 << 20}, {Node: 3, Epoch: 700}}
	require.ErrorContains(t, c.Adopt(bad, 800), "Node 3, want 1 to 2")
	got, _ := c.Convert(1, 601)
	require.EqualValues(t, 600*4096, got, "none of a bad table is taken")
}

// TestBoundGrowsWithTheTablesAge: a node that hears nothing for two hours says so.
func TestBoundGrowsWithTheTablesAge(t *testing.T) {
	for _, estimator := range clock.Estimators() {
		h := newHarness(t, trial{estimator: estimator, nodes: 2, factor: 1, seed: 3})
		h.now = 1000
		h.interpolate()
		for round := uint32(1); round < 40; round++ {
			h.round(t)
			h.wait(h.now + h.p.Gap(round))
		}
		h.round(t)
		var last int64
		for range 13 {
			global, bound := h.conv[0].Convert(1, h.osc[1].Counter(h.now))
			truth, _ := h.conv[0].Convert(0, h.osc[0].Counter(h.now))
			require.Greater(t, bound, last, estimator)
			require.LessOrEqual(t, max(global-truth, truth-global), bound, "%s, %d ps", estimator, h.now)
			last = bound
			h.wait(h.now + 600*secPs)
		}
	}
}

func BenchmarkConvert(b *testing.B) {
	for _, estimator := range clock.Estimators() {
		h := newHarness(b, trial{estimator: estimator, nodes: 8, factor: 1, seed: 1})
		h.now = 1000
		h.interpolate()
		for range 3 {
			h.round(b)
			h.wait(h.now + 10*secPs)
		}
		c := h.conv[1]
		sent, received := h.osc[0].Counter(h.now), h.osc[1].Counter(h.now+5*usPs)
		b.Run(estimator+"/convert", func(b *testing.B) {
			for b.Loop() {
				c.Convert(1, received)
			}
		})
		b.Run(estimator+"/latency+observe", func(b *testing.B) {
			for b.Loop() {
				latency, _ := c.Latency(0, sent, received)
				c.Observe(0, sent, received, latency, 100)
			}
		})
		b.Run(estimator+"/interpolate8", func(b *testing.B) {
			now := h.osc[1].Counter(h.now)
			for b.Loop() {
				c.Interpolate(now)
			}
		})
		b.Run(estimator+"/round8", func(b *testing.B) {
			for b.Loop() {
				h.wait(h.now + 10*secPs)
				h.round(b)
			}
		})
	}
}
