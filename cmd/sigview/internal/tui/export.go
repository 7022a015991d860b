package tui

import (
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/renameio/v2"
)

// exported says what came of an export.
type exported struct {
	file, command string
	err           error
}

func (e exported) text() string {
	if e.err != nil {
		return "export: " + e.err.Error()
	}
	return fmt.Sprintf("wrote %s; again with: %s", e.file, e.command)
}

// Formats lists the endings of files that a view can be written to.
func Formats() []string { return []string{".svg", ".png", ".csv", ".txt"} }

// Write writes the picture, or what is seen as a table, in the format of the
// file's ending. The title goes into formats that have one.
func Write(w io.Writer, s *State, width, height int, file, title string) error {
	switch ending := strings.ToLower(filepath.Ext(file)); ending {
	case ".svg":
		_, err := io.WriteString(w, Draw(s, width, height).SVG(s.Look.Theme, title))
		return err
	case ".png":
		return Draw(s, width, height).PNG(w, s.Look.Theme)
	case ".txt":
		_, err := io.WriteString(w, Draw(s, width, height).String())
		return err
	case ".csv":
		return s.writeCSV(w)
	default:
		return fmt.Errorf("%q ends in %q, want one of %v", file, ending, Formats())
	}
}

func (s *State) writeCSV(w io.Writer) error {
	d := s.data()
	if d == nil && !s.measuring() {
		return fmt.Errorf("no run is open")
	}
	t := views[s.View].table(s, d)
	if len(t.head) == 0 {
		return fmt.Errorf("the %s view has no data here", views[s.View].name)
	}
	out := csv.NewWriter(w)
	if err := out.Write(t.head); err != nil {
		return err
	}
	if err := out.WriteAll(t.rows); err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// Still is a state without what is only of the moment: messages, prompts, and
// what is under way.
func Still(s *State) *State {
	p := *s
	p.Note, p.Prompt, p.Help, p.Form, p.Hint, p.Loading, p.Live = "", nil, false, nil, false, nil, nil
	p.Problems = nil
	return &p
}

// export writes the view to a file; it appears whole or not at all.
func (m *Model) export(file string) tea.Cmd {
	// What is drawn later must be what is seen now.
	s, width, height, line := Still(m.state), m.width, m.height, m.commandLine(file)
	return func() tea.Msg { return exported{file, line, WriteFile(s, width, height, file, line)} }
}

// WriteFile is Write to a file that appears whole or not at all.
func WriteFile(s *State, width, height int, file, title string) (err error) {
	f, err := renameio.NewPendingFile(file, renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	defer func() { _ = f.Cleanup() }() // after a rename there is nothing left
	if err := Write(f, s, width, height, file, title); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

// commandLine is what makes the same picture again.
func (m *Model) commandLine(file string) string {
	s := m.state
	words := []string{"sigview", "view"}
	var order []*Data
	if o := s.over(); o != nil {
		order = append(order, o)
	}
	if d := s.data(); d != nil {
		order = append(order, d)
	}
	if s.measuring() {
		order = nil
		for _, m := range s.Measured {
			words = append(words, quote(m.Dir))
		}
	}
	for _, d := range order {
		words = append(words, quote(d.Dir))
	}
	if s.OtherBase != "" {
		words = append(words, "--baseline", quote(s.OtherBase))
	}
	words = append(words, "--view", views[s.View].name)
	if text := s.Sel.Text(); text != "" {
		words = append(words, "--select", quote(text))
	}
	words = append(words, "--theme", s.Look.Theme.Name, "--glyphs", s.Look.Glyphs.String(),
		"--geometry", fmt.Sprintf("%dx%d", m.width, m.height))
	if s.Words {
		words = append(words, "--findings")
	}
	if file != "" {
		words = append(words, "--export", quote(file))
	}
	return strings.Join(words, " ")
}

// quote makes a word of a shell's command line.
func quote(text string) string {
	if text != "" && !strings.ContainsAny(text, " \t\n'\"\\$`!*?[](){}<>|&;#~") {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
