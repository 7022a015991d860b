package clock

import "math"

const (
	windows     = 4           // per round
	replyPoints = windows + 1 // a round begins and ends within a window
)

// minima keeps, for one sender, the packet with the smallest delay in each
// window of a quarter of a round. Late notice, queueing and blocking can only
// add to a delay, so the least delayed packet of many gives the best estimate
// of the clocks' difference, as the fastest probe does, without additional
// messages.
type minima struct {
	until  int64 // global subticks: the end of the open window
	least  int64 // its smallest excess over nominal, subticks
	points [replyPoints]Point
	next   int // points[next] is the open window's
	used   int
}

// offer handles a packet of a sender that arrived at global time now with an excess over the
// smallest delay, in ticks. If it is the best of its window it returns where to store its Point,
// otherwise nil.
func (m *minima) offer(now, excess, window int64) *Point {
	if now >= m.until || m.used == 0 {
		m.until = (now/window + 1) * window
		m.least = math.MaxInt64
		if m.used > 0 {
			m.next = (m.next + 1) % replyPoints
		}
		m.used = min(m.used+1, replyPoints)
	}
	if excess >= m.least {
		return nil
	}
	m.least = excess
	return &m.points[m.next]
}

// take returns the minima, oldest first, and clears them.
func (m *minima) take() (points [replyPoints]Point, n int) {
	for i := range m.used {
		points[i] = m.points[(m.next+1+replyPoints-m.used+i)%replyPoints]
	}
	n = m.used
	m.used = 0
	return points, n
}
