package experiment

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWeigh(t *testing.T) {
	same, mixed := weigh([][]int{
		{0, 0, 0}, {1, ^1, ^1}, // all the same: two of six spin
		{0, ^1, 0}, {^1, 1, ^0}, {2, 1, 1}, // three of nine
	})
	require.Equal(t, spun{6, 2}, same)
	require.Equal(t, spun{9, 3}, mixed)
	require.Zero(t, spun{}.share())
}

// TestTurnsBesideASilentProgram: stream has nothing to do on the third node, and PM gives the
// interface of that node to the other program.
func TestTurnsBesideASilentProgram(t *testing.T) {
	s := DefaultRun("stream+broadcast")
	s.Platform, s.Layer, s.Nodes, s.Build = "ppro", "pm", 3, BuildOff
	s.Pattern = PatternSpec{Bytes: 16, Count: 9}
	mustRun(t, s)
}

// TestCoscheduling: two programs that wait for each other's nodes become much faster, and
// a program beside which nothing waits does not change.
func TestCoscheduling(t *testing.T) {
	took := func(name string, policies ...Policy) (float64, int) {
		s := DefaultRun(name)
		s.Nodes, s.Build, s.Policies = 4, BuildOff, policies
		r := mustRun(t, s)
		run, err := r.tables(r.cluster)
		require.NoError(t, err)
		return r.ended.Sub(r.began).Us(), len(run.Online)
	}
	before, _ := took("lu+lu")
	after, found := took("lu+lu", Coschedule)
	require.Equal(t, 1, found)
	require.Greater(t, before, 1.5*after)
	before, _ = took("prodcons+queue")
	after, found = took("prodcons+queue", Coschedule)
	require.Zero(t, found)
	require.InEpsilon(t, before, after, 0.02)
}
