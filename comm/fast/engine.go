package fast

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/sigview/sigview/sim"
)

// Engine runs a program on ranks.
type Engine struct {
	costs    *Costs
	slots    int
	queue    sim.Queue[flight]
	ranks    []rank
	pool     pool
	got      Message // for Program.Next
	program  Program
	messages uint64
	digest   uint64
	err      error
}

// rank is the state of one.
type rank struct {
	cpu        sim.Time // until when its processor is busy
	link       Link
	state      state
	want       Op        // of a rank that waits in Receive
	unexpected list      // messages without a receive
	posted     list      // receives without a message
	done       []arrival // messages of posted receives that the rank has not waited for, in order
}

// arrival is a message that has matched a posted receive.
type arrival struct {
	Message
	at    sim.Time
	order uint64 // of the messages without a receive
}

type state uint8

const (
	starts   state = iota
	receives       // waits for the message of one receive
	waits          // waits for that of any posted one
	ended
)

// Result is a program that has ended.
type Result struct {
	Took     sim.Duration // until the last rank has ended
	Messages uint64
	Digest   uint64 // of all messages in their order: equal runs have equal ones
}

// New returns an engine for so many ranks.
func New(p *Params, ranks int, program Program) (*Engine, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if ranks < 1 {
		return nil, fmt.Errorf("fast: %d ranks, want at least 1", ranks)
	}
	e := &Engine{costs: NewCosts(p), slots: p.Slots, ranks: make([]rank, ranks), program: program}
	e.queue.Start()
	for i := range e.ranks {
		e.ranks[i].unexpected, e.ranks[i].posted = newList(ranks), newList(ranks)
	}
	return e, nil
}

// flight is a message on its way.
type flight struct{ from, to, tag, bytes int32 }

// Run runs the program to its end. It calls stop, which may be nil, now and then and ends
// with its error. Messages that nobody receives, and ranks that wait forever, are errors, as is a
// time beyond the range (sim.RangeError).
func (e *Engine) Run(stop func() error) (res Result, err error) {
	defer sim.CatchRange(&err)
	for i := range e.ranks {
		e.run(int32(i), nil)
	}
	for e.err == nil {
		f, at, _ := e.queue.Pop()
		if f == nil {
			return e.result()
		}
		if e.messages++; e.messages%checkEvery == 0 && stop != nil {
			if err := stop(); err != nil {
				return Result{}, err
			}
		}
		e.arrive(*f, at)
	}
	return Result{}, e.err
}

const checkEvery = 1 << 20

// arrive handles a message at its receiver.
func (e *Engine) arrive(f flight, t sim.Time) {
	h := e.digest ^ uint64(t)
	h = bits.RotateLeft64(h*0x9e3779b97f4a7c15, 29) ^ uint64(f.from)<<32 ^ uint64(f.to)
	e.digest = (h ^ uint64(f.bytes)<<32 ^ uint64(f.tag)) * 0xff51afd7ed558ccd
	r := &e.ranks[f.to]
	at := r.link.Land(t, e.costs.At(int(f.bytes)))
	id, ok := r.want.ID, false
	if r.state == receives {
		ok = takes(r.want.Peer, r.want.Tag, f.from, f.tag)
	} else if x, matches := r.posted.match(&e.pool, f.from, f.tag); matches {
		id, ok = x.value, true
	}
	if !ok {
		r.unexpected.add(&e.pool, item{peer: f.from, tag: f.tag, value: f.bytes, at: at})
		return
	}
	e.run(f.to, e.give(r, &arrival{Message{f.from, f.tag, f.bytes, id}, at, 0}))
}

// run executes operations of a rank until it waits.
func (e *Engine) run(id int32, got *Message) {
	r := &e.ranks[id]
	for e.err == nil {
		op := e.program.Next(int(id), got)
		got = nil
		switch op.Kind {
		case Compute:
			r.cpu = r.cpu.Add(op.Time)
		case Send:
			e.send(id, r, &op)
		case Post:
			if x, ok := r.unexpected.match(&e.pool, op.Peer, op.Tag); ok {
				r.keep(arrival{Message{x.peer, x.tag, x.value, op.ID}, x.at, x.order})
			} else {
				r.posted.add(&e.pool, item{peer: op.Peer, tag: op.Tag, value: op.ID})
			}
		case Receive:
			if r.posted.n+len(r.done) > 0 {
				e.err = fmt.Errorf("fast: rank %d receives beside %d posted receives, want it to wait", id, r.posted.n+len(r.done))
				return
			}
			x, ok := r.unexpected.match(&e.pool, op.Peer, op.Tag)
			if !ok {
				r.want, r.state = op, receives
				return
			}
			got = e.give(r, &arrival{Message{x.peer, x.tag, x.value, op.ID}, x.at, x.order})
		case Wait:
			if len(r.done) == 0 {
				if r.posted.n == 0 {
					e.err = fmt.Errorf("fast: rank %d waits, but has posted no receive that is left", id)
				}
				r.state = waits
				return
			}
			got = e.give(r, &r.done[0])
			r.done = slices.Delete(r.done, 0, 1)
		default:
			r.state = ended
			return
		}
	}
}

// keep stores the message of a posted receive until the rank waits for it.
func (r *rank) keep(a arrival) {
	i := len(r.done)
	for i > 0 && r.done[i-1].order > a.order {
		i--
	}
	r.done = slices.Insert(r.done, i, a)
}

// give lets a rank receive a message, for which it may have been waiting.
func (e *Engine) give(r *rank, a *arrival) *Message {
	r.cpu = max(r.cpu, a.at).Add(e.costs.At(int(a.Bytes)).Receive)
	e.got = a.Message
	return &e.got
}

func (e *Engine) send(id int32, r *rank, op *Op) {
	if op.Peer < 0 || int(op.Peer) >= len(e.ranks) || op.Peer == id || op.Bytes < 0 || op.Tag < 0 {
		e.err = fmt.Errorf("fast: rank %d sends %d B with tag %d to rank %d, want another rank of %d, and no negative number", id, op.Bytes, op.Tag, op.Peer, len(e.ranks))
		return
	}
	c := e.costs.At(int(op.Bytes))
	r.cpu = r.link.Ready(r.cpu, c, e.slots).Add(c.Send)
	_, at := r.link.Leave(r.cpu, c.Gap, c)
	e.queue.Push(at, flight{id, op.Peer, op.Tag, op.Bytes})
}

// result returns the end of the program, or why it cannot end.
func (e *Engine) result() (Result, error) {
	out := Result{Messages: e.messages, Digest: e.digest}
	var stuck []string
	for i := range e.ranks {
		r := &e.ranks[i]
		out.Took = max(out.Took, r.cpu.Sub(0))
		switch {
		case r.state == receives:
			stuck = append(stuck, fmt.Sprintf("rank %d waits for a message of %s with tag %s", i, name(r.want.Peer, "rank "), name(r.want.Tag, "")))
		case r.state != ended:
			stuck = append(stuck, fmt.Sprintf("rank %d waits for one of %d receives", i, r.posted.n))
		case r.unexpected.n > 0:
			stuck = append(stuck, fmt.Sprintf("rank %d has ended without receiving %d messages", i, r.unexpected.n))
		}
	}
	if len(stuck) > mostNamed {
		stuck = append(stuck[:mostNamed], fmt.Sprintf("and %d more", len(stuck)-mostNamed))
	}
	if stuck != nil {
		return out, errors.New("fast: no message is left on its way: " + strings.Join(stuck, "; "))
	}
	return out, nil
}

// mostNamed is how many ranks an error names.
const mostNamed = 5

func name(v int32, what string) string {
	if v == wildcard {
		return "any"
	}
	return fmt.Sprintf("%s%d", what, v)
}
