package causal

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/analysis/causal/peers"
	"github.com/sigview/sigview/trace/waits"
)

// Explanation is what a run's time was made of.
//
// Invariant: Known <= Waited. Waiting of several actors at once counts for each, so that Waited may be more
// than the time explained.
type Explanation struct {
	From, To int64            // ps: the period that is explained
	Records  bool             // the log is rebuilt from records, which do not tell refused packets from unsent ones
	Dir      string           // how commands call the run's directory
	Ports    map[int32]string // names of channels, as far as they are known
	Tags     []string         // names of the programs of a run of several; nil: one
	Path     []Use            // the critical path by resource, the largest first; the lengths sum to To - From
	// The same path by the node whose resource it is at, by program and by operation.
	Nodes, Programs, Operations []Part
	Queues                      []Queue
	Outliers                    []Outlier
	Busy                        []Busy
	Odd                         *peers.Slow   // what may have put the program out of step, if the path has none of it; nil: nothing
	Halts                       Halts         // of the whole run
	Computed                    map[int]int64 // ps of the critical path in which the host processor of a node works
	Received                    map[int]int   // packets by node
	Events                      []Event       // by their begins
	Portions                    []Portion
	Phases                      int // how many the portions are divided into; 0: they are not known
	States                      []State
	Near                        []Near
	Retries                     []Retry // known of operations, not of the log
	Waited                      int64   // ps: all waiting of packets and processes for resources and others
	Known                       int64   // ps: the part whose holder is in the log
	*account.Crowd
}

// Retry is the time in which operations try again, because another process had what they wanted.
type Retry struct {
	Operation string
	Mean      int64 // ps, over the nodes with such operations
	Times, Of int64 // operations that try again, and all
}

// Explain explains the time from an instant until the last process has ended its work.
func Explain(g *graph.Graph, from int64) *Explanation { return ExplainPart(g, from, account.Forever) }

// ExplainPart explains the time from an instant until the process that was served last
// before another instant. ends are the ends of the run's phases, ascending; all in ps.
func ExplainPart(g *graph.Graph, from, until int64, ends ...int64) *Explanation {
	// The time ends where the program does: with the last service of a process.
	end, to := g.Last(until)
	if end == 0 { // a log of packets alone
		to = lastEnd(g.Account, until)
	}
	to = max(from, to)
	x := section{
		Graph: g, crowd: account.NewCrowd(g.Account), from: from, to: to, length: to - from, ends: ends, pathless: end == 0, replays: true,
		gone:   func(visit func(graph.Segment)) { g.CriticalPath(end, from, to, visit) },
		leasts: func() []int64 { return leasts(g.Account, g.Slack(end, to)) },
	}
	x.stretch = func() graph.Stretch {
		first, _ := g.Last(from)
		return graph.Stretch{First: first, From: from, Last: end, To: to}
	}
	e, _ := x.explain()
	return e
}

// section is a time of a log that is explained.
type section struct {
	*graph.Graph
	crowd    *account.Crowd
	from, to int64   // ps
	length   int64   // ps: of all of the time that the section is part of
	ends     []int64 // of phases
	// processes is how many the log has; 0: those of the graph.
	processes int64
	pathless  bool // the log has packets alone
	gone      func(visit func(graph.Segment))
	leasts    func() []int64       // by actor, as near takes them
	stretch   func() graph.Stretch // whose length is predicted, once the path is gone through
	replays   bool                 // of all; else of events alone
}

// explain returns what the section is made of, and the critical path at engines.
func (x *section) explain() (*Explanation, busy) {
	g, from := x.Graph, x.from
	e := &Explanation{Dir: "DIR", From: from, To: x.to, Crowd: x.crowd}
	unlike := newOutliers(g, x.length)
	// Of an account with more than the section, others have the rest.
	unlike.gaps = slices.DeleteFunc(unlike.gaps, func(o Outlier) bool {
		return g.Account.Part() && (o.Gap.To <= from || o.Gap.From >= x.to)
	})
	e.Events = eventsOf(g.Account, unlike, x.length)
	by := newAlong(e.Crowd)
	engines := busy{}
	split := &portions{along: by, ends: x.ends, sums: map[Sort]*Portion{}}
	t := &tally{Crowd: e.Crowd, owner: g.Owner, outliers: unlike, portions: split}
	t.all(from, e.To)
	// By resource; the last entry is the time that nothing in the log explains.
	uses := make([]Use, waits.NumResources+1)
	x.gone(func(s graph.Segment) {
		t.path(s)
		engines.take(g.Account, s)
		by.add(s)
		use(uses, g.Account, s)
	})
	for i := range uses {
		uses[i].Resource, uses[i].Unknown = waits.Resource(i), i == waits.NumResources
	}
	e.Path = used(uses)
	e.Nodes, e.Programs, e.Operations = largest(by.nodes), largest(by.programs), largest(by.operations)
	e.Waited, e.Known = t.waited, t.known
	e.States = states(e.Crowd, from, e.To, unlike.Slowness, x.processes)
	if x.pathless { // no path, and nothing that would end earlier
		e.Queues = t.longest()
		e.Portions, e.Phases = ordered(unordered(split.sums), unlike.gaps, e.inShort), len(x.ends)
		return e, engines
	}
	// Slack comes before NewRerun, which drops the order of pieces that it needs.
	e.Near = near(e.Crowd, x.leasts(), x.length)
	var r replayer = unchanged(e.Length())
	if x.replays || unlike.happens() {
		r = graph.NewRerun(g, x.stretch())
	}
	for resource := range waits.Resource(waits.NumResources) {
		q, ok := t.queue(resource)
		if !ok {
			continue
		}
		// Where less is waited, Saved and Moved stay 0.
		if max(q.Waited, q.OnPath+q.Own) >= e.Length()/replayed && x.replays {
			p := r.WhatIf(graph.Change{Free: []waits.Resource{resource}})
			q.Saved = e.Length() - p.Length
			// Grants may be 0 in a log without services at single places.
			q.Moved = float64(p.Moved) / float64(max(p.Grants, 1))
		}
		// A ring's depth is known of nodes that have refused packets.
		if at := where(&q); at != nil && resource == waits.Ring {
			q.Depth = g.Depth[int32(*at)]
		}
		e.Queues = append(e.Queues, q)
	}
	e.Computed, e.Received = engines.computed(), peers.Received(g.Account)
	e.Outliers = unlike.found(r, e.Length())
	if e.disordered() {
		e.Odd = peers.Odd(g.Account)
	}
	for i := range e.Outliers {
		// Behind a place without room others wait elsewhere too.
		if o := &e.Outliers[i]; o.Slow != nil && o.Slow.Room() {
			o.OnPath += t.At(o.Slow.Resource).at[o.Slow.Instance].OnPath
		}
	}
	if !x.replays {
		r = unchanged(e.Length())
	}
	e.Busy = engines.found(r, e.Length(), e.Crowd.Nodes)
	e.Portions, e.Phases = ordered(unordered(split.sums), e.Outliers, e.inShort), len(x.ends)
	e.rankQueues()
	return e, engines
}

// unchanged is a replayer that predicts the recorded length, in ps, whatever changes.
type unchanged int64

func (u unchanged) WhatIf(graph.Change) graph.Prediction { return graph.Prediction{Length: int64(u)} }

// rankQueues puts first the queue that costs most.
func (e *Explanation) rankQueues() {
	slices.SortStableFunc(e.Queues, func(a, b Queue) int {
		return cmp.Or(cmp.Compare(b.worth(e.Length()).cost, a.worth(e.Length()).cost), cmp.Compare(b.Waited, a.Waited))
	})
}

// used returns the uses with time in them, the largest first.
func used(uses []Use) []Use {
	uses = slices.DeleteFunc(uses, func(u Use) bool { return u.Length() == 0 })
	slices.SortStableFunc(uses, func(a, b Use) int { return cmp.Compare(b.Length(), a.Length()) })
	return uses
}

// lastEnd returns when the last actor ends, at most until, in ps.
func lastEnd(a *account.Account, until int64) (to int64) {
	for i := range a.Actors {
		to = max(to, a.Actors[i].End)
	}
	return min(to, until)
}

// replayed: a resource gets a replay if all actors together wait for it at least 1/replayed of the time.
const replayed = 1000

// use adds a segment of the path to the uses by resource.
func use(uses []Use, a *account.Account, s graph.Segment) {
	if s.Piece < 0 {
		uses[waits.NumResources].add(waits.Waiting, s.Length())
		return
	}
	p := &a.Pieces[s.Piece]
	uses[p.Resource].add(p.What, s.Length())
}
