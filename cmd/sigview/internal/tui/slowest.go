package tui

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/sigview/sigview/analysis"
)

// toNext goes to the next of the slowest packets, or of those that wait longest, or to one
// before.
func (m *Model) toNext(by int, waiting bool) tea.Cmd {
	s := m.state
	d := s.data()
	switch {
	case d == nil:
		return nil
	case !d.hasTrace():
		s.Note = "This run was not traced: there are no single packets to go to."
		return nil
	case d.broken && d.Packets == nil:
		s.Note = "The trace of this run cannot be read; w shows why."
		return nil
	case waiting && d.waitRows() == 0:
		s.Note = "Who waited for whom is not in this run: run it with --trace=waits."
		return nil
	case d.Packets == nil:
		s.Note = "The trace of this run is still being read."
		return nil
	}
	want := s.ranking(waiting)
	if i := slices.IndexFunc(d.rankings, func(r *ranked) bool { return r.ranking == want }); i >= 0 {
		m.visit(d.rankings[i], by)
		return nil
	}
	if m.ranking {
		s.Note = "The slowest packets are still being looked for."
		return nil
	}
	m.ranking = true
	return m.reading("all packets of "+d.Dir+" for the slowest", m.rank(d, want))
}

// keptRankings is how many rankings are kept of a run.
const keptRankings = 8

// rank ranks the packets of a run, and goes to the first if that is still wanted.
func (m *Model) rank(d *Data, want ranking) func() (result, error) {
	return func() (result, error) {
		rank := want.slowest
		if want.waiting {
			rank = func(dir string) (*ranked, error) { return want.longest(dir, d.account) }
		}
		got, err := rank(d.Dir)
		return func(m *Model) tea.Cmd {
			if m.ranking = false; err != nil {
				return nil
			}
			// Parts of the trace may have been read meanwhile.
			if i := m.state.index(d.Dir); i >= 0 && m.state.Runs[i].Packets != nil {
				next := *m.state.Runs[i]
				next.rankings = append(slices.Clip(next.rankings[max(len(next.rankings)-keptRankings+1, 0):]), got)
				m.state.refine(m.state.Runs[i], &next)
				if m.state.Active == i && m.state.ranking(want.waiting) == want {
					m.visit(got, 1)
				}
			}
			return nil
		}, err
	}
}

// visit shows the packet of a ranking that comes next in it: the first, unless the view is
// at one of them.
func (m *Model) visit(r *ranked, by int) {
	s := m.state
	at := slices.IndexFunc(kinds, func(k kind) bool { return k.name == "timeline" })
	v := s.views[at].(*timelineView)
	if len(r.list) == 0 {
		s.Note = r.said().none
		return
	}
	i := 0
	if v.picked.named && s.View == at {
		if now := slices.IndexFunc(r.list, func(p placed) bool { return p.id() == v.picked }); now >= 0 {
			i = now + by
		}
	}
	if i < 0 || i >= len(r.list) {
		s.Note = fmt.Sprintf("This is number %d of the %d packets that are looked for.", min(i, len(r.list)-1)+1, len(r.list))
		if i < 0 {
			s.Note = r.said().first
		}
		return
	}
	k := r.list[i]
	if s.View != at {
		s.show(at)
	}
	v.pick(&s.Scene, k.packet, r.stage)
	s.Note = fmt.Sprintf("Number %d of %s: %s. %s", i+1, r.said().all, analysis.Time(float64(k.ns)), r.said().next)
}
