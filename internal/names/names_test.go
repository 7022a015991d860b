package names

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestNearest(t *testing.T) {
	workloads := []string{"fft", "radix", "gauss", "pingpong"}
	for _, c := range []struct{ name, want string }{
		{"ftf", "fft"}, {"FFT", "fft"}, {"fff", "fft"}, {"radx", "radix"}, {"gaus", "gauss"},
		{"ping", "pingpong"}, {"pong", "pingpong"}, {"xyz", ""}, {"", ""}, {"f", ""},
	} {
		require.Equal(t, c.want, Nearest(c.name, workloads), "%q", c.name)
	}
}

func TestUnknownNameListsTheKnownOnes(t *testing.T) {
	err := Check("platform", "shrmp", []string{"shrimp", "ppro"})
	require.EqualError(t, err, `unknown platform "shrmp", did you mean "shrimp"? (known: shrimp, ppro)`)
	require.EqualError(t, Check("platform", "vax", []string{"shrimp"}), `unknown platform "vax" (known: shrimp)`)
	require.EqualError(t, Check("layer", "gm", nil), `unknown layer "gm" (there are none)`)
	require.NoError(t, Check("platform", "ppro", []string{"shrimp", "ppro"}))
	var e *Error
	require.True(t, errors.As(err, &e) && e.Usage())
}

func TestDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.RuneFrom([]rune("abc")), 0, 8, -1)
		a, b := s.Draw(t, "a"), s.Draw(t, "b")
		require.Equal(t, distance(a, b), distance(b, a))
		require.Equal(t, a == b, distance(a, b) == 0)
		require.LessOrEqual(t, distance(a, b), max(len(a), len(b)))
	})
	require.Equal(t, 1, distance("ab", "ba"))
	require.Equal(t, 3, distance("", "abc"))
	require.Equal(t, 3, distance("kitten", "sitting"))
}
