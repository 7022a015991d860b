package tui

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/chart/cell"
)

// TestGreyKeysDoNothing: a key is grey exactly where it leaves the body as it is.
func TestGreyKeysDoNothing(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	m := &Model{state: s, width: 120, height: 36}
	body := func(s *State) string { return Draw(s, 120, 36).Sub(0, 3, 120, 31).ANSI(s.Look.Theme, cell.Colours256) }
	for i, k := range kinds {
		if k.name == "LogP" {
			continue // its keys are those of measurements
		}
		for _, a := range []action{nextStage, nextTag, nextKind, nextSender, nextReceiver, nextClass, toggleBaseline, toggleIntervals, zoomIn} {
			s.show(i)
			require.NoError(t, s.selectAfresh("size=128"))
			before := body(s)
			m.do(a)
			require.Equal(t, s.does(a), body(s) != before, "%s: %s", k.name, keyOf(a))
		}
	}
}

func keyOf(a action) string {
	return keyMap[slices.IndexFunc(keyMap, func(b bound) bool { return b.do == a })].Help().Desc
}

// TestPagesReachTheEnds: of a list, of the sizes, and of a text.
func TestPagesReachTheEnds(t *testing.T) {
	r := newRig(t, fakeLab(t), "after", "before")
	r.keys("9", "end")
	last := len(r.state.compare().changes) - 1
	at := func() int { return r.state.view().(*compareView).list.row }
	require.Equal(t, last, at())
	r.keys("home", "pgdown")
	require.Equal(t, min(pageRows, last), at())
	r.keys("pgup")
	require.Zero(t, at())

	r.keys("1", "home")
	require.EqualValues(t, 32, r.state.Sel.SizeBytes)
	r.keys("end")
	require.EqualValues(t, 4096, r.state.Sel.SizeBytes)

	r.keys("?", "end")
	bottom := r.state.Top
	require.Positive(t, bottom)
	r.keys("pgdown", "down")
	require.Equal(t, bottom, r.state.Top, "not beyond the end")
	r.keys("up")
	require.Equal(t, bottom-1, r.state.Top)
	r.keys("?")
	require.Contains(t, r.text(), "control program", "the glossary")
	r.keys("?")
	require.False(t, r.state.Help || r.state.Glossary)
}
