package boundstest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/internal/bounds"
)

// witness takes down what a test that must fail says.
type witness struct{ said string }

func (w *witness) Errorf(format string, args ...any) { w.said += fmt.Sprintf(format, args...) }
func (w *witness) FailNow()                          { panic(w) }

func said(f func(t require.TestingT)) (text string) {
	w := &witness{}
	defer func() {
		text = w.said
		if r := recover(); r != nil && r != any(w) {
			panic(r)
		}
	}()
	f(w)
	return w.said
}

func TestRefuses(t *testing.T) {
	good := struct {
		N int     `json:"n" range:"1..8"`
		X float64 `json:"x" range:"0<..1"`
		U uint64  `json:"u" range:"0..9"`
	}{1, 1, 9}
	require.Equal(t, 3, Refuses(t, "s", &good, func() error { return bounds.Check("s", &good) }))
	require.Equal(t, 1, good.N, "numbers are as before")
}

// TestRefusesNoticesFlaws plants a field without a range and a specification
// that does not look.
func TestRefusesNoticesFlaws(t *testing.T) {
	bare := struct {
		N int `json:"n" range:"1..8"`
		M int `json:"m"`
	}{1, 1}
	require.Contains(t, said(func(t require.TestingT) {
		Refuses(t, "s", &bare, func() error { return bounds.Check("s", &bare) })
	}), "s.m has no range")
	blind := struct {
		N int `json:"n" range:"1..8"`
	}{1}
	require.Contains(t, said(func(t require.TestingT) {
		Refuses(t, "s", &blind, func() error { return nil })
	}), "s.n = 0")
}
