package main

import (
	"bytes"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/report/chart/cell"
)

func TestStyleFollowsTheScreen(t *testing.T) {
	for _, c := range []struct {
		name     string
		terminal bool
		noColor  string
		flag     names.Word[colours]
		want     bool
	}{
		{"terminal", true, "", "auto", true},
		{"pipe", false, "", "auto", false},
		{"NO_COLOR", true, "1", "auto", false},
		{"asked for", false, "1", "always", true},
		{"declined", true, "", "never", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("NO_COLOR", c.noColor)
			a := newApp(&bytes.Buffer{}, &bytes.Buffer{})
			a.screen.outColor, a.color = c.terminal, c.flag
			require.Equal(t, c.want, a.style().Colour)
		})
	}
}

func TestLocale(t *testing.T) {
	for _, c := range []struct {
		all, ctype, lang string
		want             bool
	}{
		{"", "", "", true},
		{"", "", "en_GB.UTF-8", true},
		{"", "", "C", false},
		{"C.utf8", "", "C", true},
		{"", "POSIX", "en_GB.UTF-8", false},
	} {
		env := map[string]string{"LC_ALL": c.all, "LC_CTYPE": c.ctype, "LANG": c.lang}
		require.Equal(t, c.want, cell.UTF8(func(k string) string { return env[k] }), "%+v", c)
	}
}

// TestProgressNeedsATerminal: a pipe gets no bar, and neither does a quiet run.
func TestProgressNeedsATerminal(t *testing.T) {
	a := newApp(&bytes.Buffer{}, &bytes.Buffer{})
	watch, done := a.watch()
	require.Nil(t, watch)
	done()
	a.screen.errTerminal = true
	watch, done = a.watch()
	require.NotNil(t, watch)
	done()
	a.quiet = true
	watch, _ = a.watch()
	require.Nil(t, watch)
}

// TestTerminalsAreNotAsked: a terminal that does not answer questions must not delay a
// command that shows no views.
func TestTerminalsAreNotAsked(t *testing.T) {
	script, err := exec.LookPath("script")
	if err != nil {
		t.Skip("script is not installed: no command is tried in a terminal")
	}
	for _, words := range []string{"version", "platforms", "run --help", "nonsense"} {
		cmd := exec.Command(script, "-qc", os.Args[0]+" "+words, "/dev/null")
		cmd.Env = append(os.Environ(), asProgram+"=1", "TERM=xterm-256color")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", words, out)
		require.NotEmpty(t, out)
		require.NotContains(t, string(out), "\x1b", "%s: the terminal is asked something", words)
	}
}
