package microbench

import (
	"cmp"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Stream is a one-way stream.
type Stream struct {
	Bytes    int
	Messages int
	Took     sim.Duration // from the first send to the arrival of the last message
	Overhead sim.Duration // mean time inside send while the request queue had room
}

// BytesPerSecond returns the bandwidth.
func (r Stream) BytesPerSecond() float64 {
	return float64(r.Bytes) * float64(r.Messages) / r.Took.Seconds()
}

// Stream sends messages of n bytes, at least three, back to back (userspace,
// Figure 9b). Where receives must be posted, each message waits for a message
// that announces its receive.
func (p *Pair) Stream(n, messages int) (Stream, error) {
	r := Stream{Bytes: n, Messages: messages}
	if err := p.check(n, messages, 3); err != nil {
		return r, err
	}
	err := p.both(
		func(s *process, c *host.Context) {
			o := s.overhead(messages)
			for range messages - 1 {
				s.await(c, n)
				o.send(c, n)
			}
			s.await(c, n)
			s.end(c, n)
			r.Overhead = o.mean()
		},
		func(s *process, c *host.Context) {
			begin := c.Now()
			for range messages {
				s.ready(c, n)
				s.receive(c, n)
			}
			r.Took = c.Now().Sub(begin)
		})
	return r, err
}

// Simultaneous streams both ways at once: each side sends a message and
// receives one in turn (userspace, Figure 9c), piece by piece where messages are
// cut. Where messages need no receiver, it sends all and then waits for the peer's
// last one.
func (p *Pair) Simultaneous(n, messages int) ([2]Stream, error) {
	out := [2]Stream{{Bytes: n, Messages: messages}, {Bytes: n, Messages: messages}}
	if err := p.check(n, messages, 3); err != nil {
		return out, err
	}
	err := p.run(func(i int, c *host.Context) {
		s := p.processes[i]
		o := s.overhead(messages)
		begin := c.Now()
		if s.traits.Consumes {
			for range messages {
				o.exchange(c, n)
			}
		} else {
			for range messages - 1 {
				o.send(c, n)
			}
			s.end(c, n)
			for range messages {
				s.receive(c, n)
			}
		}
		out[i].Overhead = o.mean()
		out[1-i].Took = c.Now().Sub(begin)
	})
	return out, err
}

// overhead measures the time inside the sends of a stream while the request
// queue has room.
type overhead struct {
	*process
	few, sent int
	spent     sim.Duration
}

// someSlots stands for a queue whose length is not known.
const someSlots = 8

// overhead measures as many sends as half of the request queue has room for.
func (p *process) overhead(messages int) overhead {
	return overhead{process: p, few: min(messages, max(1, cmp.Or(p.Slots, someSlots)-1))/2 + 1}
}

func (o *overhead) send(c *host.Context, n int) {
	if o.sent == o.few {
		o.process.send(c, n)
		return
	}
	begin := c.Now()
	o.process.send(c, n)
	o.add(c.Now().Sub(begin))
}

// exchange sends n bytes and receives as many.
func (o *overhead) exchange(c *host.Context, n int) {
	o.ready(c, n)
	o.await(c, n)
	var inside sim.Duration
	o.do(c, n, func(p *process, c *host.Context, at, k int) error {
		begin := c.Now()
		if err := sendPiece(p, c, at, k); err != nil {
			return err
		}
		inside += c.Now().Sub(begin)
		return receivePiece(p, c, at, k)
	})
	o.add(inside)
}

func (o *overhead) add(d sim.Duration) {
	if o.sent < o.few {
		o.spent += d
		o.sent++
	}
}

func (o *overhead) mean() sim.Duration { return o.spent / sim.Duration(max(1, o.sent)) }
