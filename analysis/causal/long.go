package causal

import (
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/trace/waits"
)

// Long explains a log that is too long for one account by one for each window of time, the latest first. The critical path
// goes on from window to window, and so does slack. Memory does not grow with the number of windows.
//
// Actors have the numbers of the log until Explanation.
type Long struct {
	from      int64   // ps: the begin of the time that is explained
	ends      []int64 // of phases
	crowd     *account.Crowd
	processes int64
	sums      merger

	all *Explanation // set by Close

	begun       bool // the end of the path is known
	at          graph.Point
	slack       map[waits.ID]int64 // ps: of actors that go on after the window
	least       map[waits.ID]int64 // ps: of packets that go on: that of the pieces after the window
	replayed    int64              // ps: of the windows with replays
	Windows     int
	WithReplays int
}

// NewLong returns the explanation of no window, of a time that begins at an instant in ps, of a run of so many processes on so many nodes.
func NewLong(nodes, processes int, from int64, ends ...int64) *Long {
	l := &Long{from: from, ends: ends, crowd: account.CrowdOf(nodes), processes: int64(processes), sums: newMerger()}
	l.sums.From = from
	return l
}

// Add explains the window between two instants, in ps, of an account that has all that happens then. It ends where the one
// that was added before begins. Of the last ones those in which no process is served any more are left out.
func (l *Long) Add(a *account.Account, from, to int64, replays bool) {
	g := graph.New(a)
	l.crowd.Next(a)
	x := section{Graph: g, crowd: l.crowd, from: from, to: to, ends: l.ends, replays: replays, processes: l.processes}
	start := graph.Point{Actor: a.ID(l.at.Actor), Queue: a.ID(l.at.Queue), Event: a.ID(l.at.Event)}
	if !l.begun {
		if start.Actor, x.to = g.Last(to); start.Actor == 0 || x.to <= from {
			return
		}
		l.sums.To = x.to
	}
	var arrived graph.Point
	x.length = l.sums.To - l.from
	x.gone = l.path(g, start, &x, &arrived)
	x.leasts = l.slackOf(g, start, &x)
	x.stretch = func() graph.Stretch {
		return graph.Stretch{First: arrived.Actor, From: from, Last: start.Actor, To: x.to}
	}
	e, engines := x.explain()
	l.begun = true
	l.at = graph.Point{Actor: a.Number(arrived.Actor), Queue: a.Number(arrived.Queue), Event: a.Number(arrived.Event)}
	l.sums.add(e, engines, replays)
	if l.Windows++; replays {
		l.WithReplays++
		l.replayed += x.to - from
	}
}

// path returns how the critical path is gone through in a window, and where it arrives.
func (l *Long) path(g *graph.Graph, start graph.Point, x *section, arrived *graph.Point) func(func(graph.Segment)) {
	goOn := l.begun
	return func(visit func(graph.Segment)) {
		if goOn {
			*arrived = g.GoOn(start, x.from, x.to, visit)
		} else {
			*arrived = g.CriticalPath(start.Actor, x.from, x.to, visit)
		}
	}
}

// slackOf returns how the least slack of packets is found in a window. Each counts in the window in which it begins.
func (l *Long) slackOf(g *graph.Graph, start graph.Point, x *section) func() []int64 {
	before, later := l.slack, l.least
	goOn := l.begun
	return func() []int64 {
		var slack []int64
		if goOn {
			slack = g.SlackBefore(x.to, local(g.Account, before))
		} else {
			slack = g.Slack(start.Actor, x.to)
		}
		out := leasts(g.Account, slack)
		for id, ps := range local(g.Account, later) {
			out[id] = min(out[id], ps)
		}
		l.slack, l.least = map[waits.ID]int64{}, map[waits.ID]int64{}
		for id := range out {
			number := g.Number(waits.ID(id))
			if i := g.At(waits.ID(id), x.from); i >= 0 && slack[i] != graph.Unbound {
				l.slack[number] = slack[i]
			}
			switch begin := g.Actors[id].Begin; {
			case out[id] == uncounted || begin >= x.to && goOn:
				out[id] = uncounted
			case begin < x.from && x.from > l.from:
				l.least[number], out[id] = out[id], uncounted
			}
		}
		return out
	}
}

// local returns values of actors of a log by their numbers in an account.
func local(a *account.Account, of map[waits.ID]int64) map[waits.ID]int64 {
	out := map[waits.ID]int64{}
	for number, ps := range of {
		if id := a.ID(number); id != 0 {
			out[id] = ps
		}
	}
	return out
}

// Close returns the numbers of the actors that the explanation points at.
func (l *Long) Close() (evidence []waits.ID) {
	l.all = l.sums.explanation(float64(l.sums.To-l.from)/float64(max(l.replayed, 1)), l.crowd)
	l.all.Phases = len(l.ends)
	each(l.all, func(w *Wait) { evidence = append(evidence, w.Actor, w.Holder) })
	slices.Sort(evidence)
	return slices.Compact(evidence)
}

// Explanation returns what all windows come to. a has the actors that Close has returned.
func (l *Long) Explanation(a *account.Account) *Explanation {
	e := l.all
	each(e, func(w *Wait) { w.Actor, w.Holder = a.ID(w.Actor), a.ID(w.Holder) })
	e.Next(a)
	e.Portions = ordered(e.Portions, e.Outliers, e.inShort)
	return e
}
