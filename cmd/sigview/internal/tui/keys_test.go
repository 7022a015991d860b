package tui

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/chart"
	"github.com/sigview/sigview/chart/cell"
)

// TestGreyKeysDoNothing: a key is grey exactly where it leaves the body as it is.
func TestGreyKeysDoNothing(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	m := &Model{state: s, width: 120, height: 36}
	body := func(s *State) string { return Draw(s, 120, 36).Sub(0, 3, 120, 31).ANSI(s.Look.Theme, cell.Colours256) }
	keys := []action{nextStage, nextTag, nextKind, nextSender, nextReceiver, nextClass, nextMetric, toggleBaseline, toggleIntervals, zoomIn}
	for i, k := range kinds {
		for _, a := range keys {
			s.show(i)
			require.NoError(t, s.selectAfresh("size=128"))
			before := body(s)
			m.do(a)
			require.Equal(t, s.does(a), body(s) != before, "%s: %s", k.name, keyOf(a))
		}
	}
	for _, of := range []*State{measurements(t, "gam", "meiko"), measurements(t, "gam")} {
		m.state = of
		of.Measured = append(of.Measured, &Measured{Dir: "drawn", Series: []*Series{{Dir: "drawn", Drawn: drawnOf("a", "b")}}})
		for series := range of.series() {
			for _, a := range append(keys, nextRun) {
				if a == toggleIntervals && of.series()[series].Drawn == nil {
					continue // those of the samples are narrower than a character
				}
				of.show(of.View)
				require.NoError(t, of.selectAfresh(fmt.Sprint("scale=log series=", series)))
				before := body(of)
				m.do(a)
				require.Equal(t, of.does(a), body(of) != before, "measurement %d: %s", series, keyOf(a))
			}
		}
	}
}

// drawnOf is a made-up chart with a curve of each name.
func drawnOf(names ...string) *Drawn {
	d := &Drawn{Name: "drawn", How: "sweep", Detail: "seeds 1", Said: []string{"a result"}}
	d.X, d.Y = chart.Axis{Name: "nodes", Scale: chart.Log2}, chart.Axis{Name: "ms", Scale: chart.Log10}
	for i, name := range names {
		y := float64(i + 1)
		d.Series = append(d.Series, chart.Series{Name: name, Points: []chart.Point{{X: 2, Y: y, Lo: y / 2, Hi: 2 * y, N: 3}, {X: 4, Y: 2 * y, Lo: y, Hi: 4 * y, N: 3}}})
	}
	return d
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

// TestKeysAreDocumented: the page about the terminal has every key and every view.
func TestKeysAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/terminal.md")
	require.NoError(t, err)
	_, keys, _ := strings.Cut(string(text), "## Keys")
	keys, _, _ = strings.Cut(keys, "\n## ")
	for _, b := range keyMap {
		require.Contains(t, keys, "`"+strings.Fields(b.Help().Key)[0]+"`", b.Help().Desc)
	}
	for i, k := range kinds {
		require.Contains(t, string(text), fmt.Sprintf("| `%d` | %s |", i, k.name))
	}
}
