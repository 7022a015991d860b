package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestConfigIsStrict: an error names the file, the line, the field, the value and what is wanted.
func TestConfigIsStrict(t *testing.T) {
	for text, want := range map[string]string{
		"theme = \"mauve\"":    `c.toml:1: theme is "mauve", want auto, dark, light or mono`,
		"\ntheme = 3":          "c.toml:2: theme is an integer, want a string in quotes",
		"units = \"ms\"":       "c.toml:1: units is no field of a configuration, want theme or a table keys",
		"keys = 3":             "keys is an integer, want a table",
		"[keys]\nunod = \"u\"": `c.toml:2: keys.unod is not the name of an action, want "undo"`,
		"[keys]\nundo = \"n\"": `c.toml:2: keys.undo is "n", want a key that next-slowest does not have`,
		"[keys]\nundo = \"f\"\nredo = [\"g\", \"f\"]": "want a key that",
		"[keys]\nundo = 3":                            "c.toml:2: keys.undo is an integer, want a key in quotes, or a list of them",
		"[keys]\nundo = [\"ctrl+z\", 3]":              "want a key in quotes, or a list of them",
		"[keys]\nundo = \"7\"":                        `keys.undo is "7", want another key: 0 to 9 lead to views`,
		"[keys]\nundo = \"ctrl+ä\"":                   `keys.undo is "ctrl+ä", want a character, or a key as "f5", "pgdown" or "ctrl+z"`,
		"[keys]\nquit = []":                           "c.toml:2: keys.quit is empty, want at least one key, to get out",
		"[keys\n":                                     "c.toml:1: ",
	} {
		_, err := parseConfig("c.toml", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

// TestConfiguredKeysAct and are those of the help.
func TestConfiguredKeysAct(t *testing.T) {
	c, err := parseConfig("c.toml", []byte("theme = \"light\"\n[keys]\nnext-slowest = \"f5\"\nundo = [\"n\", \"ctrl+z\"]\nmarked = []\n"))
	require.NoError(t, err)
	s, err := Options{Config: c}.State(os.Stdout)
	require.NoError(t, err)
	require.Equal(t, "light", s.Look.Theme.Name)
	s, err = Options{Config: c, Theme: "mono"}.State(os.Stdout)
	require.NoError(t, err)
	require.Equal(t, "mono", s.Look.Theme.Name, "the flag")
	r := newRig(t, newShell(t), "before")
	r.state.keys = s.keys
	r.Keys("1", "n")
	require.Zero(t, r.state.View, "n undoes")
	r.send(tea.KeyMsg{Type: tea.KeyF5})
	require.Contains(t, r.state.Note, "Number 1 of")
	require.Contains(t, r.Text(), "f5 slowest")
	r.Keys("M")
	require.Empty(t, r.state.Note)
	r.Keys("?")
	help := r.pages()
	require.Regexp(t, `n \^Z +undo`, help)
	require.Regexp(t, `f5 +slowest`, help)
	require.NotContains(t, help, "marked:")
	require.Contains(t, usualKeys.of(action.Undo).Keys(), "ctrl+z", "the usual keys stay")
}

// TestConfigFileIsRead where the user keeps configurations; without one all is as usual.
func TestConfigFileIsRead(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	c, err := ReadConfig()
	require.NoError(t, err)
	require.Equal(t, Config{}, c)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sigview"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ConfigFile), []byte("theme = \"light\"\n"), 0o644))
	c, err = ReadConfig()
	require.NoError(t, err)
	require.Equal(t, "light", c.theme)
	require.NoError(t, os.WriteFile(filepath.Join(dir, ConfigFile), []byte("themes = \"light\"\n"), 0o644))
	_, err = ReadConfig()
	require.ErrorContains(t, err, filepath.Join(dir, ConfigFile))
}

// TestEveryActionCanHaveAnyKey that no other has.
func TestEveryActionCanHaveAnyKey(t *testing.T) {
	keys := strings.Fields("f5 ctrl+q alt+x d shift+up ctrl+left space § delete")
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SampledFrom(usualKeys).Draw(t, "action")
		k := rapid.SampledFrom(keys).Draw(t, "key")
		if k == "space" {
			k = " "
		}
		c, err := parseConfig("c.toml", []byte("[keys]\n"+b.called+" = \""+k+"\"\n"))
		require.NoError(t, err)
		require.Equal(t, b.do, c.keys.action(typed(k)))
	})
}

// typed is a key as terminals name it.
type typed string

func (k typed) String() string { return string(k) }
