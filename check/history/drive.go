package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// shared is what all nodes of a run know.
type shared struct {
	plan
	seed   uint64
	left   []int // by operation: nodes that have not done their part
	ended  int   // operations at the beginning that have ended
	idle   int   // nodes that have done all their steps
	spaces []*host.Space
	static []host.Addr // by node: memory that gets read
	words  []host.Addr // by node: a word that others change
}

func share(p plan, seed uint64, processes []*testbed.Process) (*shared, error) {
	s := &shared{plan: p, seed: seed, left: make([]int, p.total)}
	for _, steps := range p.steps {
		for _, x := range steps {
			s.left[x.number]++
		}
	}
	for i, q := range processes {
		s.spaces = append(s.spaces, q.Space)
		s.static = append(s.static, q.Space.Alloc(int64(p.most+1)))
		q.Space.WriteAt(s.static[i], s.content(-1-i, p.most))
		s.words = append(s.words, q.Space.Alloc(8))
		if x, ok := q.Endpoint.(exporter); ok {
			_, err := x.Export(s.static[i], p.most, nil)
			_, err1 := x.Export(s.words[i], 8, nil)
			if err = errors.Join(err, err1); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// content returns the bytes of an operation.
func (s *shared) content(number, n int) []byte {
	g := rand.New(rand.NewPCG(s.seed, uint64(int64(number))))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.Uint32())
	}
	return b
}

// done notes that a node has done its part of an operation.
func (s *shared) done(number int) {
	s.left[number]--
	for s.ended < s.total && s.left[s.ended] == 0 {
		s.ended++
	}
}

// exporter is an endpoint whose memory peers reach only where it has been exported.
type exporter interface {
	Export(at host.Addr, n int, notify func(deposit.Arrival)) (deposit.Export, error)
}

// driver is the program of one node.
type driver struct {
	*shared
	*Recorder
	at   int // step
	into map[int]host.Addr
	seen []uint64 // by node: its word, as this node knows it
}

// run carries out the steps, and polls until all nodes have ended. It ends at the first
// error.
func (d *driver) run(c *host.Context) {
	steps := d.steps[d.node]
	for d.at = range steps {
		x := &steps[d.at]
		if x.pause > 0 {
			c.Sleep(x.pause)
		}
		for gap := 2 * sim.Microsecond; d.strict && x.do != receive && d.ended < x.number; gap = longer(c, gap) {
			d.Poll(c)
			c.Sleep(gap)
		}
		if x.poll {
			d.Poll(c)
		}
		if d.step(c, x) != nil {
			return
		}
		d.done(x.number)
	}
	if q, ok := d.Endpoint.(comm.Requester); ok {
		for q.Outstanding() > 0 {
			q.Wait(c)
		}
	}
	d.idle++
	for gap := 5 * sim.Microsecond; d.idle < len(d.steps); gap = longer(c, gap) {
		d.Poll(c)
		c.Sleep(gap)
	}
}

// longer returns the next pause between polls: twice this one, up to 5 ms. In a run of seconds, whose layer
// waits long before it sends again, it is up to 1 % of the time so far, and a second.
func longer(c *host.Context, gap sim.Duration) sim.Duration {
	return min(2*gap, max(5*sim.Millisecond, min(sim.Duration(c.Now())/100, sim.Second)))
}

// String says where the program is.
func (d *driver) String() string {
	steps := d.steps[d.node]
	return fmt.Sprintf("node %d is in step %d of %d: %+v", d.node, d.at, len(steps), steps[d.at])
}

func (d *driver) step(c *host.Context, x *step) error {
	if err := d.postNext(c); err != nil {
		return err
	}
	switch x.do {
	case receive:
		return d.receive(c, x)
	case fetch, add, swap:
		return d.operate(c, x)
	}
	data := d.content(x.number, x.bytes)
	meta := trace.Meta{Kind: trace.Message}
	args := [4]uint32{uint32(x.number), uint32(x.bytes), 7, uint32(d.node)}
	switch x.do {
	case request:
		return d.Request(c, x.peer, args)
	case store:
		return d.Store(c, x.peer, d.buffer(data), d.spaces[x.peer].Alloc(int64(x.bytes+1)), x.bytes, args)
	case get:
		want := d.content(-1-x.peer, d.most)[:x.bytes]
		return d.Get(c, x.peer, d.static[x.peer], d.Space().Alloc(int64(x.bytes+1)), want)
	case send:
		return d.Send(c, x.peer, d.buffer(data), x.bytes, meta)
	}
	cut := x.number % (x.bytes + 1)
	at := d.buffer(data)
	head, body := comm.Piece{At: at, Bytes: cut}, comm.Piece{At: at + host.Addr(cut), Bytes: x.bytes - cut}
	if x.do == multicast {
		return d.Multicast(c, head, body, trace.Meta{Kind: trace.Broadcast})
	}
	return d.Gather(c, x.peer, head, body, meta)
}

// buffer returns new memory with data in it.
func (d *driver) buffer(data []byte) host.Addr {
	at := d.Buffer(len(data))
	d.Space().WriteAt(at, data)
	return at
}

// receive receives a message: in the layer's memory where that is possible, unless the step says
// otherwise.
func (d *driver) receive(c *host.Context, x *step) error {
	t, into, n := d.Traits(), d.into[x.number], d.most
	switch {
	case into != 0:
	case t.InPlace && !x.copied:
		n = 0
	case t.PostFrom > 0: // the way depends on the length
		n, into = x.bytes, d.target(x)
		if n >= t.PostFrom {
			if err := d.Post(c, x.peer, into, n); err != nil {
				return err
			}
		}
	default:
		into = d.target(x)
	}
	_, err := d.Receive(c, x.peer, into, n)
	return err
}

// target returns memory for a message.
func (d *driver) target(x *step) host.Addr {
	d.into[x.number] = d.Space().Alloc(int64(d.most + 1))
	return d.into[x.number]
}

// postNext posts the next receive of the node, if that is the step after this one.
func (d *driver) postNext(c *host.Context) error {
	t, steps := d.Traits(), d.steps[d.node]
	if !t.Posts || d.at+1 == len(steps) {
		return nil
	}
	x := &steps[d.at+1]
	if this := &steps[d.at]; x.do != receive || !x.post || x.peer == comm.Anyone || this.do == receive {
		return nil
	}
	return d.Post(c, x.peer, d.target(x), d.most)
}

// operate carries out an operation on a peer's memory.
func (d *driver) operate(c *host.Context, x *step) error {
	remote := d.Endpoint.(comm.Remote)
	if x.do == fetch {
		into := d.Space().Alloc(int64(x.bytes))
		s := d.from(Gets, x.peer)
		d.log.Sent(s, Of(d.content(-1-x.peer, d.most)[:x.bytes]))
		err := d.keep(remote.Read(c, x.peer, d.static[x.peer], into, x.bytes))
		if err == nil {
			d.log.Got(s, Of(d.read(into, x.bytes)))
		}
		return err
	}
	operand := binary.LittleEndian.Uint64(d.content(x.number, 8))
	m := &change{node: d.node, swap: x.do == swap, expected: d.seen[x.peer], operand: operand}
	d.log.changes[x.peer] = append(d.log.changes[x.peer], m)
	var err error
	if m.swap {
		m.old, err = remote.CompareSwap(c, x.peer, d.words[x.peer], m.expected, operand)
	} else {
		m.old, err = remote.FetchAdd(c, x.peer, d.words[x.peer], operand)
	}
	m.returned = err == nil
	d.seen[x.peer] = m.after(m.old)
	return d.keep(err)
}
