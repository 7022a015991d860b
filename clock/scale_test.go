package clock_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/clock"
)

// TestInterpolationOfManyNodes: the work a second stays that of 64 nodes, as
// far as rounds and the register allow.
func TestInterpolationOfManyNodes(t *testing.T) {
	for _, c := range []struct {
		nodes, width int
		hz           uint64
		periodS      int64
		wantMs       int64
	}{
		{2, 32, 33_000_000, 300, 1000},
		{64, 32, 33_000_000, 300, 1000},
		{128, 32, 33_000_000, 300, 2000},
		{1024, 32, 33_000_000, 300, 16000},
		{1024, 32, 33_000_000, 32, 2000}, // 16 times a round
		{1024, 32, 33_000_000, 4, 250},
		{1024, 32, 200_000_000, 300, 2684}, // an eighth of the register's range
		{1024, 40, 200_000_000, 300, 5368}, // and of its 2^30 ticks
	} {
		p := protocol(clock.Filtered, c.nodes)
		p.WidthBits, p.HzNum, p.PeriodPs = c.width, c.hz, c.periodS*secPs
		require.InDelta(t, c.wantMs, p.InterpolatePs()/(secPs/1000), 1, "%+v", c)
		_, err := clock.NewConverter(p, 1)
		require.NoError(t, err, "%+v", c)
	}
}

// TestFirstTable: all nodes get all tables, unless they are many and programs start later.
func TestFirstTable(t *testing.T) {
	for _, c := range []struct {
		estimator   string
		nodes       int
		start, want uint32
	}{
		{clock.Filtered, 64, 24, 1}, {clock.Filtered, 65, 24, 23}, {clock.Filtered, 65, 2, 1},
		{clock.Filtered, 1024, 0, 1}, {clock.Cristian, 1024, 24, 1},
	} {
		p := protocol(c.estimator, c.nodes)
		p.Start = c.start
		require.Equal(t, c.want, p.FirstTable(), "%+v", c)
	}
}

// TestTableInParts: a table that comes in parts, in any order, gives the
// conversions that it gives as a whole.
func TestTableInParts(t *testing.T) {
	for _, estimator := range clock.Estimators() {
		const nodes, own = 20, 7
		p := protocol(estimator, nodes)
		table := func(round uint64) (all []clock.Entry) {
			for n := uint32(1); n < nodes; n++ {
				e := clock.Entry{Node: n, Epoch: round * 10 * 33_000_000, Offset: int64(n) << 20 * int64(round), Error: 3 << 12}
				if estimator == clock.Filtered {
					e.Rate, e.Bend, e.Error1 = int64(n)<<24, 5, 7
				}
				all = append(all, e)
			}
			return all
		}
		whole, err := clock.NewConverter(p, own)
		require.NoError(t, err)
		parts, err := clock.NewConverter(p, own)
		require.NoError(t, err)
		for round := uint64(1); round < 4; round++ {
			now := (round*10*33_000_000 + 100) & (1<<32 - 1)
			all := table(round)
			require.NoError(t, whole.Adopt(all, now))
			for _, part := range [][]clock.Entry{all[12:], all[:3], all[3:12]} {
				require.NoError(t, parts.Adopt(part, now))
			}
			for node := range nodes {
				require.True(t, parts.Ready(node), "node %d", node)
				for _, ahead := range []uint64{0, 1000, 33_000_000} {
					a, abound := whole.Convert(node, now+ahead)
					b, bbound := parts.Convert(node, now+ahead)
					// Two subticks: the lines go through points a few ticks off.
					require.InDelta(t, a, b, 2, "%s: node %d in round %d", estimator, node, round)
					require.InDelta(t, abound, bbound, 2)
				}
			}
		}
	}
}

// TestDecodeTableKeepsItsMemory: a receiver decodes into the same entries.
func TestDecodeTableKeepsItsMemory(t *testing.T) {
	p := protocol(clock.Filtered, 9)
	var all []clock.Entry
	for n := uint32(1); n < 9; n++ {
		all = append(all, clock.Entry{Node: n, Epoch: 5, Offset: int64(n)})
	}
	words := p.AppendTable(nil, 3, all)
	into := make([]clock.Entry, 0, 8)
	require.Zero(t, testing.AllocsPerRun(20, func() {
		_, got, err := p.DecodeTable(into, words)
		if err != nil || len(got) != 8 || got[7] != all[7] {
			t.Fatal(got, err)
		}
	}))
}

// TestRecordsHaveTheirSizes: what a node keeps of a clock takes more than the
// entry on the wire without its node, and less than a kilobyte.
func TestRecordsHaveTheirSizes(t *testing.T) {
	for _, estimator := range clock.Estimators() {
		p := protocol(estimator, 64)
		require.GreaterOrEqual(t, p.ConverterBytes(), 4*(p.Words().Entry-1))
		require.Less(t, p.ConverterBytes(), 128)
		require.Greater(t, p.CoordinatorBytes(), 64)
		require.Less(t, p.CoordinatorBytes(), 1024)
	}
}
