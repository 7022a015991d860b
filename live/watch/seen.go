package watch

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/trace"
)

// What is known of a message when it is given to the socket; the programs in the kernel have the same list.
var heldBy = []struct {
	bit  uint32
	what trace.Cause
}{{2, trace.HeldByNagle}, {4, trace.HeldByWindow}, {8, trace.HeldByCongestion}, {16, trace.HeldByCork}}

// moved is in Why of a message that was read: its reader was given another processor since it arrived.
const moved = 32

// seen collects what the kernel was seen to do with samples of messages.
type seen struct {
	times map[about]*times
	other []trace.Observed // what is counted for all messages
}

// about is a cause of messages of a program in a direction.
type about struct {
	what     trace.Cause
	program  uint32
	toServer uint32
}

// times are those of messages with a cause, and the sum of those without it, in ns.
type times struct {
	with      []int64
	of        int64
	otherSum  int64
	truncated int64 // of with, how many are not kept
}

// mostTimes is how many times of a cause are kept.
const mostTimes = 1 << 16

// add takes the times of a sample.
func (s *seen) add(m *sample) {
	source := int64(m.At[1] - m.At[0])
	if m.UDP == 0 {
		for _, h := range heldBy {
			s.count(h.what, m, m.Why&h.bit != 0, source)
		}
	}
	s.count(trace.ServerTime, m, m.Served > 0, int64(m.Served))
	arrived, read := m.At[3], m.At[4]
	waited := min(m.Waited, read-min(arrived, read))
	s.count(trace.RunQueue, m, waited > 0, int64(waited))
	s.count(trace.Deferred, m, m.Deferred > 0, int64(m.Deferred))
	asleep := m.Woken > arrived
	s.count(trace.Asleep, m, asleep, int64(max(m.Woken, arrived)-arrived))
	s.count(trace.ReaderBusy, m, !asleep, int64(read-arrived))
	s.count(trace.Migrated, m, m.Why&moved != 0, int64(read-arrived))
}

// acknowledged takes the times of a sample that another host has: what held it, and when it was acknowledged.
func (s *seen) acknowledged(m *sample) {
	for _, h := range heldBy {
		s.count(h.what, m, m.Why&h.bit != 0, int64(m.At[1]-m.At[0]))
	}
	s.count(trace.ServerTime, m, m.Served > 0, int64(m.Served))
	s.count(trace.Acknowledged, m, true, int64(m.At[3]-m.At[2]))
}

// count adds a message that has a cause, or has it not.
func (s *seen) count(what trace.Cause, m *sample, has bool, ns int64) {
	if s.times == nil {
		s.times = map[about]*times{}
	}
	key := about{what, m.Program, m.ToServer}
	t := s.times[key]
	if t == nil {
		t = new(times)
		s.times[key] = t
	}
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

// rows are what was seen of some messages at least, by cause, program and direction.
func (s *seen) rows(programs map[int]string) (out []trace.Observed) {
	for key, t := range s.times {
		n := int64(len(t.with))
		if n == 0 {
			continue
		}
		slices.Sort(t.with)
		sum := int64(0)
		for _, ns := range t.with {
			sum += ns
		}
		row := trace.Observed{
			What: key.what, Program: cmp.Or(programs[int(key.program)], others), ToServer: key.toServer != 0, Messages: n + t.truncated, Of: t.of,
			MeanNs: float64(sum) / float64(n), MedianNs: t.with[n/2], P99Ns: t.with[n*99/100],
		}
		if rest := t.of - row.Messages; rest > 0 {
			row.OthersNs = float64(t.otherSum) / float64(rest)
		}
		out = append(out, row)
	}
	slices.SortFunc(out, func(a, b trace.Observed) int {
		return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Program, b.Program), compare(a.ToServer, b.ToServer))
	})
	return append(out, s.other...)
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
