package svm

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

func TestHomes(t *testing.T) {
	l, err := NewLayout(3)
	require.NoError(t, err)
	for _, r := range []struct {
		bytes int
		homes Homes
		at    Addr
	}{
		{1, Blocks, 0}, {7 * PageSize, Blocks, PageSize}, {4*PageSize + 1, RoundRobin, 8 * PageSize}, {2 * PageSize, FirstTouch, 13 * PageSize},
	} {
		a, err := l.Alloc(r.bytes, r.homes)
		require.NoError(t, err)
		require.Equal(t, r.at, a)
	}
	want := []int{0, 0, 0, 0, 1, 1, 1, 2, 0, 1, 2, 0, 1, 0, 1}
	require.Equal(t, len(want), l.Pages())
	for p, home := range want {
		got, fixed := l.Home(Page(p))
		require.Equal(t, home, got, "page %d", p)
		require.Equal(t, p < 13, fixed, "page %d", p)
	}
	require.PanicsWithValue(t, "svm: page 15 lies outside the 15 pages of shared memory", func() { l.Home(15) })
}

func TestBadLayouts(t *testing.T) {
	for _, nodes := range []int{0, -1, 1 << 16} {
		_, err := NewLayout(nodes)
		require.ErrorContains(t, err, "want 1 to 65535")
	}
	l, err := NewLayout(2)
	require.NoError(t, err)
	for _, bytes := range []int{0, -1, math.MaxInt} {
		_, err := l.Alloc(bytes, Blocks)
		require.ErrorContains(t, err, "want 1 to")
	}
	_, err = l.Alloc(1, 7)
	require.ErrorContains(t, err, "homes = 7")
	_, err = NewNode(2, l, NewPool())
	require.ErrorContains(t, err, "node = 2, want 0 to 1")
	_, err = NewSystem(Spec{})
	require.ErrorContains(t, err, "Layout is missing")
	_, err = NewSystem(Spec{Layout: l, Costs: Costs{Handler: -1}})
	require.ErrorContains(t, err, "svm.handler_us is -1e-06, want 0 to 1e4")
	_, err = NewSystem(Spec{Layout: l, Service: Polling})
	require.ErrorContains(t, err, "svm.poll_every_us is 0, want more than 0 for polling")
	var s Service
	require.ErrorContains(t, s.UnmarshalText([]byte("telepathy")), `unknown service "telepathy" (known: interrupt, polling)`)
}

// TestPartsOfWork: what Polling cuts up is all there.
func TestPartsOfWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 9).Draw(t, "parts")
		draw := func(name string) int64 { return rapid.Int64Range(0, 1<<40).Draw(t, name) }
		w := host.Work{Flops: draw("flops"), Loads: draw("loads"), Read: draw("read"), Time: sim.Duration(draw("time"))}
		var sum host.Work
		for i := range n {
			p := part(w, i, n)
			require.InDelta(t, w.Flops/n, p.Flops, 1)
			sum.Flops += p.Flops
			sum.Loads += p.Loads
			sum.Read += p.Read
			sum.Time += p.Time
		}
		require.Equal(t, w, sum)
	})
}

func TestHistoryForgets(t *testing.T) {
	var h history
	h.add(&Interval{Node: 5, ID: 3})
	h.add(&Interval{Node: 2, ID: 1})
	h.add(&Interval{Node: 5, ID: 4})
	require.Equal(t, []Version{{5, 4}, {2, 1}}, h.time(nil))
	require.Len(t, h.unknown(nil, 2, []Version{{5, 3}}), 1)
	require.Len(t, h.unknown(nil, 7, nil), 3)
	h.forget()
	require.Empty(t, h.time(nil))
	require.Zero(t, h.latest(5))
	h.add(&Interval{Node: 2, ID: 2})
	require.Equal(t, []Version{{2, 2}}, h.time(nil))
}

func TestVersionsNeverGoBack(t *testing.T) {
	list := raise(raise(nil, Version{5, 3}), Version{2, 1})
	require.Equal(t, []Version{{5, 3}, {2, 1}}, raise(list, Version{5, 2}))
	require.Equal(t, []Version{{5, 4}, {2, 1}}, raise(list, Version{5, 4}))
}
