package capture

import "slices"

// stream joins the segments of one direction of a connection, which come in the order of their data.
// Devices and kernels cut segments and put them together, so that those of the two captures need not
// be the same: a sender's segment has arrived when all of its bytes have.
type stream struct {
	sender  end
	emit    func(crossing)
	sent    []observation // for the first time, with data that may still follow among the arrivals
	before  []observation // sendings of data that may still follow
	arrived []arrival     // with data that may still be asked for
	last    observation   // that was sent
	doubles int64         // of sendings
}

// arrival is a receiver's segment.
type arrival struct {
	observation
	used bool
}

// soonNs is less than a way there and back takes.
const soonNs = 10_000

// add takes the next segment.
func (s *stream) add(x observation) {
	// Segments come in the order of their data: nothing before x.id follows.
	s.settle(x.id)
	if x.end != s.sender {
		// An arrival that holds no byte that is not there already, earlier, tells nothing.
		if !slices.ContainsFunc(s.arrived, func(a arrival) bool { return a.id <= x.id && a.after() >= x.after() && a.last <= x.last }) {
			s.arrived = append(s.arrived, arrival{observation: x})
		}
		return
	}
	s.before = slices.DeleteFunc(s.before, func(b observation) bool { return b.after() <= x.id })
	// No sender can know so soon that they are lost.
	l := s.last
	if s.last = x; x.flow == l.flow && x.id == l.id && x.bytes == l.bytes && x.first-l.first <= soonNs {
		s.doubles++
		return
	}
	// Some of its data have been sent before.
	if slices.ContainsFunc(s.before, func(b observation) bool { return b.first <= x.first }) {
		s.emit(crossing{x.first, 0, x.flow, x.bytes, x.sort, s.sender, again})
	} else {
		s.sent = append(s.sent, x)
	}
	// A sending within an earlier one adds nothing to before.
	if !slices.ContainsFunc(s.before, func(b observation) bool { return b.first <= x.first && b.after() >= x.after() }) {
		s.before = append(s.before, x)
	}
}

// end ends the stream.
func (s *stream) end() {
	s.settle(1<<63 - 1)
	s.before = s.before[:0]
}

// settle decides on the segments of which all data lie before a place: everything about them is known.
func (s *stream) settle(place int64) {
	// Arrivals are kept from the begin of the oldest segment on that is not settled.
	oldest := place
	s.sent = slices.DeleteFunc(s.sent, func(x observation) bool {
		if x.after() > place {
			oldest = min(oldest, x.id)
			return false
		}
		if at, ok := s.whole(&x); ok {
			s.emit(meeting(s.sender, &x, &observation{last: at}))
		} else {
			s.emit(meeting(s.sender, &x, nil))
		}
		return true
	})
	s.arrived = slices.DeleteFunc(s.arrived, func(a arrival) bool {
		done := a.after() <= oldest
		// No segment of the sender's capture has these data.
		if done && !a.used {
			s.emit(meeting(s.sender, nil, &a.observation))
		}
		return done
	})
}

// whole returns when all bytes of a segment have arrived, in ns by the receiver's capture; false if some have
// not. It marks the arrivals that it uses.
func (s *stream) whole(x *observation) (at int64, ok bool) {
	at = -1 << 63
	// Of the arrivals that have the byte at place the earliest counts, up to where another one begins that may
	// be earlier.
	for place := x.id; place < x.after(); {
		first, until := -1, x.after()
		for i := range s.arrived {
			a := &s.arrived[i]
			switch {
			case a.after() <= place:
			case a.id > place:
				until = min(until, a.id)
			case first < 0 || a.last < s.arrived[first].last:
				first = i
			}
		}
		if first < 0 {
			return 0, false
		}
		s.arrived[first].used = true
		at, place = max(at, s.arrived[first].last), min(until, s.arrived[first].after())
	}
	return at, true
}
