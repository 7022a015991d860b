package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/trace"
)

// operation returns an operation by its number, if it has been looked for or is one of the
// longest.
func (d *Data) operation(id spans.ID) (o *spans.One, known bool) {
	if d.sought.ID == id {
		return d.sought.one, true
	}
	for _, list := range d.found.Longest {
		for _, o := range list {
			if o.Tag == id.Tag && o.Span == id.Span && o.Operation != string(trace.OpPhase) {
				return o, true
			}
		}
	}
	return nil, false
}

// withOperation returns a copy of the run for which an operation has been looked for.
func (d *Data) withOperation(id spans.ID) (*Data, error) {
	one, err := explain.Operation(d.Dir, id)
	out := *d
	out.sought = sought{id, one}
	return &out, err
}

// leadToOperation leads from a packet to the operation that it belongs to.
func (s *Scene) leadToOperation(k *packet) {
	if k.span == 0 {
		s.Note = "This packet belongs to no operation."
		return
	}
	s.narrow("spans", fmt.Sprintf("tag=%d span=%d from=0 to=0 at=0", k.tag, k.span))
}

// unsought returns a shown run of which an operation has to be looked for.
func (s *State) unsought() (d *Data, id spans.ID, ok bool) {
	v, isSpans := s.view().(*spansView)
	if d = s.data(); !isSpans || v.span == 0 || d == nil || d.Packets == nil {
		return nil, id, false
	}
	id = spans.ID{Tag: s.Sel.Tag, Span: int64(v.span)}
	_, known := d.operation(id)
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
		got, err := d.withOperation(id)
		return func(m *Model) tea.Cmd {
			m.seeking = false
			if i := m.state.index(d.Dir); i >= 0 {
				next := *m.state.Runs[i] // other things may have been read meanwhile
				next.sought = got.sought
				m.state.refine(m.state.Runs[i], &next)
			}
			return nil
		}, err
	})
}
