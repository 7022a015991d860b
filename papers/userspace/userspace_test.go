package userspace

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/papers/judge"
)

// curveOf is a curve around powers of two of a time per message, µs.
func curveOf(us func(n int) float64) []bench.BandwidthPoint {
	var out []bench.BandwidthPoint
	for _, n := range sizesOf(around) {
		out = append(out, bench.BandwidthPoint{SizeBytes: int64(n), MBps: float64(n) / us(n)})
	}
	return out
}

func TestJump(t *testing.T) {
	smooth := func(n int) float64 { return 6 + 0.01*float64(n) }
	for _, c := range []struct {
		name string
		us   func(n int) float64
		at   float64
	}{
		{"none", smooth, 0},
		{"dear from 256 B on", func(n int) float64 {
			if n >= 256 {
				return smooth(n) + 3
			}
			return smooth(n)
		}, 256},
		{"cheap from 512 B on", func(n int) float64 {
			if n >= 512 {
				return smooth(n) - 3
			}
			return smooth(n)
		}, 512},
		{"dear beyond 128 B", func(n int) float64 {
			if n > 128 {
				return smooth(n) + 3
			}
			return smooth(n)
		}, 128},
		{"steep everywhere", func(n int) float64 { return float64(n * n) }, 0},
		{"too small to be called one", func(n int) float64 {
			if n >= 256 {
				return smooth(n) + 0.1
			}
			return smooth(n)
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) { require.InDelta(t, c.at, jumpOf(curveOf(c.us)).at(), 0) })
	}
}

// TestChangesMakePairs: every change of the pair leaves platforms that can be built,
// for the layers that are measured on it.
func TestChangesMakePairs(t *testing.T) {
	l := newComparison(1)
	for name := range overlays {
		v := change(name)
		for _, layer := range compared {
			if layer == "pm" && v == slowFetch {
				continue // its sending would outrun what feeds it
			}
			p, err := l.place(layer, v)
			require.NoError(t, err, "%s, %s", layer, v)
			c, err := cluster.Warmed(cluster.Of(p, 2, 1, monitor.Off))
			require.NoError(t, err, "%s, %s", layer, v)
			c.Engine.Close()
		}
	}
	_, err := l.place("pm", "no such thing")
	require.Error(t, err)
}

// TestStageTable: the table of stages has a cell for each, and its ids are
// those of the published table.
func TestStageTable(t *testing.T) {
	table, err := judge.Published()
	require.NoError(t, err)
	for _, s := range pathStages {
		for _, layer := range compared {
			require.NotEmpty(t, booked[s.row][layer])
			row, ok := table.Row("us-t3-" + s.row + "-" + stageRows[layer])
			require.True(t, ok)
			if inProse[s.row][layer] == "" {
				require.Equal(t, row.Text, booked[s.row][layer], row.ID)
			} else {
				require.NotEqual(t, row.Text, booked[s.row][layer], row.ID)
			}
		}
	}
}

// TestIndependent: the polled loop's share of a parameter is no dependence on
// the size, a copy of the data at any rate that a host has is one.
func TestIndependent(t *testing.T) {
	require.True(t, independent(1.02, 1.02))
	require.True(t, independent(0.32, 0.41))
	require.False(t, independent(1, 4))
	require.False(t, independent(2, 2+(4096-256)/180.0), "a copy at 180 MB/s")
}

func TestPairPoints(t *testing.T) {
	var points []pairPoint
	for n := 4; n <= 128; n += 4 {
		p := pairPoint{bytes: n, oneWayUs: 13 + 0.1*float64(n/4), mb: float64(n)}
		if n > 48 {
			p.oneWayUs += 3
		}
		points = append(points, p)
	}
	m, err := knee(points)
	require.NoError(t, err)
	require.InDelta(t, 48, m.Value, 0)
	m, err = shortest(points)
	require.NoError(t, err)
	require.InDelta(t, 13.1, m.Value, 1e-9)
	m, err = fastest(points)
	require.NoError(t, err)
	require.InDelta(t, 128, m.Value, 0)
}
