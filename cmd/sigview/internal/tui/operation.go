package tui

import (
	"fmt"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/analysis/spans"
)

// unsought returns a shown run of which an operation has to be looked for.
func (s *State) unsought() (d *data.Data, id spans.ID, ok bool) {
	v, isSpans := s.view().(*views.SpansView)
	if d = s.Data(); !isSpans || v.Span == 0 || d == nil || d.Packets == nil {
		return nil, id, false
	}
	id = spans.ID{Tag: s.Sel.Tag, Span: int64(v.Span)}
	_, known := d.Operation(id)
	return d, id, !known
}

// readOperation looks for an operation, if the picture needs it.
func (m *Model) readOperation() tea.Cmd {
	d, id, ok := m.state.unsought()
	if !ok || m.seeking {
		return nil
	}
	m.seeking = true
	return m.reading(fmt.Sprintf("operation %d of %s", id.Span, d.Dir), func() (result, error) {
		got, err := d.WithOperation(id)
		return func(m *Model) tea.Cmd {
			m.seeking = false
			if i := m.state.Index(d.Dir); i >= 0 {
				next := *m.state.Runs[i] // other things may have been read meanwhile
				next.Sought = got.Sought
				m.state.Refine(m.state.Runs[i], &next)
			}
			return nil
		}, err
	})
}
