//go:build unix

package tui

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

// asProgram makes the test binary the program itself, with runs that are made
// up, so that it can be used in a real terminal.
const asProgram = "SIGVIEW_TEST_VIEWS"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o := Options{Dirs: []string{"broken", "before", "after"}, Environ: os.Environ()}
	s, err := o.State(os.Stdout)
	if err == nil {
		err = runModel(ctx, fragile{NewModel(ctx, fakeLab(inProgram{}), s, o.Dirs)}, os.Stdin, os.Stdout)
	}
	fmt.Println("ended:", err)
	if err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// inProgram lets made-up runs be made outside of a test.
type inProgram struct{ testing.TB }

func (inProgram) Helper()                      {}
func (inProgram) Errorf(f string, args ...any) { panic(fmt.Sprintf(f, args...)) }
func (inProgram) FailNow()                     { panic("failed") }

// fragile panics at an exclamation mark.
type fragile struct{ *Model }

func (f fragile) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok && k.String() == "!" {
		panic("a planted fault")
	}
	_, cmd := f.Model.Update(msg)
	return f, cmd
}

// terminal is a real one, in tmux.
type terminal struct {
	t      *testing.T
	socket string
}

// newTerminal runs the program in a shell that says afterwards how it ended
// and how it left the terminal.
func newTerminal(t *testing.T, env string) *terminal {
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
	tm := &terminal{t, filepath.Join(dir, "s")}
	program, err := os.Executable()
	require.NoError(t, err)
	script := fmt.Sprintf("%s=1 %s %q; echo \"exit=$?\"; stty -a | tr ';' '\\n' | grep -ow -- '-\\?icanon\\|-\\?echo' | tr '\\n' ' '; echo restored; exec cat", asProgram, env, program)
	tm.tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "sh", "-c", script)
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", tm.socket, "kill-server").Run() })
	return tm
}

func (tm *terminal) tmux(args ...string) string {
	tm.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-S", tm.socket}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TERM=xterm-256color")
	out, err := cmd.CombinedOutput()
	require.NoError(tm.t, err, "tmux %v: %s", args, out)
	return string(out)
}

func (tm *terminal) keys(keys ...string) { tm.tmux(append([]string{"send-keys"}, keys...)...) }

// wait waits until the screen shows a text.
func (tm *terminal) wait(text string) string {
	tm.t.Helper()
	screen := ""
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if screen = tm.tmux("capture-pane", "-p"); strings.Contains(screen, text) {
			return screen
		}
	}
	require.Fail(tm.t, "the screen does not show "+text, screen)
	return ""
}

// restored checks that the terminal is as it was.
func (tm *terminal) restored(exit string) {
	tm.t.Helper()
	screen := tm.wait("restored")
	require.Contains(tm.t, screen, exit)
	require.Contains(tm.t, screen, "icanon echo ")
	require.Equal(tm.t, "0 1 0 0", strings.TrimSpace(tm.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_flag}")))
}

func TestRealTerminal(t *testing.T) {
	tm := newTerminal(t, "")
	tm.wait("Findings, worst")
	for i, text := range []string{"mean latency", "Net latency", "rows send", "by percentile", "was not traced", "was not traced", "No measurement", "by global time", "µs class"} {
		tm.keys(fmt.Sprint(i + 1))
		tm.wait(text)
	}
	tm.keys("]", "5")
	tm.wait("The longest")
	tm.keys("6", "+", "l")
	tm.wait("packets in Net at each node")
	tm.keys("1")
	for _, size := range [][2]string{{"200", "60"}, {"60", "18"}, {"30", "8"}, {"120", "40"}} {
		tm.tmux("resize-window", "-x", size[0], "-y", size[1])
		if size[0] == "30" {
			tm.wait("needs 60×18")
			continue
		}
		tm.wait("packets by size")
	}
	tm.keys("?")
	tm.wait("cursor left")
	tm.keys("Escape")
	tm.wait("packets by size")
	tm.keys(":", "open gam", "Enter")
	tm.wait("knee")
	tm.keys(":", "open meiko", "Enter")
	tm.wait("over it:  a gam on ppro")
	tm.keys("v", "v", "s", "m", "m")
	tm.wait("has no parameters. m shows another plot")
	tm.keys(":", "vi", "Tab", "cl", "Tab")
	tm.wait("view clock")
	tm.keys("Enter")
	tm.wait("by global time")
	tm.keys("q")
	tm.restored("exit=0")
}

func TestTerminalAfterPanic(t *testing.T) {
	tm := newTerminal(t, "")
	tm.wait("Findings, worst")
	tm.keys("!")
	tm.restored("exit=1")
}

func TestTerminalAfterTerminate(t *testing.T) {
	tm := newTerminal(t, "NO_COLOR=1 LC_ALL=C")
	screen := tm.wait("Findings, worst")
	require.NotContains(t, screen, "µ", "no more than ASCII")
	// The shell's child is the program.
	shell := strings.TrimSpace(tm.tmux("display-message", "-p", "#{pane_pid}"))
	out, err := exec.Command("pgrep", "-P", shell).Output()
	require.NoError(t, err)
	var pid int
	_, err = fmt.Sscan(string(out), &pid)
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(pid, syscall.SIGTERM))
	tm.restored("exit=1")
}
