package activity

import (
	"fmt"

	"github.com/sigview/sigview/trace"
)

// maxWindows is the largest number of windows. When a packet lies beyond them, each window becomes twice as
// wide, so that memory stays bounded.
const maxWindows = 1 << 12

// firstWidth is the width of a window before the first doubling, in ns.
const firstWidth = 1 << 10

// Side says whether a node's sent or received packets are counted.
type Side uint8

// Sides.
const (
	Sent Side = iota
	Received
)

// String returns "sent" or "received".
func (s Side) String() string { return [...]string{"sent", "received"}[s] }

// port is one side of a node.
type port struct {
	node int
	side Side
}

// Passage is the columns of a packet's row that are counted. A pass over a long trace reads no others.
type Passage struct {
	Sender   int64            `col:"sender" doc:"node that sent"`
	Receiver int64            `col:"receiver" doc:"node that received"`
	T3Ns     trace.Opt[int64] `col:"t3_ns" unit:"ns" doc:"the injection starts"`
	T5Ns     trace.Opt[int64] `col:"t5_ns" unit:"ns" doc:"the packet is in the receiver's interface memory"`
}

// TableName implements trace.Row.
func (Passage) TableName() string { return trace.PacketRow{}.TableName() }

// Check implements trace.Row.
func (p Passage) Check() error {
	if p.Sender < 0 || p.Receiver < 0 || !p.T3Ns.OK {
		return fmt.Errorf("sender, receiver, t3_ns: %d, %d, %v, wanted nodes and a time", p.Sender, p.Receiver, p.T3Ns)
	}
	return nil
}

// Series counts the packets of each port by windows of equal width.
type Series struct {
	width    int64 // of a window in ns
	from, to int64 // ns: the first window begins, the last packet
	begun    bool
	counts   map[port][]int32 // by window
}

// NewSeries returns an empty series.
func NewSeries() *Series { return &Series{width: firstWidth, counts: map[port][]int32{}} }

// Add counts each packet twice: at T3 as sent, and at T5 as received if it arrived.
func (s *Series) Add(rows []Passage) {
	for i := range rows {
		r := &rows[i]
		s.count(port{int(r.Sender), Sent}, r.T3Ns.Value)
		if r.T5Ns.OK {
			s.count(port{int(r.Receiver), Received}, r.T5Ns.Value)
		}
	}
}

// count adds a packet at a time in ns to the window of a port.
func (s *Series) count(p port, at int64) {
	if !s.begun {
		s.from, s.to, s.begun = at, at, true
	}
	s.to = max(s.to, at)
	for at-s.from >= maxWindows*s.width {
		s.widen()
	}
	w := max(at-s.from, 0) / s.width // packets are in order of time, but for the clocks' errors
	counts := s.counts[p]
	for int64(len(counts)) <= w {
		counts = append(counts, 0)
	}
	counts[w]++
	s.counts[p] = counts
}

// widen doubles the width of the windows and adds the counts of each two.
func (s *Series) widen() {
	s.width *= 2
	for p, counts := range s.counts {
		n := (len(counts) + 1) / 2
		for i := range n {
			sum := counts[2*i]
			if 2*i+1 < len(counts) {
				sum += counts[2*i+1]
			}
			counts[i] = sum
		}
		s.counts[p] = counts[:n]
	}
}

// End returns the time of the last packet in ns.
func (s *Series) End() int64 { return s.to }

// windows returns the number of windows from the first packet to the last.
func (s *Series) windows() int { return int((s.to-s.from)/s.width) + 1 }

// all returns the packets that all nodes sent, by window.
func (s *Series) all() []int64 {
	out := make([]int64, s.windows())
	for p, counts := range s.counts {
		if p.side == Sent {
			for w, n := range counts {
				out[w] += int64(n)
			}
		}
	}
	return out
}
