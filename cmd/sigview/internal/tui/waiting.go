package tui

import (
	"slices"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/explain"
)

// unwaited returns a run of which it is needed to know who waited for whom, and for which
// period; nil: for all of the run.
func (s *State) unwaited() (d *data.Data, of *account.Period, ok bool) {
	for _, d := range s.Runs {
		if d.ShortLog() && d.Packets != nil && d.Account == nil && !d.Broken {
			return d, nil, true
		}
	}
	v, ok := s.view().(*views.TimelineView)
	if d = s.Data(); !ok || d == nil || d.Packets == nil || d.Broken || d.ShortLog() || d.WaitRows() == 0 {
		return nil, nil, false
	}
	from, to := listens(v, &s.Scene)
	if to <= from || d.Heard(from, to) {
		return nil, nil, false
	}
	margin := (to - from) / 2 // the cursor may move on
	return d, &account.Period{From: 1000 * (from - margin), To: 1000 * (to + margin)}, true
}

// listens returns of which part of the run, in ns, the picture shows who waited for whom: of
// none unless it begins before it ends.
func listens(v *views.TimelineView, s *scene.Scene) (from, to int64) {
	d := s.Data()
	if v.Shows.Of(views.TimelineShows) == int(views.OfOneNode) {
		if from, to = s.Sel.TimeRange(d.Packets); to-from > d.HeardAtOnce() {
			from, to = 0, 0
		}
	}
	if !v.Open {
		return from, to
	}
	id, begin, end := v.Picked, s.Sel.TimeCursor(d.Packets), s.Sel.TimeCursor(d.Packets)
	if k, ok := v.At(s); ok {
		id, begin, end = k.Id(), k.Begin(), slices.Max(k.At[:])
	}
	begin, end = begin-data.Clocks, end+data.Clocks
	if i := views.Actor(d, id); i != 0 {
		x := &d.Account.Actors[i]
		begin, end = min(begin, x.Begin/1000), max(end, x.End/1000+1)
	}
	if to <= from {
		return begin, end
	}
	return min(from, begin), max(to, end)
}

// readWaits reads who waited for whom, if that is needed.
func (m *Model) readWaits() tea.Cmd {
	d, of, ok := m.state.unwaited()
	if !ok || m.waiting {
		return nil
	}
	m.waiting = true

	return m.reading("who waited for whom in "+d.Dir, func() (result, error) {
		got, err := d.WithWaits(of)
		return func(m *Model) tea.Cmd {
			m.waiting = false
			i := m.state.Index(d.Dir)
			if i < 0 {
				return nil
			}
			next := *m.state.Runs[i] // other things may have been read meanwhile
			if next.Broken = next.Broken || err != nil; err == nil {
				next.Account, next.Lanes, next.Path = got.Account, got.Lanes, got.Path
			}
			m.state.Refine(m.state.Runs[i], &next)
			if of == nil {
				return m.explain(&next)
			}
			return nil
		}, err
	})
}

// explain explains the trace of a run. It takes seconds, so that it is done after everything
// else has been read.
func (m *Model) explain(d *data.Data) tea.Cmd {
	if !d.HasTrace() || d.Explained != nil {
		return nil
	}
	dir, run, known := d.Dir, d.Run, d.Account
	return m.reading("the causes in the trace of "+dir, func() (result, error) {
		e, err := explain.ExplainBriefly(dir, run, known)
		if err != nil {
			e = &explain.Brief{Note: err.Error()}
		}
		return func(m *Model) tea.Cmd {
			if i := m.state.Index(dir); i >= 0 {
				m.state.Refine(m.state.Runs[i], m.state.Runs[i].WithExplained(e))
			}
			return nil
		}, nil
	})
}
