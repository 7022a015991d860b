// Package tmux runs programs in a real terminal, for tests.
package tmux

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Terminal is a terminal of 80 columns and 24 lines in tmux.
type Terminal struct {
	t      *testing.T
	socket string
}

// Start runs a shell script in a terminal of its own. It skips the test where there is no tmux.
func Start(t *testing.T, script string) *Terminal {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed: the views are not tried in a real terminal")
	}
	if testing.Short() {
		t.Skip("short: the views are not tried in a real terminal")
	}
	// The path of a socket may not be long.
	dir, err := os.MkdirTemp("", "sv")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	tm := &Terminal{t, filepath.Join(dir, "s")}
	tm.Do("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "sh", "-c", script)
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", tm.socket, "kill-server").Run() })
	return tm
}

// Do runs a command of tmux and returns what it prints.
func (tm *Terminal) Do(args ...string) string {
	tm.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-S", tm.socket}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TERM=xterm-256color", "XDG_CONFIG_HOME="+filepath.Dir(tm.socket)) // where nothing is configured
	out, err := cmd.CombinedOutput()
	require.NoError(tm.t, err, "tmux %v: %s", args, out)
	return string(out)
}

// Keys presses keys.
func (tm *Terminal) Keys(keys ...string) { tm.Do(append([]string{"send-keys"}, keys...)...) }

// Wait waits until the screen shows a text, and returns the screen. It gives up half a minute before
// the time of all tests is over, so that the screen is printed: a machine under load is no fault.
func (tm *Terminal) Wait(text string) string {
	tm.t.Helper()
	screen := ""
	for end := tm.end(); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if screen = tm.Do("capture-pane", "-p"); strings.Contains(screen, text) {
			return screen
		}
	}
	require.Fail(tm.t, "the screen does not show "+text, screen)
	return ""
}

func (tm *Terminal) end() time.Time {
	if end, limited := tm.t.Deadline(); limited {
		return end.Add(-30 * time.Second)
	}
	return time.Now().Add(time.Hour)
}
