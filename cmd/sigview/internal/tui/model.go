package tui

import (
	"context"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/analysis"
)

// Model changes the state by messages. Work that grows with the size of a run is
// done in commands, not in Update.
type Model struct {
	state         *State
	shell         Shell
	ctx           context.Context
	base          *analysis.Baseline
	width, height int
	first         *Task // begins at once, if there is one
	runner        *runner
	filled        *form   // of the run in progress
	keeping       bool    // what it has recorded, when it is stopped
	tester        *tester // nil when no cause is being tested
	dirs          []string
	comparing     bool // two runs, in a command
	seeking       bool // an operation is being looked for, in a command
	waiting       bool // who waited for whom is being read, in a command
	ranking       bool // the slowest packets are being looked for, in a command
	parting       bool // a part of a trace is being read, in a command
	ended         bool
	history       history
	clip          func(text string) error // writes to the terminal's clipboard; may be nil
}

// NewModel returns a model that opens the directories when it starts.
func NewModel(ctx context.Context, shell Shell, state *State, dirs []string) *Model {
	return &Model{state: state, shell: shell, ctx: ctx, dirs: dirs, width: 80, height: 24}
}

// result is the message of a command that has ended. It applies what the command
// found to the model.
type result func(*Model) tea.Cmd

// Init begins to read the directories.
func (m *Model) Init() tea.Cmd {
	if m.first != nil {
		m.state.showRun()
		return m.Begin(*m.first)
	}
	if m.state.OtherBase != "" {
		return m.rebase(m.state.OtherBase)
	}
	return m.openAll()
}

func (m *Model) openAll() tea.Cmd {
	// One after the other, so that runs are in the order of the arguments.
	return tea.Sequence(lists.Map(m.dirs, func(dir string) tea.Cmd { return m.open(dir, false) })...)
}

// reading reads something in a command. The footer says so until it is done.
func (m *Model) reading(what string, read func() (result, error)) tea.Cmd {
	m.state.Loading = append(m.state.Loading, what)
	return func() tea.Msg {
		then, err := read()
		return result(func(m *Model) tea.Cmd {
			m.state.read(what)
			if err != nil {
				m.state.Problems = append(m.state.Problems, err.Error())
			}
			if then == nil {
				return nil
			}
			return then(m)
		})
	}
}

// open reads a further directory. With show it goes to a view of it.
func (m *Model) open(dir string, show bool) tea.Cmd {
	base := m.base
	return m.reading(dir, func() (result, error) {
		data, measured, err := data.Load(dir, base)
		switch {
		case err != nil:
			return nil, err
		case measured != nil:
			return func(m *Model) tea.Cmd {
				m.state.AddMeasured(measured)
				m.state.showMeasured(show)
				return nil
			}, nil
		}
		return func(m *Model) tea.Cmd {
			m.state.Add(data)
			if show {
				m.state.Activate(data.Dir)
				m.state.showRun()
			}
			next := m.readTrace(data)
			if next == nil {
				next = m.explain(data)
			}
			return tea.Sequence(next, m.recall(data))
		}, nil
	})
}

// readTrace reads the trace of a run, which the first picture does not need.
func (m *Model) readTrace(d *data.Data) tea.Cmd {
	if !d.HasTrace() || d.Packets != nil {
		return nil
	}
	return m.reading("the trace of "+d.Dir, func() (result, error) {
		got, err := d.WithTrace()
		if err != nil {
			broken := *d
			broken.Broken, got = true, &broken
		}
		return func(m *Model) tea.Cmd {
			m.state.Replace(d, got)
			if got.ShortLog() && err == nil {
				return nil // it is explained once that has been read
			}
			return m.explain(got)
		}, err
	})
}

// readPart reads the part of a trace that the picture needs, one at a time, and sums its packets
// up before it is shown.
func (m *Model) readPart() tea.Cmd {
	d, want, ok := m.state.Unread()
	if !ok || m.parting || d.Broken {
		return nil
	}
	m.parting = true
	sel := m.state.Sel
	return m.reading("a part of the trace of "+d.Dir, func() (result, error) {
		got, err := d.WithPart(want)
		if err == nil && sel.Timed(got) {
			sel.Slice(got)
		}
		return func(m *Model) tea.Cmd {
			m.parting = false
			if i := m.state.Index(d.Dir); i >= 0 && m.state.Runs[i].Packets != nil {
				next := *m.state.Runs[i] // other things may have been read meanwhile
				if next.Broken = next.Broken || err != nil; err == nil {
					next.Packets = got.Packets
				}
				m.state.Refine(m.state.Runs[i], &next)
			}
			return nil
		}, err
	})
}

// rebase reads a baseline and compares all runs with it. The directories of the
// command line are read after the first baseline.
func (m *Model) rebase(dir string) tea.Cmd {
	runs := m.state.Runs
	return m.reading(dir, func() (result, error) {
		base, err := data.BaselineOf(dir)
		var again []*data.Data
		for _, d := range runs {
			if err == nil {
				again = append(again, d.Against(base))
			}
		}
		return func(m *Model) tea.Cmd {
			first := m.base == nil && len(m.state.Runs) == 0
			if err == nil {
				m.base, m.state.OtherBase = base, dir
			}
			for _, d := range again {
				m.state.Add(d)
			}
			if first && len(m.dirs) > 0 {
				return m.openAll()
			}
			return nil
		}, err
	})
}
