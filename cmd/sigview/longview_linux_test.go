//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cmd/sigview/internal/tui"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
)

// timed notes how long each message takes, with the picture after it: the processor's time,
// and that of a clock.
type timed struct {
	*tui.Model
	mu      *sync.Mutex
	longest *[2]time.Duration
	began   [2]time.Duration
	text    *string
}

func (t *timed) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	runtime.LockOSThread() // of which the processor's time is measured
	t.began = now()
	_, cmd := t.Model.Update(msg)
	return t, cmd
}

func (t *timed) View() string {
	text := t.Model.View()
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, end := range now() {
		t.longest[i] = max(t.longest[i], end-t.began[i])
	}
	*t.text = text
	return text
}

// now returns the time of the thread and that of a clock.
func now() [2]time.Duration {
	var use syscall.Rusage
	_ = syscall.Getrusage(1 /* the thread */, &use)
	return [2]time.Duration{time.Duration(use.Utime.Nano() + use.Stime.Nano()), time.Since(started)}
}

var started = time.Now()

// TestViewOfALongTrace prints how long the keys of every view take on the run of
// $SIGVIEW_RUN, in ms of the processor and of a clock, while what they ask for is being read.
func TestViewOfALongTrace(t *testing.T) {
	dir := os.Getenv("SIGVIEW_RUN")
	if dir == "" {
		t.Skip("SIGVIEW_RUN names no run")
	}
	show := func(ctx context.Context, a *app, o tui.Options, state *tui.State) error {
		var mu sync.Mutex
		var longest [2]time.Duration
		var text string
		p := tea.NewProgram(&timed{Model: tui.NewModel(ctx, shell{a}, state, o.Dirs), mu: &mu, longest: &longest, text: &text},
			tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithContext(ctx), tea.WithoutSignals())
		ended := make(chan error)
		go func() { _, err := p.Run(); ended <- err }()
		var worst [2]time.Duration
		press := func(key string) string {
			var took [2]time.Duration
			mu.Lock()
			longest = [2]time.Duration{}
			mu.Unlock()
			if msg, ok := keysOf[key]; ok {
				p.Send(msg)
			} else {
				p.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key)})
			}
			for quiet := 0; quiet < 3; {
				time.Sleep(20 * time.Millisecond)
				mu.Lock()
				took = longest
				busy := strings.Contains(text, "reading ")
				mu.Unlock()
				if quiet++; busy {
					quiet = 0
				}
			}
			worst[0], worst[1] = max(worst[0], took[0]), max(worst[1], took[1])
			return fmt.Sprintf("%s %.1f/%.1f", key, took[0].Seconds()*1e3, took[1].Seconds()*1e3)
		}
		begin := time.Now()
		p.Send(tea.WindowSizeMsg{Width: 120, Height: 40})
		for {
			time.Sleep(5 * time.Millisecond)
			mu.Lock()
			shown := strings.Contains(text, "Findings")
			mu.Unlock()
			if shown {
				break
			}
		}
		fmt.Printf("first picture %v\n", time.Since(begin).Round(time.Millisecond))
		press("?")
		fmt.Printf("all read %v, %s\n", time.Since(begin).Round(time.Millisecond), memory())
		press("?")
		for view, name := range views.Views() {
			worst = [2]time.Duration{}
			line := press(fmt.Sprint(view))
			for _, key := range strings.Fields(os.Getenv("SIGVIEW_KEYS") + " down right enter esc " + fmt.Sprint(view) + " S s m K c t a + + + right - - - n N u U b i w esc " + fmt.Sprint(view)) {
				line += "  " + press(key)
			}
			fmt.Printf("%s: longest %.1f ms of the processor, %.1f of a clock; %s\n  %s\n", name, worst[0].Seconds()*1e3, worst[1].Seconds()*1e3, memory(), line)
		}
		p.Kill()
		<-ended
		return nil
	}
	o := tui.Options{Dirs: []string{dir}, Environ: os.Environ()}
	state, err := o.State(io.Discard)
	require.NoError(t, err)
	require.NoError(t, show(t.Context(), newApp(io.Discard, os.Stderr), o, state))
}

var keysOf = map[string]tea.KeyMsg{
	"down": {Type: tea.KeyDown}, "right": {Type: tea.KeyRight}, "enter": {Type: tea.KeyEnter}, "esc": {Type: tea.KeyEsc},
}

// memory is the largest memory that the process has had.
func memory() string {
	status, _ := os.ReadFile("/proc/self/status")
	return string(regexp.MustCompile(`VmHWM:\s+\d+ kB`).Find(status))
}
