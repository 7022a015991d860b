package judge

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSessionEndsAtTheFirstError: nothing runs after it, and other panics pass.
func TestSessionEndsAtTheFirstError(t *testing.T) {
	broken := errors.New("broken")
	seven := func(context.Context) (int, error) { return 7, nil }
	fails := func(context.Context) (int, error) { return 1, broken }
	m := Run(func(s *Session) Measured { return Value(float64(Get(s, seven)), "%d", Get(s, seven)) })
	got, err := m(t.Context())
	require.NoError(t, err)
	require.Equal(t, Measured{Value: 7, Note: "7"}, got)
	for _, f := range []func(*Session){
		func(s *Session) { Get(s, fails) },
		func(s *Session) { s.Fail("it is %w", broken) },
		func(*Session) { Must(1, broken) },
		func(s *Session) {
			Get(s, Both(seven, fails, func(int, int) Measured { t.Error("ran"); return Measured{} }))
		},
		func(s *Session) { Get(s, Using(fails, func(int) Measured { t.Error("ran"); return Measured{} })) },
	} {
		got, err := Run(func(s *Session) int {
			f(s)
			t.Error("ran on")
			return 3
		})(t.Context())
		require.ErrorIs(t, err, broken)
		require.Zero(t, got)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Run(func(*Session) int { t.Error("ran"); return 1 })(cancelled)
	require.ErrorIs(t, err, context.Canceled)
	require.PanicsWithValue(t, "other", func() { _, _ = Run(func(*Session) int { panic("other") })(t.Context()) })
}

func TestBoth(t *testing.T) {
	gives := func(n int) Experiment[int] { return func(context.Context) (int, error) { return n, nil } }
	m, err := Both(gives(5), gives(3), func(a, b int) Measured { return States(Must(a, nil) > b, "more", "%d and %d", a, b) })(t.Context())
	require.NoError(t, err)
	require.Equal(t, Measured{Holds: true, Note: "5 and 3", Criterion: "more"}, m)
}

func TestEvery(t *testing.T) {
	even := func(n int) Measured { return Holds(n%2 == 0, "%d", n) }
	require.Equal(t, Measured{Holds: true, Note: "2, 4 are even"}, Every([]int{2, 4}, "%s are even", ", ", even))
	require.Equal(t, Measured{Note: "2, 3"}, Every([]int{2, 3}, "%s", ", ", even))
}

func TestEachNamesWhatItIsAbout(t *testing.T) {
	long := func(name string) Measured { return All(Above(Fig("letters", float64(len(name))), Limit(3), 0)) }
	require.Equal(t, Measured{Note: "bip: letters 3; vmmc: letters 4", Criterion: "letters above 3"}, Each([]string{"bip", "vmmc"}, long))
}

func TestRecallFindsOnce(t *testing.T) {
	m, runs := Memory{}, 0
	find := func() int { runs++; return runs }
	require.Equal(t, []int{1, 1, 2}, []int{Recall(m, find, "a", 1), Recall(m, find, "a", 1), Recall(m, find, "a", 2)})
	require.Equal(t, 2, runs)
}
