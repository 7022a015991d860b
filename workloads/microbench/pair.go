package microbench

import (
	"fmt"

	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Pair is two processes on two nodes, each with a buffer that the other one
// deposits into.
type Pair struct {
	engine   *sim.Engine
	side     [2]*side
	maxBytes int
}

// End is a node that takes part.
type End struct {
	Host   *host.Host
	Frames *host.Frames
	VMMC   *vmmc.Node
}

type side struct {
	end    End
	space  *host.Space
	ep     *vmmc.Endpoint
	out    host.Addr // what is sent
	last   host.Addr // what is sent as the last message of a stream
	in     host.Addr // where the other one deposits
	to     *vmmc.Import
	export *vmmc.Export
	watch  host.Watchpoint
}

// minBytes is the shortest message: the programs know one by its last word.
const minBytes = 4

// NewPair sets up two processes, which exchange messages of 4 to maxBytes.
func NewPair(ends [2]End, maxBytes int) (*Pair, error) {
	if maxBytes < minBytes {
		return nil, fmt.Errorf("microbench: messages of at most %d B, want at least %d", maxBytes, minBytes)
	}
	p := &Pair{engine: ends[0].Host.Engine(), maxBytes: maxBytes}
	for i, end := range ends {
		s := &side{end: end, space: host.NewSpace(fmt.Sprintf("pair%d", i), end.Frames)}
		s.ep = end.VMMC.Open(s.space, 0)
		s.out = s.space.Alloc(int64(maxBytes))
		s.last = s.space.Alloc(int64(maxBytes))
		s.in = s.space.Alloc(int64(maxBytes))
		var err error
		if s.export, err = s.ep.Export(s.in, maxBytes, nil); err != nil {
			return nil, err
		}
		p.side[i] = s
	}
	for i, s := range p.side {
		var err error
		if s.to, err = s.ep.Import(p.side[1-i].export); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// check reports a size or a number of messages that the programs cannot have.
func (p *Pair) check(n, messages, least int) error {
	switch {
	case n < minBytes || n > p.maxBytes:
		return fmt.Errorf("microbench: messages of %d B, want %d to %d", n, minBytes, p.maxBytes)
	case messages < least:
		return fmt.Errorf("microbench: %d messages, want at least %d", messages, least)
	}
	return nil
}

// mark writes a number into the last word of a buffer of n bytes.
func (s *side) mark(buffer host.Addr, n int, number uint32) {
	s.space.Store32(buffer+host.Addr(n-4), number)
}

func (s *side) send(c *host.Context, buffer host.Addr, n int) {
	if err := s.ep.Send(c, buffer, s.to, 0, n, trace.Meta{Kind: trace.Data}, false); err != nil {
		panic("microbench: " + err.Error())
	}
}

// receive spins until the last word of n bytes shows a number.
func (s *side) receive(c *host.Context, n int, number uint32) {
	word := s.in + host.Addr(n-4)
	for s.space.Load32(word) != number {
		s.space.Watch(&s.watch, word, 4)
		c.Spin(&s.watch.Watch, "a message")
		s.space.Unwatch(&s.watch)
	}
}

// run executes a program on each side and returns when both have ended.
func (p *Pair) run(programs [2]func(*host.Context)) error {
	left := 2
	for i, program := range programs {
		p.side[i].end.Host.Go(fmt.Sprintf("side%d", i), host.Application, func(c *host.Context) {
			program(c)
			left--
		})
	}
	return p.engine.RunUntil(func() bool { return left == 0 })
}

// PingPong is a round trip as both sides see it.
type PingPong struct {
	Bytes  int
	RTT    sim.Duration // mean over all rounds but the first
	Rounds int
}

// OneWay returns half of the round trip.
func (r PingPong) OneWay() sim.Duration { return r.RTT / 2 }

// PingPong sends a message of n bytes to and fro.
func (p *Pair) PingPong(n, rounds int) (PingPong, error) {
	if err := p.check(n, rounds, 1); err != nil {
		return PingPong{}, err
	}
	var begin, end sim.Time
	err := p.run([2]func(*host.Context){
		func(c *host.Context) {
			s := p.side[0]
			for i := range rounds + 1 {
				if i == 1 {
					begin = c.Now()
				}
				s.mark(s.out, n, uint32(i+1))
				s.send(c, s.out, n)
				s.receive(c, n, uint32(i+1))
			}
			end = c.Now()
		},
		func(c *host.Context) {
			s := p.side[1]
			for i := range rounds + 1 {
				s.receive(c, n, uint32(i+1))
				s.mark(s.out, n, uint32(i+1))
				s.send(c, s.out, n)
			}
		},
	})
	p.clear(n)
	return PingPong{n, end.Sub(begin) / sim.Duration(rounds), rounds}, err
}

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

// Stream sends messages of n bytes, at least three, back to back. The receiver
// consumes nothing: VMMC has no receive call.
func (p *Pair) Stream(n, messages int) (Stream, error) {
	r, err := p.stream(n, messages, false)
	return r[0], err
}

// Simultaneous streams both ways at once.
func (p *Pair) Simultaneous(n, messages int) ([2]Stream, error) {
	return p.stream(n, messages, true)
}

func (p *Pair) stream(n, messages int, both bool) ([2]Stream, error) {
	var out [2]Stream
	if err := p.check(n, messages, 3); err != nil {
		return out, err
	}
	const lastMark = 0xfeedface
	source := func(i int) func(*host.Context) {
		return func(c *host.Context) {
			s := p.side[i]
			room := min(messages, s.end.VMMC.RequestSlots()-1)
			s.mark(s.out, n, 1)
			s.mark(s.last, n, lastMark)
			begin := c.Now()
			for k := range messages - 1 {
				s.send(c, s.out, n)
				if k == room/2 {
					out[i].Overhead = c.Now().Sub(begin) / sim.Duration(k+1)
				}
			}
			s.send(c, s.last, n)
			out[i].Bytes, out[i].Messages = n, messages
			if both {
				s.receive(c, n, lastMark)
				out[1-i].Took = c.Now().Sub(begin)
			}
		}
	}
	sink := func(c *host.Context) {
		begin := c.Now()
		p.side[1].receive(c, n, lastMark)
		out[0].Took = c.Now().Sub(begin)
	}
	programs := [2]func(*host.Context){source(0), sink}
	if both {
		programs[1] = source(1)
	}
	err := p.run(programs)
	p.clear(n)
	return out, err
}

// Unloaded sends messages of each size to and fro, one by one, with idle time
// of at least gap and up to twice as much before each.
func (p *Pair) Unloaded(sizes []int, rounds int, gap sim.Duration) error {
	for _, n := range sizes {
		if err := p.check(n, rounds, 1); err != nil {
			return err
		}
	}
	idle := p.engine.Stream("microbench/unloaded")
	turn := func(c *host.Context, s *side, n int, number uint32) {
		c.Sleep(gap + idle.Upto(gap))
		s.mark(s.out, n, number)
		s.send(c, s.out, n)
	}
	program := func(i int) func(*host.Context) {
		return func(c *host.Context) {
			number := uint32(0)
			for range rounds {
				for _, n := range sizes {
					number++
					if i == 0 {
						turn(c, p.side[0], n, number)
					}
					p.side[i].receive(c, n, number)
					if i == 1 {
						turn(c, p.side[1], n, number)
					}
				}
			}
		}
	}
	err := p.run([2]func(*host.Context){program(0), program(1)})
	p.clear(sizes...)
	return err
}

// clear makes the next program find no marks, neither where they have been
// deposited nor in what a longer message would deposit.
func (p *Pair) clear(sizes ...int) {
	for _, s := range p.side {
		for _, n := range sizes {
			s.mark(s.out, n, 0)
			s.mark(s.last, n, 0)
			s.mark(s.in, n, 0)
		}
	}
}
