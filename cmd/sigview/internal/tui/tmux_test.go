//go:build unix

package tui

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cmd/sigview/internal/tmux"
)

// asProgram makes the test binary the program itself, with runs that are made
// up, so that it can be used in a real terminal.
const asProgram = "SIGVIEW_TEST_VIEWS"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		code := m.Run()
		_ = os.RemoveAll(longFolder.dir)
		os.Exit(code)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o := Options{Dirs: []string{"broken", "before", "after"}, Environ: os.Environ()}
	s, err := o.State(os.Stdout)
	if err == nil {
		err = runModel(ctx, fragile{NewModel(ctx, newShell(inProgram{}), s, o.Dirs)}, os.Stdin, os.Stdout)
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
func (inProgram) TempDir() string {
	dir, err := os.MkdirTemp("", "sigview-views")
	if err != nil {
		panic(err)
	}
	return dir
}
func (inProgram) Chdir(dir string) {
	if err := os.Chdir(dir); err != nil {
		panic(err)
	}
}

// fragile panics at an exclamation mark.
type fragile struct{ *Model }

func (f fragile) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok && k.String() == "!" {
		panic("a planted fault")
	}
	_, cmd := f.Model.Update(msg)
	return f, cmd
}

// newTerminal runs the program in a shell that says afterwards how it ended
// and how it left the terminal.
func newTerminal(t *testing.T, env string) *tmux.Terminal {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	return tmux.Start(t, fmt.Sprintf("%s=1 %s %q; echo \"exit=$?\"; stty -a | tr ';' '\\n' | grep -ow -- '-\\?icanon\\|-\\?echo' | tr '\\n' ' '; echo restored; exec cat", asProgram, env, program))
}

// restored checks that the terminal is as it was.
func restored(t *testing.T, tm *tmux.Terminal, exit string) {
	t.Helper()
	screen := tm.Wait("restored")
	require.Contains(t, screen, exit)
	require.Contains(t, screen, "icanon echo ")
	require.Equal(t, "0 1 0 0", strings.TrimSpace(tm.Do("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_flag}")))
}

func TestRealTerminal(t *testing.T) {
	tm := newTerminal(t, "")
	tm.Wait("Findings, worst")
	for i, text := range []string{"mean latency", "Net latency", "rows send", "by percentile", "was not traced", "was not traced", "No measurement", "by global time", "µs class"} {
		tm.Keys(fmt.Sprint(i + 1))
		tm.Wait(text)
	}
	tm.Keys("]", "5")
	tm.Wait("The longest")
	tm.Keys("6", "+", "l")
	tm.Wait("packets in Net at each node")
	tm.Keys("1")
	for _, size := range [][2]string{{"200", "60"}, {"60", "18"}, {"30", "8"}, {"120", "40"}} {
		tm.Do("resize-window", "-x", size[0], "-y", size[1])
		if size[0] == "30" {
			tm.Wait("needs 60×18")
			continue
		}
		tm.Wait("packets by size")
	}
	tm.Keys("?")
	tm.Wait("cursor left")
	tm.Keys("Escape")
	tm.Wait("packets by size")
	tm.Keys(":", "open gam", "Enter")
	tm.Wait("knee")
	tm.Keys(":", "open meiko", "Enter")
	tm.Wait("over it:  a gam on ppro")
	tm.Keys("v", "v", "s", "m")
	tm.Wait("has no parameters. m shows another plot")
	tm.Keys(":", "vi", "Tab", "cl", "Tab")
	tm.Wait("view clock")
	tm.Keys("Enter")
	tm.Wait("by global time")
	tm.Keys("q")
	restored(t, tm, "exit=0")
}

func TestTerminalAfterPanic(t *testing.T) {
	tm := newTerminal(t, "")
	tm.Wait("Findings, worst")
	tm.Keys("!")
	restored(t, tm, "exit=1")
}

func TestTerminalAfterTerminate(t *testing.T) {
	tm := newTerminal(t, "NO_COLOR=1 LC_ALL=C")
	screen := tm.Wait("Findings, worst")
	require.NotContains(t, screen, "µ", "no more than ASCII")
	// The shell's child is the program.
	shell := strings.TrimSpace(tm.Do("display-message", "-p", "#{pane_pid}"))
	out, err := exec.Command("pgrep", "-P", shell).Output()
	require.NoError(t, err)
	var pid int
	_, err = fmt.Sscan(string(out), &pid)
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(pid, syscall.SIGTERM))
	restored(t, tm, "exit=1")
}
