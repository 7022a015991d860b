package tui

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/internal/atomicfile"
	"github.com/sigview/sigview/internal/bounds"
)

// Formats lists the endings of files that a view can be written to.
func Formats() []string { return []string{".svg", ".png", ".csv", ".txt"} }

// CheckFormat returns an error unless a view can be written to the file.
func CheckFormat(file string) error {
	if slices.Contains(Formats(), strings.ToLower(filepath.Ext(file))) {
		return nil
	}
	return bounds.Wrong("export", file, "a name that ends in %s", bounds.List(Formats()))
}

// Write writes the picture, or for .csv its data, in the format that the file's
// ending names. A picture gets the title.
func Write(w io.Writer, s *State, width, height int, file, title string) error {
	switch ending := strings.ToLower(filepath.Ext(file)); ending {
	case ".svg":
		_, err := io.WriteString(w, figure(s, width, height).SVG(s.Look.Theme, title))
		return err
	case ".png":
		return figure(s, width, height).PNG(w, s.Look.Theme, title)
	case ".txt":
		_, err := io.WriteString(w, Draw(s, width, height).String())
		return err
	case ".csv":
		return s.writeCSV(w)
	default:
		return CheckFormat(file)
	}
}

func (s *State) writeCSV(w io.Writer) error {
	if s.Subject() == views.Nothing {
		return fmt.Errorf("no run is open")
	}
	if v, ok := s.view().(interface{ Complete(*scene.Scene) error }); ok {
		if err := v.Complete(&s.Scene); err != nil {
			return err
		}
	}
	t := s.view().Table(&s.Scene)
	if len(t.Columns) == 0 {
		return fmt.Errorf("the %s view has no data here", views.Kinds[s.View].Name)
	}
	return t.CSV(w)
}

// writeFile is Write to a file, which is replaced as a whole or not at all.
func writeFile(s *State, width, height int, file, title string) error {
	return atomicfile.Write(file, func(w io.Writer) error { return Write(w, s, width, height, file, title) })
}

// export writes the view to a file.
func (m *Model) export(file string) tea.Cmd {
	// The command draws later what is on the screen now.
	s, width, height, line := Still(m.state), m.width, m.height, m.commandLine(file)
	return func() tea.Msg {
		err := writeFile(s, width, height, file, line)
		return result(func(m *Model) tea.Cmd {
			m.state.Note = fmt.Sprintf("wrote %s; again with: %s", file, line)
			if err != nil {
				m.state.Note = "export: " + err.Error()
			}
			return nil
		})
	}
}

// copyLine gives the command line for the picture to the terminal's clipboard.
func (m *Model) copyLine() tea.Cmd { return m.copy(m.commandLine("")) }

// copyRow gives the row at the cursor to the terminal's clipboard; of a view without rows, and of a text, the picture.
func (m *Model) copyRow() tea.Cmd {
	s := m.state
	if v, ok := s.view().(interface{ Row(*scene.Scene) string }); ok && s.Subject() != views.Nothing && !s.texting() {
		if text := v.Row(&s.Scene); text != "" {
			return m.copy(text)
		}
	}
	return m.copy(figure(s, m.width, m.height).String())
}

// copy gives a text to the terminal's clipboard.
func (m *Model) copy(text string) tea.Cmd {
	m.state.Note = "copied, where the terminal allows it: " + text
	if strings.Contains(text, "\n") {
		m.state.Note = "copied the picture as text, where the terminal allows it"
	}
	if m.clip == nil {
		return nil
	}
	return func() tea.Msg {
		err := m.clip(text)
		return result(func(m *Model) tea.Cmd { return m.note(err) })
	}
}

// commandLine returns the command line that makes the same picture.
func (m *Model) commandLine(file string) string {
	s := m.state
	words := []string{"sigview", "view"}
	for _, dir := range s.view().Dirs(&s.Scene) {
		words = append(words, scene.ShellQuote(dir))
	}
	if s.OtherBase != "" {
		words = append(words, "--baseline", scene.ShellQuote(s.OtherBase))
	}
	words = append(words, "--view", views.Kinds[s.View].Name)
	if text := s.Text(); text != "" {
		words = append(words, "--select", scene.ShellQuote(text))
	}
	words = append(words, "--theme", s.Look.Theme.Name, "--glyphs", s.Look.Glyphs.String(),
		"--geometry", fmt.Sprintf("%dx%d", m.width, m.height))
	if s.Findings {
		words = append(words, "--findings")
	}
	if file != "" {
		words = append(words, "--export", scene.ShellQuote(file))
	}
	return strings.Join(words, " ")
}
