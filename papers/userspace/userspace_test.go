package userspace

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/papers/judge"
)

// curveOf is a curve around powers of two of a time per message, µs.
func curveOf(us func(n int) float64) (c curve) {
	for _, n := range sizesOf(around) {
		c = append(c, point{bytes: n, us: us(n)})
	}
	return c
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
		t.Run(c.name, func(t *testing.T) { require.InDelta(t, c.at, curveOf(c.us).jump().at(), 0) })
	}
}

// TestChangesMakePairs: every change of the pair leaves platforms that can be built,
// for the layers that are measured on it.
func TestChangesMakePairs(t *testing.T) {
	build := func(layer string, c change) error {
		_, err := judge.Run(func(s *judge.Session) bool {
			return live(&study{Session: s, change: c}, layer, (*testbed.Testbed).OK)
		})(t.Context())
		return err
	}
	for name := range overlays {
		for _, layer := range compared {
			if layer == "pm" && change(name) == slowFetch {
				continue // its sending would outrun what feeds it
			}
			require.NoError(t, build(layer, change(name)), "%s, %s", layer, name)
		}
	}
	require.ErrorContains(t, build("pm", "no such thing"), "no such thing")
}

// TestStageTable: every stage of every layer has a row with a word.
func TestStageTable(t *testing.T) {
	table, err := judge.Published()
	require.NoError(t, err)
	for _, s := range pathStages {
		for _, layer := range compared {
			row, ok := table.Row(s.id(layer))
			require.True(t, ok, s.id(layer))
			require.Contains(t, []string{"O_s", "O_r", "L", none}, row.Text)
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

func TestFall(t *testing.T) {
	var c curve
	for _, n := range sizesOf(doubling) {
		p := point{bytes: n, mb: 100}
		if n == 16<<10 || n >= 512<<10 {
			p.mb = 90
		}
		c = append(c, p)
	}
	bytes, by := c.fall()
	require.Equal(t, 512<<10, bytes, "a dip of shorter messages is none")
	require.InDelta(t, 0.1, by, 1e-9)
	bytes, _ = c[:10].fall()
	require.Zero(t, bytes)
	require.InDelta(t, 100, c.highest(), 0)
	require.InDelta(t, 90, c.at(experiment.MaxMessage), 0)
}

func TestOutermost(t *testing.T) {
	f := figures{"gam": 51, "bip": 124, "fm": 70}
	require.InDelta(t, 124, outermost(50, "gam", "bip", "fm")(f), 0)
	require.InDelta(t, 51, outermost(60, "gam", "bip", "fm")(f), 0)
	require.InDelta(t, 124, outermost(60, "bip", "fm")(f), 0)
}

// TestCriteria: every statement in words says what it wants.
func TestCriteria(t *testing.T) {
	table, err := judge.Published()
	require.NoError(t, err)
	for id, c := range Rows(1) {
		row, _ := table.Row(id)
		require.Equal(t, !row.Numeric, c.Criterion != "", id)
	}
}
