package tui

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
)

// Lab is everything that takes time or touches files.
type Lab struct {
	Known func() experiment.Catalogue
	Run   func(context.Context, experiment.RunSpec, experiment.Watch) (*trace.Run, error)
	// Read reads a run without its trace: what every run has.
	Read func(dir string) (trace.Run, error)
	// Measured reads what measuring layers left, or says ErrNotMeasured; it may
	// be nil.
	Measured func(dir string) (*Measured, error)
	// Trace hands the trace of a run over piece by piece.
	Trace func(dir string, take TraceTaker) error
	// Keep writes a run that was made here and says where.
	Keep func(context.Context, *trace.Run) (dir string, err error)
}

// TraceTaker takes the tables of a trace in pieces, which it may not keep.
type TraceTaker interface {
	Packets([]trace.PacketRow) error
	Spans([]trace.SpanRow) error
	Stages([]trace.StepRow) error
}

// Model changes the state by messages. Update does no work of its own that
// grows with a run; commands do.
type Model struct {
	state         *State
	lab           Lab
	ctx           context.Context
	base          *analysis.Baseline
	width, height int
	runner        *runner
	dirs          []string
	comparing     bool // two runs, in a command
	ended         bool
}

// NewModel shows the directories as soon as it is run.
func NewModel(ctx context.Context, lab Lab, state *State, dirs []string) *Model {
	return &Model{state: state, lab: lab, ctx: ctx, dirs: dirs, width: 80, height: 24}
}

// State is what is shown.
func (m *Model) State() *State { return m.state }

// Init begins to read the directories.
func (m *Model) Init() tea.Cmd {
	if m.state.OtherBase != "" {
		return m.rebase(m.state.OtherBase)
	}
	return m.openAll()
}

func (m *Model) openAll() tea.Cmd {
	var all []tea.Cmd
	for _, dir := range m.dirs {
		all = append(all, m.open(dir, false))
	}
	// One after the other, so that the order of the runs is that of their names.
	return tea.Sequence(all...)
}

// loaded is a directory that has been read, or why it could not be.
type loaded struct {
	dir      string
	data     *Data     // a run, or
	measured *Measured // a measurement
	show     bool      // its view
	err      error
}

// rebased is another baseline.
type rebased struct {
	dir  string
	base *analysis.Baseline
	runs []*Data // set beside it
	err  error
}

// open reads a directory beside the others and may go to the view that shows
// it.
func (m *Model) open(dir string, show bool) tea.Cmd {
	m.state.Loading = append(m.state.Loading, dir)
	lab, base := m.lab, m.base
	return func() tea.Msg {
		out := loaded{dir: dir, show: show}
		out.data, out.measured, out.err = lab.load(dir, base)
		return out
	}
}

// load reads a run or, where there is none, a measurement.
func (lab Lab) load(dir string, base *analysis.Baseline) (*Data, *Measured, error) {
	if lab.Measured != nil {
		if m, err := lab.Measured(dir); !errors.Is(err, ErrNotMeasured) {
			return nil, m, err
		}
	}
	run, err := lab.Read(dir)
	if err != nil {
		return nil, nil, err
	}
	return NewData(dir, run, base), nil, nil
}

// tracedData is a run whose trace has been read too.
type tracedData struct {
	dir string
	of  *Data
	got *Data
	err error
}

// readTrace reads what the first picture did not need.
func (m *Model) readTrace(d *Data) tea.Cmd {
	if !d.hasTrace() || d.Packets != nil || m.lab.Trace == nil {
		return nil
	}
	m.state.Loading = append(m.state.Loading, "the trace of "+d.Dir)
	read := m.lab.Trace
	return func() tea.Msg {
		got, err := d.withTrace(read)
		return tracedData{"the trace of " + d.Dir, d, got, err}
	}
}

// rebase reads a baseline and sets all runs beside it.
func (m *Model) rebase(dir string) tea.Cmd {
	m.state.Loading = append(m.state.Loading, dir)
	read, runs := m.lab.Read, m.state.Runs
	return func() tea.Msg {
		out := rebased{dir: dir}
		out.base, out.err = readBaseline(read, dir)
		if out.err == nil {
			for _, d := range runs {
				out.runs = append(out.runs, NewData(d.Dir, d.Run, out.base))
			}
		}
		return out
	}
}

func readBaseline(read func(string) (trace.Run, error), dir string) (*analysis.Baseline, error) {
	run, err := read(dir)
	if err != nil {
		return nil, err
	}
	b, err := analysis.BaselineOf(run)
	if err != nil {
		return nil, err
	}
	return &b, nil
}

func (s *State) read(dir string) {
	for i, l := range s.Loading {
		if l == dir {
			s.Loading = append(append([]string(nil), s.Loading[:i]...), s.Loading[i+1:]...)
			return
		}
	}
}

// View is the picture for the terminal.
func (m *Model) View() string {
	if m.ended {
		return ""
	}
	return Draw(m.state, m.width, m.height).ANSI(m.state.Look.Theme, m.state.Look.Depth)
}
