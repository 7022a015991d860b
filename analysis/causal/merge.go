package causal

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace/waits"
)

// merger sums the explanations of windows of a run. Its actors have the numbers of the log.
type merger struct {
	Explanation // its lists stay empty until explanation

	uses            []Use
	nodes, programs map[int]*Part
	operations      map[string]*Part
	portions        map[Sort]*Portion
	queues          [waits.NumResources]*Queue
	engines         busy
	saved           map[account.Place]int64 // ps: by engines that are twice as fast
	outliers        []Outlier
	seen            map[account.Place]int // in how many windows an engine is slow
	windows         int
	states          map[string]*State
	near            map[account.Class]*Near
}

func newMerger() merger {
	return merger{
		Explanation: Explanation{Received: map[int]int{}},
		uses:        make([]Use, waits.NumResources+1), nodes: map[int]*Part{}, programs: map[int]*Part{}, operations: map[string]*Part{},
		portions: map[Sort]*Portion{}, engines: busy{}, saved: map[account.Place]int64{}, seen: map[account.Place]int{},
		states: map[string]*State{}, near: map[account.Class]*Near{},
	}
}

// add adds the explanation of a window, with its critical path at engines.
func (m *merger) add(e *Explanation, engines busy, replays bool) {
	number := func(w *Wait) { w.Actor, w.Holder = e.Number(w.Actor), e.Number(w.Holder) }
	for _, x := range e.Busy {
		m.saved[x.Place] += x.Saved
	}
	e.Busy = nil // of the same waits as engines
	each(e, number)
	m.windows++
	m.Waited += e.Waited
	m.Known += e.Known
	for _, u := range e.Path {
		i := int(u.Resource)
		if u.Unknown {
			i = waits.NumResources
		}
		m.uses[i].Resource, m.uses[i].Unknown = u.Resource, u.Unknown
		m.uses[i].Spent = m.uses[i].plus(u.Spent)
	}
	for node, n := range e.Received {
		m.Received[node] += n
	}
	added(m.nodes, e.Nodes, func(p Part) int { return p.Number })
	added(m.programs, e.Programs, func(p Part) int { return p.Number })
	added(m.operations, e.Operations, func(p Part) string { return p.Name })
	for _, p := range e.Portions {
		if !p.Outlier {
			entry(m.portions, p.Sort, Portion{Sort: p.Sort}).add(p.Length, p.longest)
		}
	}
	for i := range e.Queues {
		q := &e.Queues[i]
		if m.queues[q.Resource] == nil {
			m.queues[q.Resource] = &Queue{Resource: q.Resource}
		}
		m.queues[q.Resource].add(q, e.Length(), replays)
	}
	for at, x := range engines {
		for i := range x.Worst {
			number(&x.Worst[i])
		}
		y := entry(m.engines, at, Busy{Place: at, Ends: x.Ends})
		y.Ends = y.Ends.and(x.Ends)
		y.OnPath += x.OnPath
		y.Worst = worsts(y.Worst, x.Worst)
	}
	m.Events = joined(m.Events, e.Events)
	for i := range e.Outliers {
		m.outlier(&e.Outliers[i])
	}
	for _, s := range e.States {
		entry(m.states, s.Awaited, State{Awaited: s.Awaited, Late: s.Late, Hot: -1}).add(&s)
	}
	for _, n := range e.Near {
		x := entry(m.near, n.Class, Near{Class: n.Class})
		x.Packets += n.Packets
		x.OnPath += n.OnPath
		for k := range x.Within {
			x.Within[k] += n.Within[k]
		}
	}
}

// outlier adds an outlier of a window to the same one of others.
func (m *merger) outlier(x *Outlier) {
	if x.Slow != nil {
		m.seen[x.Slow.Place]++
	}
	for i := range m.outliers {
		if y := &m.outliers[i]; y.joins(x) {
			y.OnPath += x.OnPath
			y.Behind += x.Behind
			y.Saved += x.Saved
			y.Worst = worsts(y.Worst, x.Worst)
			return
		}
	}
	m.outliers = append(m.outliers, *x)
}

// joins reports whether two outliers of windows are one, and makes this one both.
func (x *Outlier) joins(y *Outlier) bool {
	switch {
	case x.Slow != nil && y.Slow != nil && x.Slow.Place == y.Slow.Place:
		if y.OnPath > x.OnPath { // the ratio of where it matters most
			x.Slow = y.Slow
		}
		return true
	case x.Gap != nil && y.Gap != nil && x.Gap.Phase == y.Gap.Phase && x.Gap.Node == y.Gap.Node && x.Gap.From <= y.Gap.To && y.Gap.From <= x.Gap.To:
		gap := *x.Gap
		gap.From, gap.To, gap.Packets = min(gap.From, y.Gap.From), max(gap.To, y.Gap.To), max(gap.Packets, y.Gap.Packets)
		x.Gap = &gap
		return true
	case x.Loss != nil && y.Loss != nil && x.Loss.Node == y.Loss.Node:
		loss := *x.Loss
		loss.From, loss.To, loss.Packets = min(loss.From, y.Loss.From), max(loss.To, y.Loss.To), loss.Packets+y.Loss.Packets
		if y.Loss.Other != loss.Other {
			loss.Other = -1
		}
		x.Loss = &loss
		return true
	}
	return false
}

// explanation returns the sums, with portions in no order and without those of outliers. What replays save is multiplied by
// scale, of all time to that of windows with replays.
func (m *merger) explanation(scale float64, c *account.Crowd) *Explanation {
	e := m.Explanation
	scaled := func(ps int64) int64 { return int64(float64(ps) * scale) }
	e.Dir, e.Crowd = "DIR", c
	e.Path = used(m.uses)
	e.Nodes, e.Programs, e.Operations = largest(m.nodes), largest(m.programs), largest(m.operations)
	for _, q := range m.queues {
		if q != nil {
			q.rank()
			q.Saved = scaled(q.Saved)
			e.Queues = append(e.Queues, *q)
		}
	}
	e.rankQueues()
	e.Portions = unordered(m.portions)
	for _, x := range m.outliers {
		// Of what is unlike its peers for a while only, much is chance.
		if x.Slow != nil && 2*m.seen[x.Slow.Place] < m.windows {
			continue
		}
		if x.Gap == nil {
			x.Saved = scaled(x.Saved)
		}
		e.Outliers = append(e.Outliers, x)
	}
	slices.SortStableFunc(e.Outliers, inOrder)
	e.Computed = m.engines.computed()
	e.Busy = m.engines.found(unchanged(e.Length()), e.Length(), c.Nodes)
	for i := range e.Busy {
		e.Busy[i].Saved = scaled(m.saved[e.Busy[i].Place])
	}
	for _, s := range sorts {
		if x := m.states[s.awaited]; x != nil {
			slices.SortFunc(x.Culprits, func(a, b Share) int { return cmp.Compare(a.Who, b.Who) })
			e.States = append(e.States, *x)
		}
	}
	slices.SortStableFunc(e.States, func(a, b State) int { return cmp.Compare(b.Length(), a.Length()) })
	var packets []Near
	for _, class := range c.Classes {
		if n := m.near[class]; n != nil {
			packets = append(packets, *n)
		}
	}
	e.Near = nearest(packets)
	return &e
}

// rank sorts the parts of a queue as those of one account.
func (q *Queue) rank() {
	at := map[int32]Spot{}
	for _, s := range q.At {
		at[int32(s.Node)] = s
	}
	q.At = spots(at)
	slices.SortFunc(q.Through, byWaiting)
	for _, shares := range [][]Share{q.Holders, q.Roots} {
		slices.SortFunc(shares, func(a, b Share) int {
			return cmp.Or(cmp.Compare(b.OnPath, a.OnPath), cmp.Compare(b.Waited, a.Waited), cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Who, b.Who))
		})
	}
}

// inOrder orders outliers as those of one account: gaps, then losses, then slow places.
func inOrder(a, b Outlier) int {
	sort := func(x Outlier) int {
		switch {
		case x.Gap != nil:
			return 0
		case x.Loss != nil:
			return 1
		}
		return 2
	}
	by := cmp.Compare(sort(a), sort(b))
	switch {
	case by != 0:
		return by
	case a.Gap != nil:
		return cmp.Compare(a.Gap.From, b.Gap.From)
	case a.Slow != nil:
		return cmp.Or(cmp.Compare(a.Slow.Resource, b.Slow.Resource), cmp.Compare(a.Slow.Instance, b.Slow.Instance))
	}
	return 0
}

// joined adds events to others. One that goes on where another begins is the same.
func joined(list, more []Event) []Event {
	for _, x := range more {
		i := slices.IndexFunc(list, func(y Event) bool {
			return x.What == y.What && x.Node == y.Node && x.FromNs <= y.ToNs && y.FromNs <= x.ToNs
		})
		if i < 0 {
			list = append(list, x)
			continue
		}
		y := &list[i]
		y.FromNs, y.ToNs, y.Packets = min(x.FromNs, y.FromNs), max(x.ToNs, y.ToNs), max(x.Packets, y.Packets)
	}
	slices.SortStableFunc(list, func(a, b Event) int { return cmp.Or(cmp.Compare(a.FromNs, b.FromNs), cmp.Compare(a.Node, b.Node)) })
	return list
}

// add adds the waiting for processes in another window.
func (s *State) add(w *State) {
	s.Computing += w.Computing
	s.Other += w.Other
	s.Serving += w.Serving
	s.Delayed += w.Delayed
	s.Underway += w.Underway
	s.Culprits = summed(s.Culprits, w.Culprits, Share.key, Share.plus)
	s.Worst = worsts(s.Worst, w.Worst)
	s.Holds = summed(s.Holds, w.Holds, func(h Hold) int { return h.Node }, Hold.plus)
	switch {
	case w.Hot < 0:
	case s.Hot == w.Hot:
		s.FromHot += w.FromHot
		s.Beyond += w.Beyond
		s.Sole = s.Sole && w.Sole
		if w.Hottest.Cost > s.Hottest.Cost {
			s.Hottest = w.Hottest
		}
	case w.FromHot > s.FromHot:
		s.Hot, s.FromHot, s.Beyond, s.Sole, s.Hottest = w.Hot, w.FromHot, w.Beyond, w.Sole, w.Hottest
	}
}

// add adds the waiting in another window of length ps.
func (q *Queue) add(w *Queue, length int64, replays bool) {
	q.Waited += w.Waited
	q.Unknown += w.Unknown
	q.OnPath += w.OnPath
	q.Own += w.Own
	q.Switching += w.Switching
	q.Elsewhere += w.Elsewhere
	if replays {
		q.Saved += w.Saved
		q.replayed += length
		q.Moved += float64((w.Moved - q.Moved) * (float64(length) / float64(max(q.replayed, 1))))
	}
	q.Depth = max(q.Depth, w.Depth)
	q.At = summed(q.At, w.At, func(s Spot) int { return s.Node }, func(a, b Spot) Spot { return Spot{a.Node, a.Waited + b.Waited, a.OnPath + b.OnPath} })
	q.Through = summed(q.Through, w.Through, func(t Through) [2]int32 { return [2]int32{t.At, t.Port} },
		func(a, b Through) Through {
			return Through{a.At, a.Port, a.Waited + b.Waited, a.Elsewhere + b.Elsewhere}
		})
	q.Holders = summed(q.Holders, w.Holders, Share.key, Share.plus)
	q.Roots = summed(q.Roots, w.Roots, Share.key, Share.plus)
	q.Worst = worsts(q.Worst, w.Worst)
}

// key is what a share is of.
func (s Share) key() Share { return Share{Who: s.Who, Resource: s.Resource} }

func (s Share) plus(t Share) Share {
	return Share{s.Who, s.Resource, s.Waited + t.Waited, s.OnPath + t.OnPath}
}

func (s Spent) plus(t Spent) Spent {
	return Spent{s.Service + t.Service, s.Waiting + t.Waiting, s.Idle + t.Idle}
}

// summed adds to a list what another has of the same keys.
func summed[T any, K comparable](list, more []T, key func(T) K, plus func(a, b T) T) []T {
	at := map[K]int{}
	for i, x := range list {
		at[key(x)] = i
	}
	for _, x := range more {
		if i, ok := at[key(x)]; ok {
			list[i] = plus(list[i], x)
		} else {
			list = append(list, x)
		}
	}
	return list
}

// added adds parts of the path to others of the same keys.
func added[K comparable](sums map[K]*Part, list []Part, key func(Part) K) {
	for _, p := range list {
		x := entry(sums, key(p), Part{Name: p.Name, Number: p.Number})
		x.Spent = x.plus(p.Spent)
	}
}

// worsts adds waits to those that cost most.
func worsts(list, more []Wait) []Wait {
	for _, w := range more {
		list = worst(list, w)
	}
	return list
}

// each calls f with each wait that an explanation points at.
func each(e *Explanation, f func(*Wait)) {
	all := func(list []Wait) {
		for i := range list {
			f(&list[i])
		}
	}
	for i := range e.Queues {
		all(e.Queues[i].Worst)
	}
	for i := range e.Outliers {
		all(e.Outliers[i].Worst)
	}
	for i := range e.Busy {
		all(e.Busy[i].Worst)
	}
	for i := range e.Portions {
		f(&e.Portions[i].longest)
	}
	for i := range e.States {
		all(e.States[i].Worst)
		f(&e.States[i].Hottest)
	}
}
