package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/sigview/sigview/experiment"
)

// openForm opens the form for a run.
func (m *Model) openForm(workload string) tea.Cmd {
	if m.isRunning() {
		return nil
	}
	m.state.Form = newForm(m.lab.Known(), workload)
	return nil
}

func (m *Model) isRunning() bool {
	if m.runner != nil {
		m.state.Note = "A run is in progress; x stops it."
	}
	return m.runner != nil
}

// formKey passes a key to the form. Enter starts the run.
func (m *Model) formKey(msg tea.KeyMsg) tea.Cmd {
	switch msg.Type {
	case tea.KeyEsc, tea.KeyCtrlC:
		m.state.Form = nil
		return nil
	case tea.KeyEnter:
		spec, err := m.state.Form.spec()
		if err == nil {
			return m.begin(spec)
		}
	}
	return m.state.Form.key(msg)
}

// begin starts a run.
func (m *Model) begin(spec experiment.RunSpec) tea.Cmd {
	if m.isRunning() {
		return nil
	}
	m.state.Form = nil
	m.state.showRun()
	m.runner = start(m.ctx, m.lab, spec)
	m.state.Live = &live{stage: "starting"}
	return m.runner.ask()
}

func (m *Model) liveTick(msg liveTick) tea.Cmd {
	s := m.state
	if msg.of != m.runner {
		return nil
	}
	now := msg.now
	s.Live = &now
	if msg.data != nil && msg.run == nil {
		if s.add(msg.data); s.data().Dir != liveName {
			s.activate(liveName)
		}
	}
	if !now.ended {
		return m.runner.ask()
	}
	m.runner = nil
	if msg.run == nil {
		s.cutOff()
		if now.stopped {
			s.Note = "The run was stopped; what it had recorded is shown, and not kept."
			return nil
		}
		s.Problems = append(s.Problems, now.trouble)
		s.Note = "The run ended: " + now.trouble
		return nil
	}
	keep, ctx, base, run := m.lab.Keep, m.ctx, m.base, msg.run
	return func() tea.Msg {
		dir, err := keep(ctx, run)
		if err != nil {
			dir = "(not kept)"
		}
		data := NewData(dir, *run, base)
		return result(func(m *Model) tea.Cmd {
			m.state.kept(data, err)
			return nil
		})
	}
}

// kept replaces the run in progress by the finished run.
func (s *State) kept(d *Data, err error) {
	s.Note = "The run has ended; it is kept in " + d.Dir + "."
	if err != nil {
		s.Note = "The run has ended, but could not be kept: " + err.Error()
		s.Problems = append(s.Problems, s.Note)
	}
	if i := s.index(liveName); i >= 0 {
		s.replace(s.Runs[i], d)
		return
	}
	s.add(d)
	s.activate(d.Dir)
}

// cutOff keeps the records of a stopped run, under a name that the next run does not
// take.
func (s *State) cutOff() {
	if i := s.index(liveName); i >= 0 {
		last := *s.Runs[i]
		last.Dir = fmt.Sprintf("(cut off %d)", i+1)
		s.replace(s.Runs[i], &last)
	}
}

// steer pauses, steps or stops the run.
func (m *Model) steer(a action) {
	if m.runner == nil {
		m.state.Note = "No run is in progress; r starts one."
		return
	}
	switch a {
	case pauseRun:
		m.runner.pause(!m.state.Live.paused, 0)
		m.state.Live.paused = !m.state.Live.paused
	case stepRun:
		m.runner.pause(true, 1)
		m.state.Live.paused = true
	case stopRun:
		m.runner.stop()
	}
}
