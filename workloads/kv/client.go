package kv

import (
	"encoding/binary"

	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// run is the program of a client: its share of the operations.
func (c *client) run() {
	c.Tell.Phase(operating)
	n := c.spec.Ops / len(c.clients)
	if c.number < c.spec.Ops%len(c.clients) {
		n++
	}
	for range n {
		c.X.Compute(host.Work{Time: c.spec.Options.compute()})
		c.perform(c.draw())
	}
	c.Tell.Phase("")
	if c.left--; c.left == 0 {
		for _, s := range c.servers {
			s.Wake.Fire()
		}
	}
}

// draw draws the next operation.
func (c *client) draw() Event {
	o := &c.spec.Options
	e := Event{Client: c.number}
	switch at := c.choice.Below(o.Gets + o.Puts + o.Adds); {
	case at < o.Gets:
		e.Kind = Get
	case at < o.Gets+o.Puts:
		e.Kind = Put
		e.Value = newValue(c.number, c.puts)
		c.puts++
	default:
		e.Kind = Add
		e.By = uint64(1 + c.choice.Below(1000))
	}
	e.Key = c.keys.draw(&c.choice)
	return e
}

// perform does an operation and notes what it has seen.
func (c *client) perform(e Event) {
	c.clock++
	e.Begin = c.clock
	c.span = c.Numbers.Next()
	if c.remote != nil {
		c.oneSided(&e)
	} else {
		c.ask(&e)
	}
	c.Tell.End(c.span)
	c.clock++
	e.End = c.clock
	c.events = append(c.events, e)
}

// ask sends a request and waits for the reply.
func (c *client) ask(e *Event) {
	c.X.Compute(issue)
	server := e.Key % len(c.servers)
	there, back := c.requests[server], c.replies[server]
	at, n := c.Buffer(), requestBytes
	var head [requestBytes]byte
	request{e.Kind, c.span, e.Key, e.By}.put(head[:])
	c.Space.WriteAt(at, head[:])
	if e.Kind == Put {
		fill(c.bytes, e.Key, e.Value)
		c.X.Compute(checksum(len(c.bytes)))
		c.Space.WriteAt(at+requestBytes, c.bytes)
		n += len(c.bytes)
	}
	c.Tell.Begin(c.span, operations[e.Kind], trace.StepRequest, 0)
	there.Send(at, n, trace.Meta{Kind: trace.Request, Span: c.span})
	for !back.Ready() {
		c.Wait("a reply")
	}
	at, n = back.Front()
	c.Read(n)
	var old [replyBytes]byte
	c.Space.ReadAt(at, old[:])
	e.Old = binary.LittleEndian.Uint64(old[:])
	if e.Kind == Get {
		c.got(e, at+replyBytes, n-replyBytes)
	}
	back.Free()
}

// got takes the n bytes of a value, checks that all are those of the put that they name, and
// returns that put.
func (c *client) got(e *Event, at host.Addr, n int) {
	if n != len(c.bytes) {
		c.Wrong("client %d: a value of key %d has %d B, want %d", c.number, e.Key, n, len(c.bytes))
		return
	}
	c.Space.ReadAt(at, c.bytes)
	c.X.Compute(checksum(n))
	e.Value = Value(binary.LittleEndian.Uint64(c.bytes))
	if !holds(c.bytes, e.Key, e.Value) {
		c.Wrong("client %d: what it got of key %d is not the value %#x, as it says", c.number, e.Key, uint64(e.Value))
	}
}
