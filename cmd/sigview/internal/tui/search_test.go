package tui

import (
	"strings"
	"testing"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/stretchr/testify/require"
)

// marked returns the lines of the screen that begin with the mark of what was found.
func (r *rig) marked() (out []string) {
	for _, l := range strings.Split(r.Text(), "\n") {
		if strings.HasPrefix(l, "▶") {
			out = append(out, l)
		}
	}
	return out
}

// TestTextIsFound: in every text a slash goes to a line with all words, n and N to the next and the one before, around
// the ends; matches are marked without colours too.
func TestTextIsFound(t *testing.T) {
	for _, text := range []struct {
		open  []string
		words string
	}{{[]string{"?"}, "COPY"}, {[]string{"?", "?"}, "packet"}, {[]string{"w"}, "the"}} {
		r := newRig(t, newShell(t), "before", "after")
		r.state.Look = look(t, "mono", cell.Braille, cell.NoColour)
		r.Keys(text.open...)
		r.Keys("/", text.words, "enter")
		lines, _ := r.state.reading(r.width)
		found := lines.Matches()
		require.Greater(t, len(found), 1, text.words)
		require.Equal(t, found[0], r.state.Match)
		for range found {
			require.Len(t, r.marked(), 1)
			for _, w := range strings.Fields(strings.ToLower(text.words)) {
				require.Contains(t, strings.ToLower(lines.Lines[r.state.Match].Text), w)
			}
			require.Contains(t, r.View(), "\x1b[7m")
			r.Keys("n")
		}
		require.Equal(t, found[0], r.state.Match, "around the end")
		r.Keys("N")
		require.Equal(t, found[len(found)-1], r.state.Match)
		r.Keys("/", "no such words", "enter")
		require.Contains(t, r.state.Note, "no line has")
		require.Empty(t, r.marked())
		r.Keys("esc")
		require.NotContains(t, r.View(), "\x1b[7mno")
		require.Zero(t, r.state.View)
	}
}

// TestRowsAreFound: words without "=" leave the rows that have them, in every view with rows, and mark them there.
func TestRowsAreFound(t *testing.T) {
	r := &rig{NewModel(t.Context(), nil, two(t, look(t, "mono", cell.Braille, cell.NoColour)), nil), t}
	for _, view := range []struct {
		keys, words string
		rows        func() int
	}{
		{"0", "Dest", func() int { return len(views.Found(&r.state.Scene)) }},
		{"0m", "2 3", func() int { return len(viewOf[*views.OverviewView](r).Nodes.View(&r.state.Scene).Rows) }},
		{"5", "lock", func() int { return len(views.Listed(&r.state.Sel, r.state.Data())) }},
		{"9", "dest", func() int { return len(views.Compare(&r.state.Scene).Changes) }},
	} {
		r.Keys("a", view.keys)
		all := view.rows()
		r.Keys("/", "end", " "+view.words, "enter")
		require.Positive(t, view.rows(), view.words)
		require.Less(t, view.rows(), all, view.words)
		if view.keys != "0m" { // there words are whole numbers
			require.Regexp(t, `(?i)\x1b\[(1;)?7m`+view.words, r.View())
		}
		require.Contains(t, r.line2(), "/"+view.words)
		r.Keys("a", strings.TrimPrefix(view.keys, "0"), "/", "end", " nowhere", "enter")
		require.Zero(t, view.rows())
		r.Keys("enter")
		require.NotEmpty(t, r.Text())
		r.Keys("0")
	}
}
