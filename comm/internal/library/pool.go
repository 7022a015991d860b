package library

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Pool is a process's pinned receive buffers, all of one size, and the messages in
// them. The interface takes free buffers in the order in which they became free.
type Pool struct {
	process *Process
	spend   sim.Duration
	base    host.Addr
	stride  int
	vacate  func(*host.Context, int)
	wait    func(*host.Context) error
	free    []int
	arrived []arrival // in order of arrival
	held    arrival   // message that the process reads in place; its address is 0 if there is none
	spare   Buffers   // for messages moved out of their buffers
}

// arrival is a message in a receive buffer, or in the memory to which Move has
// copied it.
type arrival struct {
	comm.Message
	buffer int  // or -1
	seen   bool // by Poll
}

// NewPool allocates so many buffers of stride bytes. Spend is the library's time for a receive
// besides the copy. Vacate is called when the process is done with a buffer. It must call Put.
// Wait is called again and again while the process waits for a message, until it returns an error.
func NewPool(process *Process, buffers, stride int, spend sim.Duration, vacate func(c *host.Context, buffer int), wait func(c *host.Context) error) *Pool {
	p := &Pool{process: process, stride: stride, spend: spend, vacate: vacate, wait: wait, spare: NewBuffers(process.Space(), stride)}
	p.base = process.Space().Alloc(int64(buffers) * int64(stride))
	for i := range buffers {
		p.free = append(p.free, i)
	}
	return p
}

// Free returns the number of free buffers.
func (p *Pool) Free() int { return len(p.free) }

// Take takes the next free buffer. There must be one.
func (p *Pool) Take() int {
	i := p.free[0]
	p.free = p.free[:copy(p.free, p.free[1:])]
	return i
}

// Put frees a buffer.
func (p *Pool) Put(buffer int) { p.free = append(p.free, buffer) }

// At returns the address of a buffer.
func (p *Pool) At(buffer int) host.Addr { return p.base + host.Addr(buffer*p.stride) }

// Landed adds a message that is in a buffer.
func (p *Pool) Landed(buffer, from, bytes int) {
	p.arrived = append(p.arrived, arrival{Message: comm.Message{From: from, Bytes: bytes, At: p.At(buffer)}, buffer: buffer})
}

func (p *Pool) oldest(from int) int {
	return slices.IndexFunc(p.arrived, func(a arrival) bool { return from == comm.Anyone || a.From == from })
}

// receive waits for a message and hands it to the process.
func (p *Pool) receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	p.release(c)
	i := p.oldest(from)
	for ; i < 0; i = p.oldest(from) {
		if err := p.wait(c); err != nil {
			return comm.Message{}, err
		}
	}
	a := p.arrived[i]
	p.arrived = slices.Delete(p.arrived, i, i+1)
	c.Spend(p.spend)
	p.held = a
	got := a.Message
	if into == 0 {
		return got, nil
	}
	if a.Bytes > n {
		return got, p.process.TooLong(got, n)
	}
	c.CopyWithin(p.process.Space(), got.At, into, a.Bytes)
	got.At = into
	p.release(c)
	return got, nil
}

// release frees the buffer of the message that was received last.
func (p *Pool) release(c *host.Context) {
	a := p.held
	p.held = arrival{}
	switch {
	case a.At == 0:
	case a.buffer < 0:
		p.spare.Put(a.At)
	default:
		p.vacate(c, a.buffer)
	}
}

// Move copies a message out of its buffer to other memory of the library and
// reports whether there was one.
func (p *Pool) Move(c *host.Context) bool {
	i := slices.IndexFunc(p.arrived, func(a arrival) bool { return a.buffer >= 0 })
	if i < 0 {
		return false
	}
	to := p.spare.Get()
	a := p.arrived[i] // only this process removes messages, so it stays there
	c.CopyWithin(p.process.Space(), a.At, to, a.Bytes)
	p.arrived[i].At, p.arrived[i].buffer = to, -1
	p.vacate(c, a.buffer)
	return true
}
