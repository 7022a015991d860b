package rebuild

import "github.com/sigview/sigview/trace/waits"

// scribe writes the intervals of one actor, one after another.
type scribe struct {
	log *waits.Log
	id  waits.ID
	// In ps: the last interval ends here, and the next one begins.
	at int64
}

// begin begins the actor at a time, in ps.
func (s *scribe) begin(a waits.Actor, at int64) {
	a.Begin, a.End = at, at
	s.id, s.at = waits.ID(len(s.log.Actors)), at
	s.log.Actors = append(s.log.Actors, a)
}

// next appends an interval up to the time end, if that lies ahead.
func (s *scribe) next(r waits.Resource, node int, w waits.What, end int64, by waits.ID) {
	if end <= s.at {
		return
	}
	s.log.Intervals = append(s.log.Intervals, waits.Interval{
		Actor: s.id, Resource: r, What: w, Instance: int32(node), By: by, Begin: s.at, End: end,
	})
	s.at = end
}

// wait appends waiting for a resource until end, in ps, by whose doing; 0: not known.
func (s *scribe) wait(r waits.Resource, node int, end int64, by waits.ID) {
	s.next(r, node, waits.Waiting, end, by)
}

// serve appends service by a resource until end, in ps.
func (s *scribe) serve(r waits.Resource, node int, end int64) {
	s.next(r, node, waits.Service, end, 0)
}

// idle appends idle time at a resource until end, in ps.
func (s *scribe) idle(r waits.Resource, node int, end int64) { s.next(r, node, waits.Idle, end, 0) }

// end ends the actor where its last interval ends.
func (s *scribe) end() { s.log.Actors[s.id].End = s.at }
