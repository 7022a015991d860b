package clock

import "math"

const (
	windows     = 4           // per round
	replyPoints = windows + 1 // a round begins and ends within a window
)

// minima keeps, for one sender, the packet with the smallest delay in each
// window of a quarter of a round. Late notice, waiting and blocking only
// ever add to a delay, so the least delayed packet of many tells the clocks'
// difference best, as the quickest probe does, without a message of its own.
type minima struct {
	until  int64 // global subticks: the end of the open window
	least  int64 // its smallest excess over nominal, subticks
	points [replyPoints]Point
	next   int // points[next] is the open window's
	used   int
}

// offer takes a packet that arrived at global time now with this excess. When the packet
// is the best of its window so far, it returns where to store it, otherwise nil.
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

// take returns the minima, oldest first, and empties them.
func (m *minima) take() (points [replyPoints]Point, n int) {
	for i := range m.used {
		points[i] = m.points[(m.next+1+replyPoints-m.used+i)%replyPoints]
	}
	n = m.used
	m.used = 0
	return points, n
}
