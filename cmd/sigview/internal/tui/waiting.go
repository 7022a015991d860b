package tui

import (
	"cmp"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/analysis/lanes"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/sigview/sigview/trace/waits"
)

// Limits of what is read of who waited for whom, which bound time and memory: of a log of more
// intervals than wholeWaits only parts of the run are read, of about partWaits.
const (
	wholeWaits = 4_000_000
	partWaits  = 1 << 19
)

// clocks is by how much instants of packets may differ from the simulation's time, ns.
const clocks = 100_000

// waitRows returns how many intervals of waiting the run's directory holds.
func (d *Data) waitRows() int64 { return d.Run.Manifest.Rows(trace.WaitRow{}) }

// shortLog reports whether all of who waited for whom is read.
func (d *Data) shortLog() bool {
	n := d.waitRows()
	return n > 0 && n <= wholeWaits
}

// heardAtOnce returns the longest part of the run, in ns, of which who waited for whom is read.
func (d *Data) heardAtOnce() int64 {
	if d.shortLog() {
		return d.Packets.endNs
	}
	return int64(float64(d.Packets.endNs) * partWaits / float64(max(d.waitRows(), 1)))
}

// heard reports whether it is known who waited for whom in a part of the run, in ns.
func (d *Data) heard(from, to int64) bool { return d.account.Covers(1000*from, 1000*to) }

// withWaits returns a copy of the run that includes who waited for whom, in a period if that is
// not nil.
func (d *Data) withWaits(of *account.Period) (*Data, error) {
	account, err := explain.ReadWaits(d.Dir, of)
	if err != nil {
		return nil, err
	}
	out := *d
	out.account, out.lanes = account, d.lanes.With(account)
	if of == nil {
		out.path = lanes.NewPath(d.nodes)
		graph.New(account).Path(1000*d.Run.Manifest.RunTimeNs(), func(s graph.Segment) { out.path.Add(account, s) })
		out.path.Done()
	}
	return &out, nil
}

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

// longest finds the packets that wait longest, and reads the whole trace for their instants.
func (r ranking) longest(dir string, a *account.Account) (out *ranked, err error) {
	if a == nil { // of a long log the sums are needed only
		if a, err = explain.ReadWaits(dir, &account.Period{}); err != nil {
			return nil, err
		}
	}
	type number struct{ sender, number int64 }
	type waiter struct {
		number
		ns int64
	}
	var list []waiter
	for id := 1; id < len(a.Actors); id++ {
		x := &a.Actors[id]
		k := packet{kind: x.Kind, tag: x.Tag, sender: uint16(x.Node), receiver: uint16(x.Peer), first: r.of.group.First.Value}
		if ns := a.Waited(waits.ID(id)) / 1000; x.Type == waits.Packet && x.Number >= 0 && ns > 0 && r.of.matches(&k) {
			list = append(list, waiter{number{int64(x.Node), x.Number}, ns})
		}
	}
	slices.SortFunc(list, func(a, b waiter) int {
		return cmp.Or(cmp.Compare(b.ns, a.ns), cmp.Compare(a.sender, b.sender), cmp.Compare(a.number.number, b.number.number))
	})
	place := map[number]int{}
	for i, w := range list[:min(len(list), rankedPackets)] {
		place[w.number] = i
	}
	found := make([]placed, len(place))
	err = explain.ScanPackets(dir, rundir.WholeTrace, func(rows []trace.PacketRow) error {
		for i := range rows {
			if at, ok := place[number{rows[i].Sender, rows[i].Number}]; ok {
				if k := packetOf(&rows[i]); r.of.matches(&k) {
					found[at] = placed{k, list[at].ns}
				}
			}
		}
		return nil
	})
	return &ranked{r, slices.DeleteFunc(found, func(p placed) bool { return p.ns == 0 })}, err
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
