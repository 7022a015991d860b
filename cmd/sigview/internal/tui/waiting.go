package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/explain"
)

// unwaited returns a run of which it is needed to know who waited for whom, and for which
// period; nil: for all of the run.
func (s *State) unwaited() (d *Data, of *account.Period, ok bool) {
	for _, d := range s.Runs {
		if d.shortLog() && d.Packets != nil && d.account == nil && !d.broken {
			return d, nil, true
		}
	}
	v, ok := s.view().(*timelineView)
	if d = s.data(); !ok || d == nil || d.Packets == nil || d.broken || d.shortLog() || d.waitRows() == 0 {
		return nil, nil, false
	}
	from, to := v.listens(&s.Scene)
	if to <= from || d.heard(from, to) {
		return nil, nil, false
	}
	margin := (to - from) / 2 // the cursor may move on
	return d, &account.Period{From: 1000 * (from - margin), To: 1000 * (to + margin)}, true
}

// listens returns of which part of the run, in ns, the picture shows who waited for whom: of
// none unless it begins before it ends.
func (v *timelineView) listens(s *Scene) (from, to int64) {
	d := s.data()
	if v.shows.of(timelineShows) == int(ofOneNode) {
		if from, to = s.Sel.timeRange(d.Packets); to-from > d.heardAtOnce() {
			from, to = 0, 0
		}
	}
	if !v.open {
		return from, to
	}
	id, begin, end := v.picked, s.Sel.timeCursor(d.Packets), s.Sel.timeCursor(d.Packets)
	if k, ok := v.at(s); ok {
		id, begin, end = k.id(), k.begin(), slices.Max(k.at[:])
	}
	begin, end = begin-clocks, end+clocks
	if i := d.actor(id); i != 0 {
		x := &d.account.Actors[i]
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
		got, err := d.withWaits(of)
		return func(m *Model) tea.Cmd {
			m.waiting = false
			i := m.state.index(d.Dir)
			if i < 0 {
				return nil
			}
			next := *m.state.Runs[i] // other things may have been read meanwhile
			if next.broken = next.broken || err != nil; err == nil {
				next.account, next.lanes, next.path = got.account, got.lanes, got.path
			}
			m.state.refine(m.state.Runs[i], &next)
			if of == nil {
				return m.explain(&next)
			}
			return nil
		}, err
	})
}

// explain explains the trace of a run. It takes seconds, so that it is done after everything
// else has been read.
func (m *Model) explain(d *Data) tea.Cmd {
	if !d.hasTrace() || d.explained != nil {
		return nil
	}
	dir, run, known := d.Dir, d.Run, d.account
	return m.reading("the causes in the trace of "+dir, func() (result, error) {
		e, err := explain.ExplainBriefly(dir, run, known)
		if err != nil {
			e = &explain.Brief{Note: err.Error()}
		}
		return func(m *Model) tea.Cmd {
			if i := m.state.index(dir); i >= 0 {
				m.state.refine(m.state.Runs[i], m.state.Runs[i].withExplained(e))
			}
			return nil
		}, nil
	})
}
