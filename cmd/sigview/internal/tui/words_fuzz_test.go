package tui

import (
	"strings"
	"sync"
	"testing"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/stretchr/testify/require"
)

// FuzzSelectionWords: words that are accepted are shown as words that select the same.
func FuzzSelectionWords(f *testing.F) {
	for _, text := range []string{"kind=page-reply/first stage=dest size=2000", "zoom=64-1024", "from=1 to=500", "dest up", "sender=9", "at=1e9", "baseline=off intervals=on", "row=-1", "scale=log curve=3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := NewState(Look{})
		if s.selectAfresh(text) != nil {
			return
		}
		again := NewState(Look{})
		require.NoError(t, again.selectBy(s.Text()), "%q is shown as %q", text, s.Text())
		require.Equal(t, s.Sel, again.Sel, text)
	})
}

// FuzzCommand: a line after a colon leaves a screen that can be drawn.
func FuzzCommand(f *testing.F) {
	for _, text := range []string{"view clock", "view signature", "select size=2000 stage=net", "theme mono", "glyphs ascii", "command", "list", "run fft", "measure logp", "again", "baseline base", "nothing"} {
		f.Add(text)
	}
	var shell *fakeShell
	var before *data.Data
	var once sync.Once // to make the run anew takes most of the time
	prepare := func(t *testing.T) {
		shell = newShell(t)
		r := newRig(t, shell, "before")
		before = r.state.Data()
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.HasPrefix(strings.TrimSpace(text), "e") || len(text) > 100 {
			return // export writes files
		}
		once.Do(func() { prepare(t) })
		s := NewState(look(t, "dark", cell.Braille, cell.Colours256))
		s.Add(before)
		r := &rig{NewModel(t.Context(), shell, s, nil), t}
		r.width, r.height = 100, 30
		r.run(r.command(text), 0)
		require.NotEmpty(t, r.Text())
	})
}
