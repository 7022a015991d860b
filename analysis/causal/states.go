package causal

import (
	"cmp"
	"slices"
	"sort"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/analysis/causal/peers"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// State is the waiting of processes for what others do, by what ends it. Its parts are
// means over the processes, in ps, by who is at the end of the chain.
type State struct {
	Awaited   string  // what the process waits for
	Late      string  // how the waiting for others' computation is called
	Computing int64   // a late process computes, or a home that polls has not noticed a request
	Other     int64   // another process computes on the waiting one's behalf
	Serving   int64   // a handler serves requests
	Delayed   int64   // a process computes that was held up before: no more than the waiting one did
	Underway  int64   // a packet is on its way
	Culprits  []Share // who computes late
	Holds     []Hold  // of locks, by node
	Worst     []Wait  // the longest waits for late processes
	// Hot is the node from which most of what is awaited comes, -1: none. FromHot is the
	// waiting for it, of all sorts: who waits at a barrier for one that waits for a page waits
	// for that page. Hottest is the longest such wait.
	Hot     int
	FromHot int64 // ps
	Beyond  int64 // ps of FromHot beyond the shortest such wait each time
	Sole    bool  // nearly all comes from that node
	Hottest Wait
}

// Hold is for how long processes of a node had a lock for which another waited, in ps.
type Hold struct {
	Node int
	Ps   []int64
}

func (h Hold) plus(o Hold) Hold { return Hold{h.Node, append(slices.Clone(h.Ps), o.Ps...)} }

// usual returns the lower median.
func (h Hold) usual() int64 {
	slices.Sort(h.Ps)
	return h.Ps[(len(h.Ps)-1)/2]
}

const (
	holdsLonger = 1.25 // times as long as any other node, from which on one usually holds a lock longer
	holdsCount  = 3    // times that a node had one for which another waited, at the least, so that it counts
	holders     = 3    // nodes that count, at the least, so that one is unlike the others
)

// longest returns the node that usually holds a lock longer than all others, nil if none does.
func (s *State) longest() *int {
	var list []part[int]
	for _, h := range s.Holds {
		if len(h.Ps) >= holdsCount {
			list = append(list, part[int]{h.Node, h.usual()})
		}
	}
	slices.SortStableFunc(list, func(a, b part[int]) int { return cmp.Compare(b.weight, a.weight) })
	if len(list) < holders || float64(list[0].weight) < holdsLonger*float64(list[1].weight) {
		return nil
	}
	return &list[0].key
}

// Length returns the whole time in ps.
func (s *State) Length() int64 { return s.Computing + s.Other + s.Serving + s.Delayed + s.Underway }

// Indices of sorts.
const pages, locks, barriers, messages = 0, 1, 2, 3

// sorts of waiting for others, by the kind of the packet that ends it. The last two have no kinds: sortOf
// counts on their places.
var sorts = []struct {
	awaited, late string
	kinds         []trace.Kind
}{
	{"pages", "late home", []trace.Kind{trace.PageReply}},
	{"locks", "lock convoy", []trace.Kind{trace.LockGrant, trace.LockForward}},
	{"barriers", "barrier imbalance", []trace.Kind{trace.BarrierRelease, trace.BarrierArrive}},
	{"messages", "late sender", nil}, // all other packets
	{"processes of the node", "late process", nil},
}

// sortOf returns the index in sorts of a wait that an actor has ended.
func sortOf(c *account.Crowd, by waits.ID) int {
	x := &c.Actors[by]
	if !x.Type.IsPacket() {
		return len(sorts) - 1
	}
	for i := range sorts {
		if slices.Contains(sorts[i].kinds, x.Kind) {
			return i
		}
	}
	return len(sorts) - 2
}

// states sums the waiting of processes for others between from and to, in ps, the longest first.
// The means are over so many processes; 0: over those of the account.
func states(c *account.Crowd, from, to int64, slow peers.Slowness, processes int64) []State {
	t := stateTally{Crowd: c, slow: slow, from: from, to: to, notice: peers.Polls(c.Account), states: make([]State, len(sorts)), culprits: make([][]int64, len(sorts)), sent: make([][]sent, len(sorts))}
	for i := range t.states {
		t.states[i] = State{Awaited: sorts[i].awaited, Late: sorts[i].late}
		t.culprits[i], t.sent[i] = make([]int64, c.Size()), make([]sent, c.Nodes)
	}
	for node := range c.Nodes {
		t.states[locks].Holds = append(t.states[locks].Holds, Hold{Node: node})
	}
	t.sums()
	t.holds()
	// The parts become means over all processes, also over those that never wait.
	found := int64(0)
	for id := range c.Actors {
		if c.Actors[id].Type == waits.Process {
			found++
			t.process(waits.ID(id))
		}
	}
	if processes == 0 {
		processes = found
	}
	for i := range t.states {
		s := &t.states[i]
		for _, part := range []*int64{&s.Computing, &s.Other, &s.Serving, &s.Delayed, &s.Underway} {
			*part /= max(processes, 1)
		}
		s.hot(t.sent[i], processes)
		for w, sum := range t.culprits[i] {
			s.Culprits = add(s.Culprits, Share{Who: account.Who(w), Resource: waits.CPU, Waited: sum})
		}
	}
	out := slices.DeleteFunc(t.states, func(s State) bool { return s.Length() == 0 })
	slices.SortStableFunc(out, func(a, b State) int { return cmp.Compare(b.Length(), a.Length()) })
	return out
}

// hot sets Hot to the node from which more than half of what is awaited comes, given the waiting by node.
// With two nodes there is none, because each has only the other.
func (s *State) hot(list []sent, processes int64) {
	s.Hot = -1
	var all int64
	for _, n := range list {
		all += n.sum
	}
	for node, n := range list {
		// At most one node has more than half.
		if len(list) > 2 && 2*n.sum > all {
			n.ends()
			s.Hot, s.FromHot, s.Hottest, s.Sole = node, n.sum/processes, n.longest, 10*n.sum >= 9*all
			s.Beyond = (n.sum - n.count*n.shortest) / processes
		}
	}
}

// sent is the waiting for what comes from a node.
type sent struct {
	sum             int64 // ps
	count, shortest int64 // of waits that have ended, ps
	last, longest   Wait
}

// add adds a wait, or extends the last one if w continues it.
func (n *sent) add(w Wait) {
	n.sum += w.Cost
	// A wait comes in parts by root; its parts follow each other.
	if l := n.last; l.Actor == w.Actor && l.Holder == w.Holder && l.End == w.Begin {
		w.Begin, w.Cost = l.Begin, l.Cost+w.Cost
	} else {
		n.ends()
	}
	if n.last = w; w.Cost > n.longest.Cost {
		n.longest = w
	}
}

// ends counts the last wait, to which nothing more belongs.
func (n *sent) ends() {
	if cost := n.last.Cost; cost > 0 {
		if n.count == 0 || cost < n.shortest {
			n.shortest = cost
		}
		n.count++
	}
}

// stateTally sums the waiting of processes for others between from and to, in ps.
type stateTally struct {
	*account.Crowd
	slow     peers.Slowness
	from, to int64
	states   []State
	culprits [][]int64 // by sort and Who: computation that is late, ps
	sent     [][]sent  // by sort and node
	computed [][]int64 // by actor that is a process and by its piece: its computation up to there, ps
	notice   int64     // the shortest time in which a handler that polls notices a packet, ps; 0: none polls
	since    []int64   // by sort: end of the last such wait of the present process, ps
}

// process adds the waits of a process.
func (t *stateTally) process(id waits.ID) {
	var w Wait
	for k := range t.since {
		t.since[k] = t.from
	}
	// Each wait begins anew: prompt says what held it up, since what the process had waited for before.
	prompt := true // so far nothing but the computation of others was in the way
	for p := range t.Parts(id, t.from, t.to) {
		p.Begin, p.End = max(p.Begin, t.from), min(p.End, t.to)
		if p.What != waits.Waiting || p.Resource != waits.Event || p.Holder == 0 || p.Length() <= 0 {
			continue
		}
		// A gap or another holder ends the wait before.
		if p.Begin != w.End || p.Holder != w.Holder {
			t.keep(w)
			if w.Holder != 0 {
				t.since[sortOf(t.Crowd, w.Holder)] = w.End
			}
			w, prompt = Wait{Actor: id, Holder: p.Holder, Begin: p.Begin}, true
		}
		w.End = p.End
		w.Cost += t.late(id, &p, &prompt)
	}
	t.keep(w)
}

// sums sets computed, so that upTo needs no sum over pieces.
func (t *stateTally) sums() {
	t.computed, t.since = make([][]int64, len(t.Actors)), make([]int64, len(sorts))
	for id := range t.Actors {
		if t.Actors[id].Type != waits.Process {
			continue
		}
		sum, own := int64(0), t.Of(waits.ID(id))
		t.computed[id] = make([]int64, len(own))
		for i := range own {
			// Service of any resource counts as computation.
			if own[i].What == waits.Service {
				sum += own[i].Length()
			}
			t.computed[id][i] = sum
		}
	}
}

// upTo returns how long a process has computed up to an instant, both in ps.
func (t *stateTally) upTo(id waits.ID, at int64) int64 {
	own := t.Of(id)
	i := sort.Search(len(own), func(i int) bool { return own[i].End >= at })
	switch {
	case len(own) == 0:
		return 0
	case i == len(own):
		return t.computed[id][i-1]
	case own[i].What == waits.Service:
		return t.computed[id][i] - (own[i].End - max(at, own[i].Begin))
	}
	return t.computed[id][i]
}

// late adds part p of a wait to the state of its sort, and returns how much of it, in ps, waits for a
// late process.
//
// A process is late by what it has computed more than the waiting one since that last waited for the
// same sort of thing; the rest counts as delayed. The holder of a lock is late by all that it computes.
// But what a process computes on the waiting one's behalf is not late: after a packet of this wait has
// reached it, or after the waiting one has woken it. At locks and barriers nothing is on its behalf.
//
// prompt says that so far nothing but computation held this wait up. late clears it otherwise.
func (t *stateTally) late(id waits.ID, p *account.Rooted, prompt *bool) int64 {
	k := sortOf(t.Crowd, p.Holder)
	if p.RootResource != waits.Timer && p.RootResource != waits.Ring { // not for what is lost or refused
		last := t.Last(p)
		t.sent[sortOf(t.Crowd, last)][max(t.Actors[last].Node, 0)].add(Wait{Actor: id, Holder: last, Begin: p.Begin, End: p.End, Cost: p.Length() - t.slow.Share(t.Crowd.Account, p)})
	}
	s, root := &t.states[k], &t.Actors[p.Root]
	switch {
	case root.Type == waits.Handler:
		late := int64(0)
		if k == pages {
			late = t.unnoticed(p)
			t.culprits[k][t.Who(p.Root)] += late
		}
		s.Computing += late
		s.Serving += p.Length() - late
	case root.Type != waits.Process:
		s.Underway += p.Length()
	case k == locks || k == barriers || *prompt && !t.answers(p.Root, p.Begin, id):
		late := p.Length()
		if k != locks {
			from := t.since[k]
			// What the root has computed since the last such wait, less what the waiting one has.
			more := t.upTo(p.Root, p.End) - t.upTo(p.Root, from) - t.upTo(id, p.End) + t.upTo(id, from)
			late = min(late, max(more, 0))
		}
		s.Computing += late
		s.Delayed += p.Length() - late
		t.culprits[k][t.Who(p.Root)] += late
		return late
	default:
		s.Other += p.Length()
	}
	*prompt = false
	return 0
}

// unnoticed returns how much of a part of a wait, in ps, is because the handler at its root has not noticed the request yet. Where
// interrupts tell it that is how long they take, and no more.
func (t *stateTally) unnoticed(p *account.Rooted) int64 {
	i := t.At(p.Root, p.Begin+1)
	if i < 0 || t.notice == 0 || t.Pieces[i].What != waits.Idle || t.Pieces[i].Resource != waits.CPU {
		return 0
	}
	usual := float64(t.notice) / float64(t.Pieces[i].Length())
	return int64(float64(p.Length()) * max(0, 1-usual))
}

// holds notes for how long processes had locks that they granted to others which waited: from when they got theirs on.
func (t *stateTally) holds() {
	got := map[waits.ID][]int64{} // by process: when, ps
	var grants []waits.ID
	for id := range t.Actors {
		if t.Actors[id].Type != waits.Process {
			continue
		}
		var times []int64
		for _, p := range t.Of(waits.ID(id)) {
			by := &t.Actors[p.Holder]
			switch {
			case p.What != waits.Waiting || p.Resource != waits.Event || by.Kind != trace.LockGrant || !by.Type.IsPacket():
			case len(times) > 0 && grants[len(grants)-1] == p.Holder: // it has served others meanwhile
				times[len(times)-1] = p.End
			default:
				grants, times = append(grants, p.Holder), append(times, p.End)
			}
		}
		got[waits.ID(id)] = times
	}
	for _, id := range grants {
		grant := &t.Actors[id]
		times := got[grant.Cause]
		if i, _ := slices.BinarySearch(times, grant.Begin); i > 0 && t.from <= grant.Begin && grant.Begin <= t.to {
			h := &t.states[locks].Holds[max(t.Actors[grant.Cause].Node, 0)]
			h.Ps = append(h.Ps, grant.Begin-times[i-1])
		}
	}
}

// Last follows the chain of processes that wait for each other at the begin of p, and returns for whom
// the last one waits: if the holder of a lock waits for a page, the packet with the page.
func (t *stateTally) Last(p *account.Rooted) waits.ID {
	at, by := p.Begin, p.Holder
	id := by
	for range graph.ChainLimit {
		x := &t.Actors[id]
		switch {
		case id == 0 || x.Type == waits.Handler || x.Type == waits.Task:
			return by
		case at < x.Begin:
			id = x.Cause
			// It has not begun: its cause is who delays.
			continue
		case x.Type.IsPacket():
			return by
		}
		i := t.At(id, at+1)
		if i < 0 || t.Pieces[i].What != waits.Waiting || t.Pieces[i].Resource != waits.Event || t.Pieces[i].Holder == 0 {
			return by
		}
		id, by = t.Pieces[i].Holder, t.Pieces[i].Holder
	}
	return by
}

// answers reports whether a process was last woken, before an instant in ps, by a packet of the other
// process, or by the handler of such a packet.
func (t *stateTally) answers(process waits.ID, at int64, other waits.ID) bool {
	by := wokenBy(t.Crowd.Account, process, at)
	// A handler wakes the process on behalf of the packet that it serves.
	if t.Actors[by].Type == waits.Handler {
		by = wokenBy(t.Crowd.Account, by, at)
	}
	return by != 0 && t.Actors[by].Cause == other
}

// keep keeps a wait if it is among the worst of its sort. Waits for nobody who is late cost nothing and are not
// kept.
func (t *stateTally) keep(w Wait) {
	if w.Cost > 0 {
		s := &t.states[sortOf(t.Crowd, w.Holder)]
		s.Worst = worst(s.Worst, w)
	}
}
