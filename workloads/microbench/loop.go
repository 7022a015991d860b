package microbench

import (
	"fmt"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Loop is a program's loop over messages with a spin after each (userspace,
// Figure 3).
type Loop struct {
	Bytes    int
	Warm     int // messages before the timed ones, which fill queues and windows
	Messages int // timed
	Spin     sim.Duration
}

// maxSpin is the longest spin; it is below patience.
const maxSpin = 10 * sim.Second

func (p *Pair) checkLoop(l Loop) error {
	switch {
	case l.Warm < 0:
		return fmt.Errorf("microbench: %d messages before the timed ones, want at least 0", l.Warm)
	case l.Spin < 0 || l.Spin > maxSpin:
		return fmt.Errorf("microbench: a spin of %v, want 0 to %v", l.Spin, maxSpin)
	}
	return p.check(l.Bytes, l.Messages, 1)
}

// time runs the loop around f and returns the time per message, spin included.
func (l Loop) time(c *host.Context, f func()) sim.Duration {
	var begin sim.Time
	for k := range l.Warm + l.Messages {
		if k == l.Warm {
			begin = c.Now()
		}
		f()
		c.Spend(l.Spin)
	}
	return c.Now().Sub(begin) / sim.Duration(l.Messages)
}

// SendGap times a loop of send and spin at the sender, while the other side
// receives: fragment (b). Many messages give g(Δ); fewer than the layer buffers,
// without a spin, give the send overhead. Where messages are requests, SendGap
// returns after the replies are handled, which is not timed. Where messages need
// no receiver, the other side only polls its memory.
func (p *Pair) SendGap(l Loop) (gap sim.Duration, err error) {
	if err := p.checkLoop(l); err != nil {
		return 0, err
	}
	err = p.both(
		func(s *process, c *host.Context) {
			gap = l.time(c, func() {
				s.await(c, l.Bytes)
				s.send(c, l.Bytes)
			})
		},
		func(s *process, c *host.Context) {
			for range l.Warm + l.Messages {
				s.ready(c, l.Bytes)
				s.receive(c, l.Bytes)
			}
		})
	return gap, err
}

// ReceiveGap times a loop of receive and spin at the receiver, while the other
// side sends: fragment (c). Where receives must be posted, the next one is posted
// before the spin, during which its message arrives.
func (p *Pair) ReceiveGap(l Loop) (gap sim.Duration, err error) {
	if err := p.checkLoop(l); err != nil {
		return 0, err
	}
	if t := p.processes[0].traits; !t.Consumes {
		return 0, fmt.Errorf("microbench: layer %s deposits messages and nobody receives them: a receiver has nothing to time", t.Name)
	}
	err = p.both(
		func(s *process, c *host.Context) {
			left := l.Warm + l.Messages
			s.ready(c, l.Bytes)
			gap = l.time(c, func() {
				s.receive(c, l.Bytes)
				if left--; left > 0 {
					s.ready(c, l.Bytes)
				}
			})
		},
		func(s *process, c *host.Context) {
			for range l.Warm + l.Messages {
				s.await(c, l.Bytes)
				s.send(c, l.Bytes)
			}
		})
	return gap, err
}
