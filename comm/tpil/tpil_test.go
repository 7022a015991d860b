package tpil_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/tpil"
)

func machine(t *testing.T, name string) tpil.Machine {
	t.Helper()
	p, err := platform.Load(name)
	require.NoError(t, err)
	require.NotNil(t, p.TPIL)
	return tpil.Machine{Host: p.Host, Card: p.NI, TPIL: *p.TPIL}
}

// The plan has the fastest mechanism of every size that was measured.
func TestPlanIsTheFastest(t *testing.T) {
	for _, name := range []string{"grim-p3-lanai4", "grim-p4-lanai9"} {
		m := machine(t, name)
		plan, err := tpil.Tune(m)
		require.NoError(t, err)
		require.Greater(t, len(plan), 2, "%s: %v", name, plan)
		for _, n := range []int{4, 64, 1024, 8192, 65536, 1 << 20} {
			best, err := m.Measure(plan.Best(n), n, 1)
			require.NoError(t, err)
			for _, how := range tpil.Mechanisms(&m.Host) {
				d, err := m.Measure(how, n, 1)
				require.NoError(t, err)
				if how == tpil.Combining {
					continue // given up
				}
				require.LessOrEqual(t, best.Took, d.Took, "%s, %d B: %v and %v", name, n, plan.Best(n), how)
			}
		}
	}
}

// A host without MMX and SSE says what it has.
func TestAbsentMechanism(t *testing.T) {
	m := machine(t, "grim-ppro-lanai9")
	require.Len(t, tpil.Mechanisms(&m.Host), 5)
	_, err := m.Measure(tpil.MMX, 64, 1)
	require.EqualError(t, err, "mechanism mmx: the host does not have it, want one of: word, combining, one-copy, double-buffered, zero-copy")
}
