package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the pictures in testdata")

var sizes = [][2]int{{60, 18}, {80, 24}, {120, 36}, {200, 60}}

// golden compares a picture with the one in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join(testdata, name)
	if *update {
		require.NoError(t, os.MkdirAll(testdata, 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "go test -update makes it")
	require.Equal(t, string(want), got, "%s; go test -update makes it anew", path)
}

// TestViews draws every view at four sizes in colour, mono and ASCII.
func TestViews(t *testing.T) {
	looks := map[string]Look{
		"colour": look(t, "dark", cell.Braille, cell.Colours256),
		"mono":   look(t, "mono", cell.Block, cell.NoColour),
		"ascii":  look(t, "dark", cell.ASCII, cell.NoColour),
	}
	s := two(t, looks["ascii"])
	for _, dir := range []string{"gam", "meiko"} {
		m, err := measuredAt(dir)
		require.NoError(t, err)
		s.AddMeasured(m)
	}
	for i, v := range views.Kinds {
		for name, l := range looks {
			s.show(i)
			s.Look = l
			require.NoError(t, s.selectBy("row=1"))
			s.Sel.Intervals = v.Name == "signature"
			for _, size := range sizes {
				c := Draw(s, size[0], size[1])
				checkSize(t, c, size)
				golden(t, fmt.Sprintf("%s-%dx%d-%s.txt", v.Name, size[0], size[1], name), c.ANSI(l.Theme, l.Depth)+"\n")
			}
		}
	}
}

func checkSize(t *testing.T, c *cell.Canvas, size [2]int) {
	t.Helper()
	lines := strings.Split(c.ANSI(cell.Theme{Mono: true}, cell.NoColour), "\n")
	require.Len(t, lines, size[1])
	require.Zero(t, c.Lost(), "text over text at %v:\n%s", size, c)
	if c.Glyphs == cell.ASCII {
		for _, r := range c.String() {
			require.Less(t, r, rune(utf8.RuneSelf), "a character beyond ASCII")
		}
	}
}

// TestOtherScreens draws what is seen when there is nothing to see.
func TestOtherScreens(t *testing.T) {
	plain := look(t, "mono", cell.Braille, cell.NoColour)
	draw := func(name string, s *State) { golden(t, name+".txt", Draw(s, 80, 24).String()) }

	s := NewState(plain)
	s.Problems = []string{"run directory x: run.json: no such file or directory; wanted the manifest of a whole run"}
	draw("empty", s)

	s = two(t, plain)
	s.Help = true
	draw("help", s)
	golden(t, "help-wide.txt", Draw(s, 120, 36).String())
	s.Help, s.Glossary = false, true
	draw("glossary", s)
	s.Glossary, s.Findings = false, true
	draw("words", s)

	untraced := NewState(plain)
	l := busy(2)
	l.traced = false
	untraced.Add(sample(t, "plain", l))
	for _, view := range []string{"spans", "timeline"} {
		v, err := views.ViewOf(view)
		require.NoError(t, err)
		untraced.show(v)
		draw("untraced-"+view, untraced)
	}

	untraced.show(1)
	untraced.Sel.Sender = 2
	draw("sender", untraced)
	golden(t, "small.txt", Draw(untraced, 40, 10).String())
}

// TestScreensOverTheViews draws the form, the list of runs, the palette, the glossary and a
// measurement that is drawn by its report, at four sizes.
func TestScreensOverTheViews(t *testing.T) {
	for name, keys := range map[string][]string{
		"form": {"r", "pgdown"}, "form-wrong": {"r", "down", "down", "1"}, "list-of-runs": {"o"}, "palette": {":"}, "palette-typed": {":", "vws"},
		"glossary": {"?", "?"}, "asks": {"/", "stage=so"}, "drawn": {"7"},
	} {
		r := newRig(t, newShell(t), "before", "after")
		r.state.Look = look(t, "mono", cell.Braille, cell.NoColour)
		if name == "drawn" {
			r.state.AddMeasured(&data.Measured{Dir: "drawn", Series: []*data.Series{{Dir: "drawn", Drawn: drawnOf("gam", "vmmc")}}})
		}
		r.Keys(keys...)
		for _, size := range sizes {
			c := Draw(r.state, size[0], size[1])
			checkSize(t, c, size)
			golden(t, fmt.Sprintf("screen-%s-%dx%d.txt", name, size[0], size[1]), c.String())
		}
	}
}

// TestEverySizeIsDrawn: no size and no selection makes a picture fail.
func TestEverySizeIsDrawn(t *testing.T) {
	if testing.Short() {
		t.Skip("drawing only")
	}
	s := two(t, look(t, "dark", cell.Braille, cell.TrueColour))
	empty := NewState(s.Look)
	empty.Add(data.NewData("bare", bare(t), nil))
	for _, state := range []*State{s, empty} {
		for i := range views.Kinds {
			state.show(i)
			for _, kind := range []string{"all", "data", "page-reply/later"} {
				require.NoError(t, state.Sel.SetKind(kind))
				for w := 1; w < 210; w += 13 {
					for h := 1; h < 70; h += 7 {
						Draw(state, w, h).ANSI(state.Look.Theme, state.Look.Depth)
					}
				}
			}
		}
	}
}
