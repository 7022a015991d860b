package waits

// Interval is a time in which an actor does one thing.
type Interval struct {
	Actor    ID
	Resource Resource
	What     What
	Instance int32 // of the resource
	// Line says that it waits in line for a resource that serves one at a time: for each that has
	// it meanwhile. An account keeps that as one interval, however many they are.
	Line bool
	// By is the actor in the way, or the one that ended a wait: it let the resource go, or
	// caused the event. Zero: the holders of the resource tell.
	By         ID
	Begin, End int64 // ps
}

// Hold is a time in which an actor has a resource.
type Hold struct {
	Resource   Resource
	Instance   int32
	Actor      ID
	Begin, End int64 // ps
}

// Log is what is recorded of a run. Its methods do nothing on a nil Log, and nothing for
// actor 0, so that a model that is not recorded calls them at no cost. Times are those
// of one clock, in picoseconds; those of one actor do not decrease.
type Log struct {
	Actors    []Actor // by ID, from 1; the first entry is not used
	Intervals []Interval
	Holds     []Hold

	present []Interval // by actor: begun and not ended
	acting  ID
}

// NewLog returns an empty log.
func NewLog() *Log { return &Log{Actors: make([]Actor, 1), present: make([]Interval, 1)} }

// Begin adds an actor whose first interval is the given one, and returns its number.
// Its cause is the acting one unless it has another.
func (l *Log) Begin(a Actor, first Interval) ID {
	if l == nil {
		return 0
	}
	if a.Cause == 0 {
		a.Cause = l.acting
	}
	first.Actor = ID(len(l.Actors))
	a.Begin = first.Begin
	l.Actors = append(l.Actors, a)
	l.present = append(l.present, first)
	return first.Actor
}

// Turn ends the present interval of an actor at next.Begin, where next begins. By is the
// actor that ended it, 0 if its own By or the holders tell. An interval without length is
// not kept, and none begins before the present one.
func (l *Log) Turn(id ID, next Interval, by ID) {
	if l == nil || id == 0 || l.present[id].Actor == 0 {
		return
	}
	next.Actor, next.Begin = id, max(next.Begin, l.present[id].Begin)
	l.close(id, next.Begin, by)
	l.present[id] = next
}

// Present returns the interval that an actor is in; its Actor is 0 if the actor has ended.
func (l *Log) Present(id ID) Interval {
	if l == nil {
		return Interval{}
	}
	return l.present[id]
}

// End ends an actor at the time at. Later calls for it do nothing.
func (l *Log) End(id ID, at int64) {
	if l == nil || id == 0 || l.present[id].Actor == 0 {
		return
	}
	at = max(at, l.present[id].Begin)
	l.close(id, at, 0)
	l.Actors[id].End = at
	l.present[id].Actor = 0
}

// Lose records that a packet was lost on its way at the time at: it waits for the timer of
// its sender. A packet that an interface has made by itself ends.
func (l *Log) Lose(id ID, at int64, sender int32) {
	if l == nil || id == 0 {
		return
	}
	if l.Actors[id].Type == Control {
		l.End(id, at)
		return
	}
	l.Turn(id, Interval{Resource: Timer, What: Waiting, Instance: sender, Begin: at}, 0)
}

func (l *Log) close(id ID, at int64, by ID) {
	now := l.present[id]
	if now.Actor == 0 || at <= now.Begin {
		return
	}
	now.End = at
	if by != 0 && now.What == Waiting {
		now.By = by
	}
	l.Intervals = append(l.Intervals, now)
}

// Hold adds the time in which an actor had a resource.
func (l *Log) Hold(h Hold) {
	if l != nil && h.Actor != 0 && h.End > h.Begin {
		l.Holds = append(l.Holds, h)
	}
}

// Act makes id the acting one, in whose name things happen until the next call, and
// returns the one before.
func (l *Log) Act(id ID) (before ID) {
	if l == nil {
		return 0
	}
	before, l.acting = l.acting, id
	return before
}

// Acting returns in whose name things happen now.
func (l *Log) Acting() ID {
	if l == nil {
		return 0
	}
	return l.acting
}

// Finish ends at the time at all actors that have not ended.
func (l *Log) Finish(at int64) {
	if l == nil {
		return
	}
	for id := range l.present {
		l.End(ID(id), at)
	}
}

// Since makes all times relative to a moment.
func (l *Log) Since(from int64) {
	for i := range l.Actors[1:] {
		a := &l.Actors[1+i]
		a.Begin, a.End = a.Begin-from, a.End-from
	}
	for i := range l.Intervals {
		l.Intervals[i].Begin -= from
		l.Intervals[i].End -= from
	}
	for i := range l.Holds {
		l.Holds[i].Begin -= from
		l.Holds[i].End -= from
	}
}
