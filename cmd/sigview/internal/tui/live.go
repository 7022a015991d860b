package tui

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
)

// live is the progress of a run as the screen shows it.
type live struct {
	stage       string
	done, total int64 // total is 0 if it is not known
	packets     int64
	messages    bool // packets are messages
	simulatedNs int64
	elapsed     time.Duration
	paused      bool
	ended       bool
	stopped     bool // by the user
	trouble     string
}

func (l *live) line() string {
	text := l.stage + ":"
	if l.total > 0 {
		text += fmt.Sprintf(" %.0f %%,", 100*float64(l.done)/float64(l.total))
	}
	what := "packets"
	if l.messages {
		what = "messages"
	}
	text += fmt.Sprintf(" %s %s", analysis.Digits(l.packets), what)
	if s := l.elapsed.Seconds(); s > 0 && l.packets > 0 {
		text += fmt.Sprintf(", %s a second", analysis.Digits(int64(float64(l.packets)/s)))
	}
	if l.simulatedNs > 0 {
		text += fmt.Sprintf(", %s simulated", analysis.Time(float64(l.simulatedNs)))
	}
	if l.paused {
		return "PAUSED  " + text + "  (p resumes, . does one step, x stops)"
	}
	return text + "  (p pauses, x stops)"
}

// Intervals for a run in progress.
const (
	liveEvery  = 100 * time.Millisecond // how often the screen asks
	tableEvery = 400 * time.Millisecond // how often the tables are made
)

// runner runs a program in a goroutine of its own. It keeps only its newest state,
// which the screen asks for. The program never waits for the screen.
type runner struct {
	task   Task
	cancel context.CancelFunc
	began  time.Time

	mu      sync.Mutex
	wake    *sync.Cond
	now     live
	paused  bool
	steps   int           // allowed while paused
	idle    time.Duration // spent in pauses
	data    *data.Data    // not yet shown
	made    time.Time     // when data was made
	stopped bool
	run     *trace.Run // when ended well
	dir     string     // that was written instead
	said    string
}

// start runs a program, or another command.
func start(ctx context.Context, shell Shell, task Task) *runner {
	ctx, cancel := context.WithCancel(ctx)
	r := &runner{task: task, cancel: cancel, began: time.Now()}
	r.wake = sync.NewCond(&r.mu)
	r.now = live{stage: "starting"}
	context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.stopped = true
		r.wake.Broadcast()
	})
	go r.work(ctx, shell)
	return r
}

// work runs the program to its end. A panic of the model becomes an error.
func (r *runner) work(ctx context.Context, shell Shell) {
	var run *trace.Run
	var dir, said string
	var err error
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the model stopped: %v", p)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.now.ended = true
		r.dir, r.said = dir, said
		if r.run = run; err != nil {
			r.run, r.now.trouble = nil, err.Error()
		}
		r.cancel()
	}()
	if r.task.Spec == nil {
		dir, said, err = r.task.Do(ctx, r.watch)
		return
	}
	run, err = shell.Run(ctx, *r.task.Spec, r.watch)
}

// watch receives the progress of the program.
func (r *runner) watch(p experiment.Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now.stage, r.now.packets = p.Stage, p.Packets
	r.now.done, r.now.total, r.now.messages = p.Done, p.Total, p.Unit == "messages"
	if p.SimulatedNs > 0 {
		r.now.simulatedNs = p.SimulatedNs
	}
	from := time.Now()
	r.now.elapsed = from.Sub(r.began) - r.idle
	if p.Look != nil && r.data == nil && from.Sub(r.made) > tableEvery {
		// The screen may ask while the tables are made.
		r.mu.Unlock()
		run, err := p.Look()
		var d *data.Data
		if err == nil {
			d = data.NewData(data.LiveName, *run, nil)
			d.Partial = true
		}
		r.mu.Lock()
		r.data, r.made = d, time.Now()
	}
	for r.paused && r.steps == 0 && !r.stopped {
		r.wake.Wait()
	}
	r.steps = max(r.steps-1, 0)
	r.idle += time.Since(from)
}

func (r *runner) stop() {
	r.mu.Lock()
	r.now.stopped = true
	r.mu.Unlock()
	r.cancel()
}

func (r *runner) pause(paused bool, steps int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paused, r.now.paused, r.steps = paused, paused, steps
	r.made = time.Time{} // show where it stands
	r.wake.Broadcast()
}

// liveTick is the newest state of a run.
type liveTick struct {
	of   *runner
	now  live
	data *data.Data
	run  *trace.Run
	dir  string // written by another command
	said string
}

// ask waits for a short time and takes the newest state.
func (r *runner) ask() tea.Cmd {
	return tea.Tick(liveEvery, func(time.Time) tea.Msg {
		r.mu.Lock()
		defer r.mu.Unlock()
		out := liveTick{r, r.now, r.data, r.run, r.dir, r.said}
		r.data = nil
		return out
	})
}
