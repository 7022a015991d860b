package tcp

import (
	"fmt"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// watch makes the kernel look at its timers at a time.
func (l *Layer) watch(t sim.Time) {
	if t < l.alarm {
		l.alarm = t
		l.NIC.Engine().At(t, l, 0, 0)
	}
}

// Act executes that event: the clock's interrupt if a timer is due.
func (l *Layer) Act(uint32, uint64) {
	now := l.Program.Now()
	if now < l.alarm {
		return
	}
	l.alarm = sim.Never
	next := sim.Never
	for _, e := range l.endpoints {
		for _, k := range e.conns {
			if k != nil {
				next = min(next, k.deadline, k.ackAt)
			}
		}
	}
	if next <= now {
		l.timers.Interrupt()
	} else if next != sim.Never {
		l.watch(next)
	}
}

// tick handles the timers that are due, and sends what has waited for descriptors.
func (l *Layer) tick(c *host.Context) {
	for {
		for _, e := range l.endpoints {
			for _, k := range e.conns {
				if k != nil {
					k.expire(c)
					k.output(c)
				}
			}
		}
		l.Act(0, 0) // for those that are due later
		c.WaitInterrupt("a timer")
	}
}

// expire handles the timers of a connection.
func (k *conn) expire(c *host.Context) {
	if c.Now() >= k.ackAt {
		k.acknowledge(c)
	}
	if c.Now() < k.deadline {
		k.e.layer.watch(min(k.deadline, k.ackAt))
		return
	}
	k.deadline = sim.Never
	switch {
	case k.queue.Len() == 0:
		return
	case k.tries >= k.e.layer.spec.Tries:
		k.fail()
		return
	}
	k.tries++
	if k.flying == 0 { // the peer has no room
		k.await()
		k.probe(c)
		return
	}
	k.e.layer.stats.Timeouts++
	k.threshold = max(2, k.flying/2)
	k.window, k.grown, k.same, k.flying, k.recovery = 1, 0, 0, 0, 0
	k.output(c)
}

// fail ends a connection whose segments had no answer.
func (k *conn) fail() {
	l := k.e.layer
	n := k.queue.Len()
	l.stats.Failed += uint64(n)
	k.failed = fmt.Errorf("tcp: node %d: the connection to node %d has failed: %d segments had no answer after %d tries", k.e.Node(), k.peer, n, k.tries)
	for k.queue.Len() > 0 {
		l.letGo(k.queue.Pop().at)
	}
	k.flying, k.una = 0, k.end
	k.e.Ring()
}
