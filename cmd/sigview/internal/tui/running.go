package tui

import (
	"encoding/json"
	"fmt"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/internal/names"
)

// openForm opens the form for a run.
func (m *Model) openForm(workload string) tea.Cmd {
	cmd := m.fillIn("run")
	if f := m.state.Form; f != nil && workload != "" {
		f.fill("workload", workload)
	}
	return cmd
}

// fillIn opens the form for a command.
func (m *Model) fillIn(command string) tea.Cmd {
	if m.isRunning() {
		return nil
	}
	if err := names.Check("command", command, m.shell.Commands()); err != nil {
		return m.note(err)
	}
	return m.form(command, nil, "")
}

// again opens the form as it was filled in for the run that is shown.
func (m *Model) again() tea.Cmd {
	d := m.state.Data()
	switch {
	case m.isRunning():
		return nil
	case d == nil || d.Dir == data.LiveName:
		m.state.Note = "No run is open that could be run again; r runs a program."
		return nil
	}
	return m.form("run", d.Run.Manifest.Spec, d.Dir)
}

func (m *Model) form(command string, made json.RawMessage, against string) tea.Cmd {
	blank, err := m.shell.Blank(command, made)
	if err != nil {
		return m.note(err)
	}
	m.state.Form = newForm(m.shell, blank, against)
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
		f := m.state.Form
		if f.check(); f.wrong == nil {
			m.filled = f
			return m.Begin(f.task)
		}
		return nil
	}
	if other := m.state.Form.Key(msg); other != "" {
		return m.form(other, nil, "")
	}
	return nil
}

// Begin starts a run, or another command.
func (m *Model) Begin(task Task) tea.Cmd {
	if m.isRunning() {
		return nil
	}
	m.state.Form = nil
	if task.Spec != nil {
		m.state.showRun()
	}
	m.runner, m.keeping = start(m.ctx, m.shell, task), false
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
		if s.Add(msg.data); s.Data().Dir != data.LiveName {
			s.Activate(data.LiveName)
		}
	}
	if !now.ended {
		return m.runner.ask()
	}
	m.runner, s.Asking = nil, false
	if msg.run == nil && now.trouble == "" {
		if s.Note = msg.said; msg.dir == "" {
			return nil
		}
		s.rename(msg.dir) // the run in the directory takes its place
		return m.open(msg.dir, true)
	}
	if msg.run == nil {
		if now.stopped && m.keeping {
			return m.keepPart()
		}
		if now.stopped {
			s.cutOff()
			s.Note = "The run was stopped; what it had recorded is shown, and not kept."
			return nil
		}
		if s.cutOff() == nil {
			s.Form = m.filled // so that it can be mended
		}
		s.Problems = append(s.Problems, now.trouble)
		s.Note = "The run ended: " + now.trouble
		return nil
	}
	keep, ctx, base, run, against := m.shell.Keep, m.ctx, m.base, msg.run, m.filled.against
	return func() tea.Msg {
		dir, err := keep(ctx, run)
		if err != nil {
			dir = "(not kept)"
		}
		data := data.NewData(dir, *run, base)
		return result(func(m *Model) tea.Cmd {
			m.state.kept(data, err)
			m.state.beside(data.Dir, against)
			return nil
		})
	}
}

// askKeys are the answers when the program is to end while a run is in progress.
const askKeys = "s stop and quit   k stop and keep what there is   esc go on"

// answer does what was chosen for the run in progress.
func (m *Model) answer(msg tea.KeyMsg) tea.Cmd {
	s := m.state
	switch msg.String() {
	case "s", "ctrl+c", "q":
		if m.runner != nil {
			m.runner.stop()
		}
		m.ended = true
		return tea.Quit
	case "k":
		if m.keeping = true; m.runner != nil {
			m.runner.stop()
		}
	case "esc", "enter":
	default:
		return nil
	}
	s.Asking = false
	return nil
}

// keepPart stores what a stopped run had recorded.
func (m *Model) keepPart() tea.Cmd {
	d, keep, ctx := m.state.cutOff(), m.shell.Keep, m.ctx
	if d == nil {
		m.state.Note = "The run was stopped before it had recorded anything."
		return nil
	}
	return func() tea.Msg {
		dir, err := keep(ctx, &d.Run)
		return result(func(m *Model) tea.Cmd {
			if err != nil {
				return m.note(err)
			}
			named := *d
			named.Dir = dir
			m.state.Replace(d, &named)
			m.state.Note = "The run was stopped; what it had recorded is kept in " + dir + "."
			return nil
		})
	}
}

// kept replaces the run in progress by the finished run.
func (s *State) kept(d *data.Data, err error) {
	s.Note = "The run has ended; it is kept in " + d.Dir + "."
	if err != nil {
		s.Note = "The run has ended, but could not be kept: " + err.Error()
		s.Problems = append(s.Problems, s.Note)
	}
	if i := s.Index(data.LiveName); i >= 0 {
		s.Replace(s.Runs[i], d)
		return
	}
	s.Add(d)
	s.Activate(d.Dir)
}

// beside compares a run with the one that it differs from by a change.
func (s *State) beside(dir, against string) {
	before := s.Index(against)
	if against == "" || before < 0 || dir == against {
		return
	}
	s.Activate(dir)
	s.Over = before
	if at, err := views.ViewOf("compare"); err == nil {
		s.show(at)
	}
}

// cutOff keeps the records of a stopped run, under a name that the next run does not
// take. It returns nil if there are none.
func (s *State) cutOff() *data.Data {
	return s.rename(fmt.Sprintf("(cut off %d)", s.Index(data.LiveName)+1))
}

// rename renames the run that was in progress, and returns it, or nil if there is none.
func (s *State) rename(dir string) *data.Data {
	i := s.Index(data.LiveName)
	if i < 0 {
		return nil
	}
	last := *s.Runs[i]
	last.Dir = dir
	s.Replace(s.Runs[i], &last)
	return &last
}

// steer pauses, steps or stops the run.
func (m *Model) steer(a action.Action) {
	if m.tester != nil && a == action.StopRun {
		m.tester.cancel()
		return
	}
	if m.runner == nil {
		m.state.Note = "No run is in progress; r starts one."
		return
	}
	switch a {
	case action.PauseRun:
		m.runner.pause(!m.state.Live.paused, 0)
		m.state.Live.paused = !m.state.Live.paused
	case action.StepRun:
		m.runner.pause(true, 1)
		m.state.Live.paused = true
	case action.StopRun:
		m.runner.stop()
	}
}
