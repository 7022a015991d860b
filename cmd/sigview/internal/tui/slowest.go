package tui

import (
	"cmp"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// rankedPackets is how many of the slowest packets are found at once.
const rankedPackets = 100

// time returns how long the packet was in the stage.
func (r ranking) time(k *packet) (ns int64, ok bool) {
	from, to, _ := k.stage(r.stage)
	return to - from, from != never && to != never
}

// slowest reads the whole trace for the slowest packets.
func (r ranking) slowest(dir string) (*ranked, error) {
	out := &ranked{ranking: r}
	order := func(a, b placed) int {
		return cmp.Or(cmp.Compare(b.ns, a.ns), cmp.Compare(a.begin(), b.begin()), cmp.Compare(a.sender, b.sender), cmp.Compare(a.number, b.number))
	}
	least := never
	trim := func() {
		slices.SortFunc(out.list, order)
		if out.list = out.list[:min(len(out.list), rankedPackets)]; len(out.list) == rankedPackets {
			least = out.list[rankedPackets-1].ns
		}
	}
	err := explain.ScanPackets(dir, rundir.WholeTrace, func(rows []trace.PacketRow) error {
		for i := range rows {
			k := packetOf(&rows[i])
			ns, ok := r.time(&k)
			if !ok || ns < least || !r.of.matches(&k) {
				continue
			}
			if out.list = append(out.list, placed{k, ns}); len(out.list) >= 8*rankedPackets {
				trim()
			}
		}
		return nil
	})
	trim()
	return out, err
}

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

// ranking is how packets are ranked by the selection.
func (s *Scene) ranking(waiting bool) ranking {
	if waiting {
		return ranking{of: s.Sel.key(), waiting: true}
	}
	return ranking{of: s.Sel.key(), stage: s.Sel.histStage()}
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

// said is what a ranking says of its packets.
type said struct{ none, first, all, next string }

func (r ranking) said() said {
	if r.waiting {
		return said{"No selected packet of the trace waits.", "This is the packet that waits longest.", "those that wait longest", "u next, enter for whom it waits."}
	}
	stage := analysis.StageName(r.stage)
	return said{"The trace has no selected packet with a time in " + stage + ".", "This is the slowest packet.", "the slowest in " + stage, "n next, enter for its six instants."}
}
