package live

import (
	"sync/atomic"
	"time"
)

// allowance bounds what a mirror sends in bursts. Half of the messages of a second may be sent at once
// and the other half in its course, so that in no second there are more.
type allowance struct {
	rate float64 // messages a second that become free, and how many may be at most; 0: no bound
	left float64
	at   time.Time // of left
}

// wait waits until so many messages are free, and takes them. It waits before a burst and not in it, so
// that it is in no measured time.
func (a *allowance) wait(n float64, stop *atomic.Bool) {
	for a.rate > 0 && !stop.Load() {
		now := time.Now()
		// The first burst finds all of it.
		if a.at.IsZero() {
			a.left = a.rate
		} else {
			a.left = min(a.rate, a.left+float64(a.rate*now.Sub(a.at).Seconds()))
		}
		a.at = now
		if a.left >= n {
			a.left -= n
			return
		}
		pause(min(longestPause, time.Duration((n-a.left)/a.rate*1e9)))
	}
}

// mostBurst is the largest number of messages that one message makes an end send.
const mostBurst = 64

// longestPause is after how long a thread that waits looks whether it still has to.
const longestPause = 50 * time.Millisecond

// LeastRate is the least number of messages a second by which a mirror can work. Half of it becomes free each
// second, so that a burst waits a quarter of a second at most.
const LeastRate = 8 * mostBurst
