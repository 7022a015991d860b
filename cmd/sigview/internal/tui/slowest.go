package tui

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/analysis"
)

// toNext goes to the next of the slowest packets, or of those that wait longest, or to one
// before.
func (m *Model) toNext(by int, waiting bool) tea.Cmd {
	s := m.state
	d := s.Data()
	switch {
	case d == nil:
		return nil
	case !d.HasTrace():
		s.Note = "This run was not traced: there are no single packets to go to."
		return nil
	case d.Broken && d.Packets == nil:
		s.Note = "The trace of this run cannot be read; w shows why."
		return nil
	case waiting && d.WaitRows() == 0:
		s.Note = "Who waited for whom is not in this run: run it with --trace=waits."
		return nil
	case d.Packets == nil:
		s.Note = "The trace of this run is still being read."
		return nil
	}
	want := s.Ranking(waiting)
	if i := slices.IndexFunc(d.Rankings, func(r *data.Ranked) bool { return r.Ranking == want }); i >= 0 {
		m.visit(d.Rankings[i], by)
		return nil
	}
	if m.ranking {
		s.Note = "The slowest packets are still being looked for."
		return nil
	}
	m.ranking = true
	return m.reading("all packets of "+d.Dir+" for the slowest", m.Rank(d, want))
}

// keptRankings is how many rankings are kept of a run.
const keptRankings = 8

// Rank ranks the packets of a run, and goes to the first if that is still wanted.
func (m *Model) Rank(d *data.Data, want data.Ranking) func() (result, error) {
	return func() (result, error) {
		rank := want.Slowest
		if want.Waiting {
			rank = func(dir string) (*data.Ranked, error) { return want.Longest(dir, d.Account) }
		}
		got, err := rank(d.Dir)
		return func(m *Model) tea.Cmd {
			if m.ranking = false; err != nil {
				return nil
			}
			// Parts of the trace may have been read meanwhile.
			if i := m.state.Index(d.Dir); i >= 0 && m.state.Runs[i].Packets != nil {
				next := *m.state.Runs[i]
				next.Rankings = append(slices.Clip(next.Rankings[max(len(next.Rankings)-keptRankings+1, 0):]), got)
				m.state.Refine(m.state.Runs[i], &next)
				if m.state.Active == i && m.state.Ranking(want.Waiting) == want {
					m.visit(got, 1)
				}
			}
			return nil
		}, err
	}
}

// visit shows the packet of a ranking that comes next in it: the first, unless the view is
// at one of them.
func (m *Model) visit(r *data.Ranked, by int) {
	s := m.state
	at := slices.IndexFunc(views.Kinds, func(k views.Kind) bool { return k.Name == "timeline" })
	v := s.views[at].(*views.TimelineView)
	if len(r.List) == 0 {
		s.Note = r.Said(s.Data()).None
		return
	}
	i := 0
	if v.Picked.Named && s.View == at {
		if now := slices.IndexFunc(r.List, func(p data.Placed) bool { return p.Id() == v.Picked }); now >= 0 {
			i = now + by
		}
	}
	if i < 0 || i >= len(r.List) {
		s.Note = fmt.Sprintf("This is number %d of the %d packets that are looked for.", min(i, len(r.List)-1)+1, len(r.List))
		if i < 0 {
			s.Note = r.Said(s.Data()).First
		}
		return
	}
	k, before := r.List[i], s.moment()
	if s.View != at {
		s.show(at)
	}
	v.Pick(&s.Scene, k.Packet, r.Stage)
	m.history.keep(before, s, false) // it may have been looked for since the key
	s.Note = fmt.Sprintf("Number %d of %s: %s. %s", i+1, r.Said(s.Data()).All, analysis.Time(float64(k.Ns)), r.Said(s.Data()).Next)
}
