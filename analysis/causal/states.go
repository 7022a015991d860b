package causal

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// State is the waiting of processes for what others do, by what ends it. Its parts are
// means over the processes, in ps, by who is at the end of the chain.
type State struct {
	Awaited   string // what the process waits for
	Late      string // how the waiting for others' computation is called
	Computing int64  // another process computes that is late
	Other     int64  // another process computes on the waiting one's behalf
	Serving   int64  // a handler serves requests
	Underway  int64  // a packet is on its way
	Culprits  []Share
	Worst     []Wait
}

// Length returns the whole time in ps.
func (s *State) Length() int64 { return s.Computing + s.Other + s.Serving + s.Underway }

// Places in sorts.
const locks, barriers = 1, 2

// sorts of waiting for others, by the kind of the packet that ends it.
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
func (c *crowd) sortOf(by waits.ID) int {
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

// states sums the waiting of processes for others between two instants.
func (c *crowd) states(from, to int64) []State {
	t := stateTally{crowd: c, from: from, to: to, states: make([]State, len(sorts)), culprits: make([][]int64, len(sorts))}
	for i := range t.states {
		t.states[i] = State{Awaited: sorts[i].awaited, Late: sorts[i].late}
		t.culprits[i] = make([]int64, c.size())
	}
	processes := int64(0)
	for id := range c.Actors {
		if c.Actors[id].Type == waits.Process {
			processes++
			t.process(waits.ID(id))
		}
	}
	for i := range t.states {
		s := &t.states[i]
		for _, part := range []*int64{&s.Computing, &s.Other, &s.Serving, &s.Underway} {
			*part /= max(processes, 1)
		}
		for w, sum := range t.culprits[i] {
			s.Culprits = add(s.Culprits, Share{who: who(w), Resource: waits.CPU, Waited: sum})
		}
	}
	out := slices.DeleteFunc(t.states, func(s State) bool { return s.Length() == 0 })
	slices.SortStableFunc(out, func(a, b State) int { return cmp.Compare(b.Length(), a.Length()) })
	return out
}

type stateTally struct {
	*crowd
	from, to int64
	states   []State
	culprits [][]int64 // by sort and who: computation that is late
}

// process adds the waits of a process.
func (t *stateTally) process(id waits.ID) {
	var w Wait
	prompt := true // so far nothing but the computation of others was in the way
	for _, p := range t.Of(id) {
		p.Begin, p.End = max(p.Begin, t.from), min(p.End, t.to)
		if p.What != waits.Waiting || p.Resource != waits.Event || p.Holder == 0 || p.Length() <= 0 {
			continue
		}
		if p.Begin != w.End || p.Holder != w.Holder {
			t.keep(w)
			w, prompt = Wait{Actor: id, Holder: p.Holder, Begin: p.Begin}, true
		}
		w.End = p.End
		if t.late(id, &p, &prompt) {
			w.Cost += p.Length()
		}
	}
	t.keep(w)
}

// late adds a piece of a wait and reports whether it is for the computation of another
// that is late. What a process computes after a packet of this wait has reached it, or
// after the waiting one has woken it, it does on that one's behalf, unless that waits for a
// lock or at a barrier.
func (t *stateTally) late(id waits.ID, p *Piece, prompt *bool) bool {
	k := t.sortOf(p.Holder)
	s, root := &t.states[k], &t.Actors[p.Root]
	switch {
	case root.Type == waits.Handler:
		s.Serving += p.Length()
	case root.Type != waits.Process:
		s.Underway += p.Length()
	case k == locks || k == barriers || *prompt && !t.answers(p.Root, p.Begin, id):
		s.Computing += p.Length()
		t.culprits[k][t.who(p.Root)] += p.Length()
		return true
	default:
		s.Other += p.Length()
	}
	*prompt = false
	return false
}

// answers reports whether a process was last woken, before an instant, by a packet of another.
func (t *stateTally) answers(process waits.ID, at int64, other waits.ID) bool {
	for i := t.at(process, at+1); i >= t.first[process]; i-- {
		if p := &t.Pieces[i]; p.What == waits.Waiting && p.Resource == waits.Event && p.Holder != 0 {
			return t.Actors[p.Holder].Cause == other
		}
	}
	return false
}

// keep keeps a wait if it is among the worst of its sort.
func (t *stateTally) keep(w Wait) {
	if w.Cost > 0 {
		s := &t.states[t.sortOf(w.Holder)]
		s.Worst = worst(s.Worst, w)
	}
}
