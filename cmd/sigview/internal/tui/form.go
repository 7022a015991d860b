package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/experiment"
)

// form asks for the specification of a run.
type form struct {
	fields []field
	at     int
	known  experiment.Catalogue
}

type field struct {
	name, help string
	input      textinput.Model
	choices    []string
	set        func(*experiment.RunSpec, string) error
}

func newForm(known experiment.Catalogue, workload string) *form {
	d := experiment.DefaultRun(workload)
	if names := experiment.Names(known.Workloads); d.Workload == "" && slices.Contains(names, "fft") {
		d.Workload = "fft"
	} else if d.Workload == "" && len(names) > 0 {
		d.Workload = known.Workloads[0].Name
	}
	f := &form{known: known}
	text := func(to func(*experiment.RunSpec) *string) func(*experiment.RunSpec, string) error {
		return func(s *experiment.RunSpec, v string) error { *to(s) = v; return nil }
	}
	f.add("workload", "join several with +", d.Workload, experiment.Names(known.Workloads), text(func(s *experiment.RunSpec) *string { return &s.Workload }))
	f.add("platform", "a profile, or a .toml file", d.Platform, experiment.Names(known.Platforms), text(func(s *experiment.RunSpec) *string { return &s.Platform }))
	f.add("nodes", fmt.Sprintf("%d to %d; empty: the platform's own", experiment.MinNodes, experiment.MaxNodes), "", nil, func(s *experiment.RunSpec, v string) (err error) {
		s.Nodes, err = count[int](v)
		return err
	})
	f.add("size", "in the workload's unit, K and M allowed; empty: its own", "", nil, func(s *experiment.RunSpec, v string) (err error) {
		s.Size, err = count[int64](v)
		return err
	})
	f.add("seed", "of all random numbers", strconv.FormatUint(d.Seed, 10), nil, func(s *experiment.RunSpec, v string) error {
		n, err := strconv.ParseUint(v, 10, 64)
		if err != nil {
			return fmt.Errorf("%q, want a whole number from 0", v)
		}
		s.Seed = n
		return nil
	})
	f.add("monitor", "the firmware build", d.Build.String(), d.Build.Words().Names(), func(s *experiment.RunSpec, v string) error { return s.Build.UnmarshalText([]byte(v)) })
	return f
}

func (f *form) add(name, help, value string, choices []string, set func(*experiment.RunSpec, string) error) {
	f.fields = append(f.fields, field{name, help, newInput(value), choices, set})
}

// count parses a whole number above zero, with K or M; an empty text is zero.
func count[N int | int64](v string) (N, error) {
	v = strings.ToUpper(strings.TrimSpace(v))
	if v == "" {
		return 0, nil
	}
	factor := int64(1)
	for suffix, by := range map[string]int64{"K": 1 << 10, "M": 1 << 20} {
		if rest, ok := strings.CutSuffix(v, suffix); ok {
			v, factor = rest, by
		}
	}
	n, err := strconv.ParseInt(v, 10, 32)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q, want a whole number above 0", v)
	}
	return N(n * factor), nil
}

// spec returns the specification, or an error that names the wrong field.
func (f *form) spec() (experiment.RunSpec, error) {
	s := experiment.DefaultRun("")
	for _, x := range f.fields {
		if err := x.set(&s, strings.TrimSpace(x.input.Value())); err != nil {
			return s, fmt.Errorf("%s: %w", x.name, err)
		}
	}
	return s, s.Validate(f.known)
}

// wrong says which field is wrong, and how.
func (f *form) wrong() string {
	_, err := f.spec()
	if err == nil {
		return ""
	}
	return err.Error()
}

// key edits the field that has the focus, or goes to another.
func (f *form) key(msg tea.KeyMsg) tea.Cmd {
	x := &f.fields[f.at]
	switch msg.Type {
	case tea.KeyTab, tea.KeyDown:
		f.at = (f.at + 1) % len(f.fields)
		return nil
	case tea.KeyShiftTab, tea.KeyUp:
		f.at = (f.at + len(f.fields) - 1) % len(f.fields)
		return nil
	case tea.KeyLeft, tea.KeyRight:
		if len(x.choices) > 0 {
			by := map[tea.KeyType]int{tea.KeyLeft: -1, tea.KeyRight: 1}[msg.Type]
			x.input.SetValue(cycle(x.choices, x.input.Value(), by))
			x.input.CursorEnd()
			return nil
		}
	}
	var cmd tea.Cmd
	x.input, cmd = x.input.Update(msg)
	return cmd
}

func (f *form) draw(c *cell.Canvas) {
	c.Text(2, 0, "Run a program", cell.Strong, 0)
	y := 2
	for i, x := range f.fields {
		ink := cell.Plain
		if i == f.at {
			ink = cell.Accent
			c.Set(2, y, '▶', cell.Accent, 0)
		}
		c.Text(4, y, x.name, ink, 0)
		drawInput(c.Sub(15, y, 22, 1), x.input, i == f.at)
		help := x.help
		if i == f.at && len(x.choices) > 0 {
			help = "← → " + strings.Join(x.choices, " ")
		}
		c.Text(39, y, help, cell.Faint, 0)
		y += 2
	}
	if wrong := f.wrong(); wrong != "" {
		y = c.Para(4, y, wrong, cell.Warn)
	} else {
		for _, e := range f.known.Workloads {
			if e.Name == strings.TrimSpace(f.fields[0].input.Value()) {
				y = c.Para(4, y, e.Summary, cell.Faint)
			}
		}
	}
	c.Text(2, min(y+1, c.H-1), "enter starts the run, tab goes to the next field, esc cancels", cell.Faint, 0)
}
