package watch

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sigview/sigview/trace"
)

// causes are what a sample can have. The first ones are known when a message is given to the socket; the programs in the
// kernel have the same list, as bits from 2 on.
var causes = [...]trace.Cause{
	trace.HeldByNagle, trace.HeldByWindow, trace.HeldByCongestion, trace.HeldByCork,
	trace.ServerTime, trace.RunQueue, trace.Asleep, trace.ReaderBusy, trace.Acknowledged,
	trace.Deferred, trace.Migrated,
}

// The places of the others.
const (
	served = iota + 4
	queuedToRun
	asleep
	busy
	acknowledged
	deferred
	migrated
)

// moved is in Why of a message that was read: its reader was given another processor since it arrived.
const moved = 32

// seen collects what the kernel was seen to do with samples of messages.
type seen struct {
	times map[about]*[len(causes)]times
	other []trace.Observed // what is counted for all messages
}

// about is messages of a program in a direction.
type about struct{ program, toServer uint32 }

// times are those of messages with a cause, and the sum of those without it, in ns.
type times struct {
	with      []int64
	of        int64
	otherSum  int64
	truncated int64 // of with, how many are not kept
}

// mostTimes is how many times of a cause are kept.
const mostTimes = 1 << 16

// of returns the times of a sample's program and direction.
func (s *seen) of(m *sample) *[len(causes)]times {
	if s.times == nil {
		s.times = map[about]*[len(causes)]times{}
	}
	key := about{m.Program, m.ToServer}
	t := s.times[key]
	if t == nil {
		t = new([len(causes)]times)
		s.times[key] = t
	}
	return t
}

// add takes the times of a sample.
func (s *seen) add(m *sample) {
	t := s.of(m)
	if m.UDP == 0 {
		countHeld(t, m)
	}
	t[served].count(m.Served > 0, int64(m.Served))
	arrived, read := m.At[3], m.At[4]
	waited := min(m.Waited, read-min(arrived, read))
	t[queuedToRun].count(waited > 0, int64(waited))
	t[deferred].count(m.Deferred > 0, int64(m.Deferred))
	slept := m.Woken > arrived
	t[asleep].count(slept, int64(max(m.Woken, arrived)-arrived))
	t[busy].count(!slept, int64(read-arrived))
	t[migrated].count(m.Why&moved != 0, int64(read-arrived))
}

// acknowledged takes the times of a sample that another host has: what held it, and when it was acknowledged.
func (s *seen) acknowledged(m *sample) {
	t := s.of(m)
	countHeld(t, m)
	t[served].count(m.Served > 0, int64(m.Served))
	t[acknowledged].count(true, int64(m.At[3]-m.At[2]))
}

// Bits of Why.
const heldByNagle, heldByWindows = 2, 4 | 8

// held is Why. A message that a window holds waits for that, whether or not Nagle's algorithm would hold its tail too.
func (s *sample) held() uint32 {
	if s.Why&heldByWindows != 0 {
		return s.Why &^ heldByNagle
	}
	return s.Why
}

// countHeld takes what held a message, and its time in Source.
func countHeld(t *[len(causes)]times, m *sample) {
	for i := range served {
		t[i].count(m.held()&(2<<i) != 0, int64(m.At[1]-m.At[0]))
	}
}

// count adds a message that has a cause, or has it not.
func (t *times) count(has bool, ns int64) {
	t.of++
	switch {
	case !has:
		t.otherSum += ns
	case len(t.with) < mostTimes:
		t.with = append(t.with, ns)
	default:
		t.truncated++
	}
}

// copied returns a copy of the times so far.
func (s *seen) copied() map[about]*[len(causes)]times {
	out := maps.Clone(s.times)
	for key, all := range out {
		own := *all
		for i := range own {
			own[i].with = slices.Clone(own[i].with)
		}
		out[key] = &own
	}
	return out
}

// less takes away what was counted before for all messages. How full a queue was at most is not known of a part of the time.
func (s *seen) less(before *seen) {
	for i := range s.other {
		now := &s.other[i]
		for _, was := range before.other {
			if was.What == now.What && was.Program == now.Program && was.Where == now.Where {
				now.Messages, now.Of, now.Dropped = now.Messages-was.Messages, now.Of-was.Of, now.Dropped-was.Dropped
			}
		}
	}
}

// row is what was seen of the times of a cause. It returns false if no message has it.
func (t *times) row() (row trace.Observed, seen bool) {
	n := int64(len(t.with))
	if n == 0 {
		return row, false
	}
	slices.Sort(t.with)
	sum := int64(0)
	for _, ns := range t.with {
		sum += ns
	}
	row = trace.Observed{Messages: n + t.truncated, Of: t.of, MeanNs: float64(sum) / float64(n), MedianNs: t.with[n/2], P99Ns: t.with[n*99/100]}
	if rest := t.of - row.Messages; rest > 0 {
		row.OthersNs = float64(t.otherSum) / float64(rest)
	}
	return row, true
}

// rows are what was seen of some messages at least, by cause, program and direction.
func (s *seen) rows(programs map[int]string) (out []trace.Observed) {
	for key, all := range s.times {
		for i := range all {
			if row, seen := all[i].row(); seen {
				row.What, row.Program, row.ToServer = causes[i], cmp.Or(programs[int(key.program)], others), key.toServer != 0
				out = append(out, row)
			}
		}
	}
	slices.SortFunc(out, func(a, b trace.Observed) int {
		return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Program, b.Program), compare(a.ToServer, b.ToServer))
	})
	return append(out, s.other...)
}

// losses adds to causes that have no time of their own what they are weighed by: to segments the messages of their program, to queues
// the mean of NI.
func (r *result) losses(all []trace.Observed) []trace.Observed {
	messages, ns, queued := map[string]uint64{}, uint64(0), uint64(0)
	for s, h := range r.histograms {
		ni := &h.Stages[trace.LANai]
		messages[cmp.Or(r.programs[s.program], others)] += h.messages()
		ns += ni.Sum
		queued += ni.total()
	}
	for i := range all {
		switch o := &all[i]; o.What {
		case trace.SentAgain, trace.SegmentsDropped:
			o.Of = int64(messages[o.Program])
		case trace.InDiscipline:
			o.Of, o.MeanNs = o.Messages, float64(ns)/float64(max(queued, 1))
		case trace.CardFull:
			o.MeanNs = float64(ns) / float64(max(queued, 1))
		}
	}
	return all
}

// compare puts false before true.
func compare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
