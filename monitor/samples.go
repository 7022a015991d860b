package monitor

import (
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/trace"
)

// sample is a pair of latencies that waits to be binned: Source and LANai at
// the sender, Net and Dest at the receiver.
type sample struct {
	packet histo.Packet
	stages [2]trace.Stage
	ticks  [2]int64
}

// samples is a ring of fixed capacity.
type samples struct {
	buf  []sample
	head int
	n    int
}

func (s *samples) full() bool { return s.n == len(s.buf) }

func (s *samples) push(v sample) {
	at := s.head + s.n
	if at >= len(s.buf) {
		at -= len(s.buf)
	}
	s.buf[at] = v
	s.n++
}

func (s *samples) pop() sample {
	v := s.buf[s.head]
	s.n--
	if s.head++; s.n == 0 || s.head == len(s.buf) {
		s.head = 0 // when none is left the next one finds its place in the cache
	}
	return v
}
