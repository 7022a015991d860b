package microbench

import (
	"fmt"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Pair is two processes on two nodes that exchange messages. After an error of a
// layer its processes wait forever: nothing else can be measured on their nodes,
// and every program returns that error.
type Pair struct {
	*group
	maxBytes int
}

// NewPair sets up two processes, which exchange messages of up to maxBytes. A
// sender cuts messages that are longer than the layer's longest.
func NewPair(ends [2]End, maxBytes int) (*Pair, error) {
	if least := ends[0].Layer.Traits().MinBytes; maxBytes < least {
		return nil, fmt.Errorf("microbench: messages of at most %d B, want at least %d", maxBytes, least)
	}
	g, err := newGroup(ends[:], "pair", maxBytes)
	if err != nil {
		return nil, err
	}
	for i, s := range g.processes {
		s.peer = ends[1-i].Node
	}
	return &Pair{g, maxBytes}, nil
}

// check refuses a size or a number of messages out of range.
func (p *Pair) check(n, messages, least int) error {
	shortest := p.processes[0].traits.MinBytes
	switch {
	case n < shortest || n > p.maxBytes:
		return fmt.Errorf("microbench: messages of %d B, want %d to %d", n, shortest, p.maxBytes)
	case messages < least:
		return fmt.Errorf("microbench: %d messages, want at least %d", messages, least)
	}
	return nil
}

// both executes a program on each side.
func (p *Pair) both(zero, one func(*process, *host.Context)) error {
	return p.run(func(i int, c *host.Context) { []func(*process, *host.Context){zero, one}[i](p.processes[i], c) })
}

// PingPong is the result of round trips.
type PingPong struct {
	Bytes  int
	RTT    sim.Duration // mean over all rounds but the first
	Rounds int
}

// OneWay returns half of the round trip.
func (r PingPong) OneWay() sim.Duration { return r.RTT / 2 }

// PingPong sends a message of n bytes back and forth (userspace, Figure 3a). A
// receive that must be posted is posted before the message that the peer
// answers, which takes no further messages.
func (p *Pair) PingPong(n, rounds int) (PingPong, error) {
	if err := p.check(n, rounds, 1); err != nil {
		return PingPong{}, err
	}
	took, err := p.alternate(rounds+1, func(int) int { return n }, nil)
	return PingPong{n, took / sim.Duration(rounds), rounds}, err
}

// Unloaded sends messages of each size back and forth, one by one. The idle
// time before each is between gap and twice gap.
func (p *Pair) Unloaded(sizes []int, rounds int, gap sim.Duration) error {
	for _, n := range sizes {
		if err := p.check(n, rounds, 1); err != nil {
			return err
		}
	}
	idle := p.engine.Stream("microbench/unloaded")
	_, err := p.alternate(rounds*len(sizes),
		func(k int) int { return sizes[k%len(sizes)] },
		func() sim.Duration { return gap + idle.Upto(gap) })
	return err
}

// alternate sends messages back and forth for a number of rounds, with a pause
// before each message. It returns the time of all rounds but the first.
func (p *Pair) alternate(rounds int, size func(round int) int, pause func() sim.Duration) (took sim.Duration, err error) {
	send := func(s *process, c *host.Context, n int) {
		if pause != nil {
			c.Sleep(pause())
		}
		s.send(c, n)
	}
	err = p.both(
		func(s *process, c *host.Context) {
			begin := c.Now()
			s.await(c, size(0))
			for k := range rounds {
				if k == 1 {
					begin = c.Now()
				}
				s.post(c, size(k))
				send(s, c, size(k))
				s.receive(c, size(k))
			}
			took = c.Now().Sub(begin)
		},
		func(s *process, c *host.Context) {
			s.ready(c, size(0))
			for k := range rounds {
				s.receive(c, size(k))
				if k+1 < rounds {
					s.post(c, size(k+1))
				}
				send(s, c, size(k))
			}
		})
	return took, err
}
