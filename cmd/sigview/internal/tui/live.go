package tui

import (
	"context"
	"fmt"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
)

// Live is a run in progress as it is shown.
type Live struct {
	Spec        experiment.RunSpec
	Stage       string
	Done        int64
	Unit        string
	SimulatedNs int64
	Elapsed     time.Duration
	Paused      bool
	Ended       bool
	Stopped     bool // by the user
	Error       string
}

// Running reports whether the run goes on.
func (l *Live) Running() bool { return !l.Ended }

func (l *Live) line() string {
	text := fmt.Sprintf("%s: %s %s", l.Stage, analysis.Digits(l.Done), l.Unit)
	if s := l.Elapsed.Seconds(); s > 0 && l.Done > 0 {
		text += fmt.Sprintf(", %s a second", analysis.Digits(int64(float64(l.Done)/s)))
	}
	if l.SimulatedNs > 0 {
		text += fmt.Sprintf(", %.3f ms simulated", float64(l.SimulatedNs)/1e6)
	}
	if l.Paused {
		return "PAUSED  " + text + "  (p goes on, . one step, x stops)"
	}
	return text + "  (p pauses, x stops)"
}

// Where a run in progress is looked at.
const (
	liveEvery  = 100 * time.Millisecond // how often the screen asks
	tableEvery = 400 * time.Millisecond // how often the tables are made
)

// runner runs a program in a goroutine of its own. What it has to say waits
// in one place, the newest only, until the screen asks for it: the program
// never waits for the screen, and nothing piles up.
type runner struct {
	spec   experiment.RunSpec
	cancel context.CancelFunc
	began  time.Time

	mu      sync.Mutex
	wake    *sync.Cond
	now     Live
	paused  bool
	steps   int           // allowed while paused
	idle    time.Duration // spent in pauses
	data    *Data         // not yet shown
	made    time.Time     // when data was made
	stopped bool
	run     *trace.Run // when ended well
	ended   bool
}

// start runs a program.
func start(ctx context.Context, lab Lab, spec experiment.RunSpec) *runner {
	ctx, cancel := context.WithCancel(ctx)
	r := &runner{spec: spec, cancel: cancel, began: time.Now()}
	r.wake = sync.NewCond(&r.mu)
	r.now = Live{Spec: spec, Stage: "starting"}
	context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.stopped = true
		r.wake.Broadcast()
	})
	go r.work(ctx, lab)
	return r
}

// work runs to the end; a broken invariant of the model becomes a message.
func (r *runner) work(ctx context.Context, lab Lab) {
	var run *trace.Run
	var err error
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the model stopped: %v", p)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.ended, r.now.Ended = true, true
		if r.run = run; err != nil {
			r.run, r.now.Error = nil, err.Error()
		}
		r.cancel()
	}()
	run, err = lab.Run(ctx, r.spec, r.watch)
}

// watch is called by the experiment now and then.
func (r *runner) watch(p experiment.Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now.Stage, r.now.Unit = p.Stage, p.Unit
	r.now.Done = p.Done
	if p.SimulatedNs > 0 {
		r.now.SimulatedNs = p.SimulatedNs
	}
	from := time.Now()
	r.now.Elapsed = from.Sub(r.began) - r.idle
	if p.Look != nil && r.data == nil && from.Sub(r.made) > tableEvery {
		// While the tables are made the screen must be able to ask.
		r.mu.Unlock()
		run, err := p.Look()
		var d *Data
		if err == nil {
			d = NewData(liveName, *run, nil)
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

// liveName stands for the directory of a run that has none yet.
const liveName = "(in progress)"

func (r *runner) stop() {
	r.mu.Lock()
	r.now.Stopped = true
	r.mu.Unlock()
	r.cancel()
}

func (r *runner) pause(paused bool, steps int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paused, r.now.Paused, r.steps = paused, paused, steps
	r.made = time.Time{} // show where it stands
	r.wake.Broadcast()
}

// liveTick is what a run has to say.
type liveTick struct {
	of   *runner
	now  Live
	data *Data
	run  *trace.Run
}

// ask waits a little and takes what there is.
func (r *runner) ask() tea.Cmd {
	return tea.Tick(liveEvery, func(time.Time) tea.Msg {
		r.mu.Lock()
		defer r.mu.Unlock()
		out := liveTick{r, r.now, r.data, r.run}
		r.data = nil
		return out
	})
}

// begin starts a run that the form has asked for.
func (m *Model) begin(spec experiment.RunSpec) tea.Cmd {
	if m.runner != nil {
		m.state.Note = "A run is in progress; x stops it."
		return nil
	}
	m.state.Form = nil
	if m.state.measuring() {
		m.state.show(0) // where the run is seen
	}
	m.runner = start(m.ctx, m.lab, spec)
	m.state.Live = &Live{Spec: spec, Stage: "starting"}
	return m.runner.ask()
}

// kept says where a run's directory is.
type kept struct {
	dir  string
	data *Data
	err  error
}

func (m *Model) liveTick(msg liveTick) tea.Cmd {
	if msg.of != m.runner {
		return nil
	}
	now := msg.now
	m.state.Live = &now
	if msg.data != nil && msg.run == nil {
		if m.state.add(msg.data); m.state.data().Dir != liveName {
			m.state.activate(liveName)
		}
	}
	if !now.Ended {
		return m.runner.ask()
	}
	m.runner = nil
	if msg.run == nil {
		m.state.cutOff()
		if now.Stopped {
			m.state.Note = "The run was stopped; what it had recorded is shown, and not kept."
			return nil
		}
		m.state.Problems = append(m.state.Problems, now.Error)
		m.state.Note = "The run ended: " + now.Error
		return nil
	}
	keep, ctx, base, run := m.lab.Keep, m.ctx, m.base, msg.run
	return func() tea.Msg {
		dir, err := keep(ctx, run)
		if err != nil {
			dir = "(not kept)"
		}
		return kept{dir, NewData(dir, *run, base), err}
	}
}

func (m *Model) kept(msg kept) tea.Cmd {
	s := m.state
	s.Note = "The run has ended; it is kept in " + msg.dir + "."
	if msg.err != nil {
		s.Note = "The run has ended, but could not be kept: " + msg.err.Error()
		s.Problems = append(s.Problems, s.Note)
	}
	// It takes the place of the run in progress.
	for i, d := range s.Runs {
		if d.Dir == liveName {
			s.Runs[i] = msg.data
			s.settle()
			return nil
		}
	}
	s.add(msg.data)
	s.activate(msg.data.Dir)
	return nil
}

// cutOff keeps what a run had recorded when it was cut off, under a name that
// the next run does not take.
func (s *State) cutOff() {
	for i, d := range s.Runs {
		if d.Dir == liveName {
			last := *d
			last.Dir = fmt.Sprintf("(cut off %d)", i+1)
			s.replace(d, &last)
		}
	}
}

func (s *State) activate(dir string) {
	for i, d := range s.Runs {
		if d.Dir == dir {
			if s.Over == i {
				s.Over = s.Active
			}
			s.Active = i
			s.settle()
		}
	}
}

// steer pauses, steps and stops.
func (m *Model) steer(a action) {
	if m.runner == nil {
		m.state.Note = "No run is in progress; r starts one."
		return
	}
	switch a {
	case pauseRun:
		m.runner.pause(!m.state.Live.Paused, 0)
		m.state.Live.Paused = !m.state.Live.Paused
	case stepRun:
		m.runner.pause(true, 1)
		m.state.Live.Paused = true
	case stopRun:
		m.runner.stop()
	}
}
