package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// line is what a prompt shows and what it offers.
func (r *rig) line() (text, offered string) {
	lines := strings.Split(r.Text(), "\n")
	return r.state.Prompt.input.Value(), lines[r.height-1]
}

func TestTabCompletes(t *testing.T) {
	shell := newShell(t)
	for _, dir := range []string{"runs/fft-001", "runs/fft-002", "runs/other", ".hidden"} {
		require.NoError(t, os.MkdirAll(dir, 0o755))
	}
	for _, file := range []string{"runs/fft-001/run.json", "runs/fft-002/logp.json", "runs/file"} {
		require.NoError(t, os.WriteFile(file, nil, 0o644))
	}
	r := newRig(t, shell, "before")
	for _, c := range []struct {
		open, typed, want string
		offered           []string
	}{
		{":", "op", "open ", []string{"open"}},
		{":", "", "", []string{"open", "baseline", "view", "export"}},
		{":", "view t", "view timeline ", nil},
		{":", "v s", "v s", []string{"signature", "spans"}},
		{":", "view l", "view LogP ", nil},
		{":", "theme m", "theme mono ", nil},
		{":", "glyphs a", "glyphs ascii ", nil},
		{":", "run rad", "run radix ", nil},
		{":", "open ru", "open runs/", nil},
		{":", "open runs/", "open runs/", []string{"fft-001", "fft-002", "other/"}},
		{":", "open runs/f", "open runs/fft-00", []string{"fft-001", "fft-002"}},
		{":", "open runs/fft-002", "open runs/fft-002 ", nil},
		{":", "open nowhere/", "open nowhere/", []string{"nothing begins with this"}},
		{":", "open .h", "open .hidden/", nil},
		{":", "export a.p", "export a.png ", nil},
		{":", "select st", "select stage=", nil},
		{":", "x y", "x y", []string{"nothing begins"}},
		{"/", "ki", "kind=", nil},
		{"/", "sender=1 kind=p", "sender=1 kind=page-reply", []string{"page-reply", "page-reply/first", "page-reply/later"}},
		{"/", "stage=l", "stage=lanai ", nil},
		{"/", "receiver=", "receiver=", []string{"all", "0", "3"}},
		{"/", "tag=", "tag=0 ", nil},
		{"/", "baseline=of", "baseline=off ", nil},
		{"/", "class=u", "class=under_128 ", nil},
		{"/", "nothing=", "nothing=", []string{"nothing begins"}},
	} {
		r.Keys(c.open, "ctrl+u", c.typed, "tab")
		text, offered := r.line()
		require.Equal(t, c.want, text, "%s%s", c.open, c.typed)
		for _, w := range c.offered {
			require.Contains(t, offered, w, "%s%s", c.open, c.typed)
		}
		r.Keys("esc")
	}
	require.NotContains(t, dirs(t, ""), ".hidden/")
	require.Equal(t, []string{"runs/"}, dirs(t, "r"))
}

func dirs(t *testing.T, begin string) []string {
	t.Helper()
	return completeDirs(begin, 0)().(completed).words
}

// TestTabAgainGoesOn from word to word; another key takes the one shown.
func TestTabAgainGoesOn(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.Keys(":", "view ", "tab", "tab")
	text, _ := r.line()
	require.Equal(t, "view overview", text)
	r.Keys("tab", "tab")
	text, offered := r.line()
	require.Equal(t, "view histogram", text)
	require.Contains(t, offered, "histogram")
	r.Keys("enter")
	require.Equal(t, "histogram", views.Kinds[r.state.View].Name)
	r.Keys("e", "ctrl+u", "x.", "tab", "tab")
	text, _ = r.line()
	require.Equal(t, "x.svg", text)
	r.Keys("y")
	require.Nil(t, r.state.Prompt.made)
}

// TestLateWordsAreNotTaken: a directory that was slow to read does not change
// what has been written since.
func TestLateWordsAreNotTaken(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.Keys(":", "open x")
	r.send(completed{line: "open ", from: 5, words: []string{"runs/"}})
	text, _ := r.line()
	require.Equal(t, "open x", text)
	r.Keys("esc")
	r.send(completed{line: "open ", from: 5, words: []string{"runs/"}})
	require.Nil(t, r.state.Prompt)
}

func TestManyWordsFitTheLine(t *testing.T) {
	shell := newShell(t)
	for i := range 300 {
		require.NoError(t, os.Mkdir(filepath.Join(".", "dir"+strings.Repeat("x", i%40)+string(rune('a'+i%26))+strings.Repeat("y", i/40)), 0o755))
	}
	require.LessOrEqual(t, len(dirs(t, "")), mostDirs)
	r := newRig(t, shell, "before")
	r.Keys(":", "open ", "tab", "tab")
	_, offered := r.line()
	require.Contains(t, offered, "more")
	for range 60 {
		r.Keys("tab")
	}
	text, offered := r.line()
	require.Contains(t, offered, strings.TrimSpace(strings.TrimPrefix(text, "open ")), "the one taken is in view")
}

// TestCompletionKeepsWhatIsWritten: a tab only adds, whatever the line is.
func TestCompletionKeepsWhatIsWritten(t *testing.T) {
	t.Chdir(t.TempDir())
	r := newRig(t, newShell(t), "before")
	rapid.Check(t, func(rt *rapid.T) {
		line := rapid.StringMatching(`[a-z/=. ]{0,12}`).Draw(rt, "line")
		for _, complete := range []completer{r.completeCommand, r.completeSelection, completeFile} {
			p := newPrompt(":", line, nil, complete)
			r.state.Prompt = p
			r.run(p.tab(1), 0)
			require.True(rt, strings.HasPrefix(strings.ToLower(p.input.Value()), line), "%q became %q", line, p.input.Value())
		}
		r.state.Prompt = nil
	})
}
