package tui

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/experiment"
)

// tester runs a program with each resource free, to see which of them causes what.
type tester struct {
	cancel context.CancelFunc

	mu  sync.Mutex
	now experiment.Progress
}

func (t *tester) watch(p experiment.Progress) {
	t.mu.Lock()
	t.now = p
	t.mu.Unlock()
}

func (t *tester) line() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.now.Total == 0 {
		return "Testing the cause: the runs begin  (x stops)"
	}
	return fmt.Sprintf("Testing the cause: %d of %d runs, %s  (x stops)", t.now.Done, t.now.Total, t.now.Stage)
}

// testTick asks for the progress of a test.
type testTick struct{ of *tester }

func (t *tester) ask() tea.Cmd {
	return tea.Tick(liveEvery, func(time.Time) tea.Msg { return testTick{t} })
}

// test begins the runs that test what the active run waits for, or shows their answer if it
// is known.
func (m *Model) test() tea.Cmd {
	s := m.state
	d := s.Data()
	switch {
	case d == nil || d.Dir == data.LiveName:
		s.Note = "There is no finished run whose cause could be tested."
		return nil
	case d.Tested != nil:
		m.note(s.goTo(data.SplitPlace))
		return nil
	case m.tester != nil || m.isRunning():
		s.Note = "Runs are in progress; x stops them."
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	t := &tester{cancel: cancel}
	m.tester, s.Testing = t, t.line()
	find, dir := m.shell.Why, d.Dir
	return tea.Batch(func() tea.Msg {
		defer cancel()
		x, err := find(ctx, dir, t.watch)
		return result(func(m *Model) tea.Cmd {
			m.tester, m.state.Testing = nil, ""
			m.tested(dir, x, err)
			return nil
		})
	}, t.ask())
}

// tested shows the answer of a test.
func (m *Model) tested(dir string, x *why.Explanation, err error) {
	s := m.state
	switch {
	case errors.Is(err, context.Canceled):
		s.Note = "The test was stopped; W goes on from the runs that had ended."
	case err != nil:
		s.Problems = append(s.Problems, err.Error())
		s.Note = err.Error()
	default:
		s.SetTested(dir, x)
		s.Note = "The cause is tested: 0 lists what each resource costs, W shows the split."
	}
}

func (m *Model) testTick(msg testTick) tea.Cmd {
	if msg.of != m.tester {
		return nil
	}
	m.state.Testing = m.tester.line()
	return m.tester.ask()
}

// recall asks for the answer of an earlier test of a run.
func (m *Model) recall(d *data.Data) tea.Cmd {
	known, dir := m.shell.Tested, d.Dir
	return func() tea.Msg {
		x, ok := known(dir)
		return result(func(m *Model) tea.Cmd {
			if ok {
				m.state.SetTested(dir, x)
			}
			return nil
		})
	}
}
