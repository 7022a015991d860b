package tui

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-osc52/v2"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/report/chart/cell"
)

// redraws is the largest number of pictures per second.
const redraws = 30

// Options say what is shown first and how.
type Options struct {
	Dirs     []string
	Baseline string // directory; "": the runs' own
	View     string
	Select   string
	Theme    string // "": by the terminal, or else the environment
	Glyphs   string // "": by the environment
	Findings bool
	Environ  []string
	NoColour bool
	Begin    *Task // nil: nothing is begun
	Config   Config
}

// State returns the state that the options ask for, before any directory is read.
func (o Options) State(out io.Writer) (*State, error) {
	look, err := o.look(out)
	if err != nil {
		return nil, err
	}
	s := NewState(look)
	s.OtherBase, s.Findings = o.Baseline, o.Findings
	if o.Config.keys != nil {
		s.keys = o.Config.keys
	}
	if o.View != "" {
		if s.View, err = views.ViewOf(o.View); err != nil {
			return nil, err
		}
		s.Asked = true
	}
	return s, s.selectBy(o.Select)
}

// theme is the theme that was asked for, "" for that of the terminal.
func (o Options) theme() string { return cmp.Or(o.Theme, o.Config.theme) }

// look chooses theme, colours and characters by options and environment.
func (o Options) look(out io.Writer) (Look, error) {
	env := map[string]string{}
	for _, e := range o.Environ {
		name, value, _ := strings.Cut(e, "=")
		env[name] = value
	}
	name := o.theme()
	if name == "" {
		name = "dark"
		// The last of two or three numbers is the background; 7 and 15 are light.
		if v := env["COLORFGBG"]; strings.HasSuffix(v, ";7") || strings.HasSuffix(v, ";15") {
			name = "light"
		}
	}
	var l Look
	var err error
	if l.Theme, err = cell.ThemeOf(name); err != nil {
		return l, err
	}
	switch colorprofile.Detect(out, o.Environ) {
	case colorprofile.TrueColor:
		l.Depth = cell.TrueColour
	case colorprofile.ANSI256:
		l.Depth = cell.Colours256
	case colorprofile.ANSI:
		l.Depth = cell.Colours16
	}
	if env["NO_COLOR"] != "" || o.NoColour {
		l.Depth = cell.NoColour
	}
	if o.Glyphs != "" {
		l.Glyphs, err = cell.ParseGlyphs(o.Glyphs)
		return l, err
	}
	l.Glyphs = glyphsOf(env)
	return l, nil
}

// glyphsOf chooses characters by the environment. A terminal without a locale counts
// as modern; the Linux console has quarter blocks, but no braille.
func glyphsOf(env map[string]string) cell.Glyphs {
	if !cell.UTF8(func(name string) string { return env[name] }) {
		return cell.ASCII
	}
	switch env["TERM"] {
	case "dumb":
		return cell.ASCII
	case "linux":
		return cell.Block
	}
	return cell.Braille
}

// wantsCauses reports whether the picture shows what traces tell about causes.
func (s *State) wantsCauses() bool {
	v, ok := s.view().(*views.SpansView)
	return slices.Contains([]string{"overview", "timeline"}, views.Kinds[s.View].Name) || ok && v.Metric.Of(views.SpanMetrics) == views.SpanBlocked
}

// Load reads all directories, for a picture without a terminal.
func Load(o Options, s *State) (err error) {
	var base *analysis.Baseline
	if o.Baseline != "" {
		if base, err = data.BaselineOf(o.Baseline); err != nil {
			return err
		}
	}
	for _, dir := range o.Dirs {
		d, measured, err := data.Load(dir, base)
		if err != nil {
			return err
		}
		if measured != nil {
			s.AddMeasured(measured)
			continue
		}
		if d.HasTrace() && s.readsTrace() {
			if d, err = d.WithTrace(); err != nil {
				return err
			}
		}
		if s.wantsCauses() && d.HasTrace() {
			if d.ShortLog() {
				if d, err = d.WithWaits(nil); err != nil {
					return err
				}
			}
			e, err := explain.ExplainBriefly(dir, d.Run, d.Account)
			if err != nil {
				return err
			}
			d = d.WithExplained(e)
		}
		s.Add(d)
	}
	for d, want, ok := s.Unread(); ok; d, want, ok = s.Unread() {
		got, err := d.WithPart(want)
		if err != nil {
			return err
		}
		s.Refine(d, got)
	}
	if err := s.loadTimeline(); err != nil {
		return err
	}
	if s.Uncompared() {
		s.Compared = data.NewCompared(s.Second(), s.Data())
	}
	s.showMeasured(false)
	if s.Subject() == views.Nothing {
		return errors.New("no run to show: name its directory")
	}
	return nil
}

// loadTimeline reads what the timeline shows beyond packets, and a single operation.
func (s *State) loadTimeline() error {
	if s.Data() == nil || s.Data().Packets == nil {
		return nil
	}
	_, timeline := s.view().(*views.TimelineView)
	if d, of, ok := s.unwaited(); ok && timeline {
		got, err := d.WithWaits(of)
		if err != nil {
			return err
		}
		s.Refine(d, got)
	}
	if d, id, ok := s.unsought(); ok {
		got, err := d.WithOperation(id)
		if err != nil {
			return err
		}
		s.Refine(d, got)
	}
	return nil
}

// readsTrace reports whether the picture needs more of a trace than what overview explains.
func (s *State) readsTrace() bool {
	without := []string{"signature", "histogram", "percentiles", "clock", "compare", "LogP"}
	return s.Sel.Sender != data.Everyone || s.Sel.Receiver != data.Everyone || !slices.Contains(without, views.Kinds[s.View].Name)
}

// Run shows the directories until the user quits or the context ends. It restores
// the terminal, also after a panic.
func Run(ctx context.Context, shell Shell, o Options, in io.Reader, out io.Writer) error {
	s, err := o.State(out)
	if err != nil {
		return err
	}
	if o.theme() == "" && s.Look.Depth != cell.NoColour {
		if name := themeOf(in, out); name != "" {
			if s.Look.Theme, err = cell.ThemeOf(name); err != nil {
				return err
			}
		}
	}
	m := NewModel(ctx, shell, s, o.Dirs)
	m.first = o.Begin
	m.clip = func(text string) error {
		_, err := osc52.New(text).WriteTo(out)
		return err
	}
	return runModel(ctx, m, in, out)
}

func runModel(ctx context.Context, m tea.Model, in io.Reader, out io.Writer) error {
	p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler(),
		tea.WithAltScreen(), tea.WithMouseCellMotion(), tea.WithFPS(redraws))
	_, err := p.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
