package mpi

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// anyTag stands for all tags of a receive.
const anyTag = -1

// wants reports whether a receive matches a message.
func (r *Request) wants(from, tag int) bool {
	return (r.from == from || r.from == comm.Anyone) && (r.tag == tag || r.tag == anyTag)
}

// match removes the oldest posted receive that matches a message, and has room for
// it, from the queue. It returns nil if there is none. One that matches without room
// ends with an error.
func (e *Endpoint) match(from, tag, bytes int) *Request {
	for i := 0; i < len(e.posted); i++ {
		r := e.posted[i]
		e.event.skipped++
		if !r.wants(from, tag) {
			continue
		}
		e.posted = slices.Delete(e.posted, i, i+1)
		if r.fits(bytes) {
			return r
		}
		r.done, r.err = true, e.TooLong(comm.Message{From: from, Bytes: bytes}, r.room)
		i--
	}
	return nil
}

func (r *Request) fits(bytes int) bool { return r.into == 0 || bytes <= r.room }

// find returns the oldest unexpected message that matches a receive, or -1.
func (e *Endpoint) find(c *host.Context, r *Request) int {
	i := slices.IndexFunc(e.unexpected, func(l *letter) bool { return r.wants(l.from, l.tag) })
	looked := i + 1
	if i < 0 {
		looked = len(e.unexpected)
	}
	c.Spend(sim.Duration(looked) * e.layer.spec.Host.Match)
	return i
}

// takes makes a receive the target of a message, and returns the address for the message's data.
func (e *Endpoint) takes(r *Request, from, bytes int) host.Addr {
	r.got = comm.Message{From: from, Bytes: bytes, At: r.into}
	if r.into == 0 {
		r.own = e.spare.Get(e.Space(), bytes)
		r.got.At = r.own.At
	}
	return r.got.At
}

// store adds an unexpected message to its queue.
func (e *Endpoint) store(x letter) *letter {
	l := e.sheets.Get(x)
	e.unexpected = append(e.unexpected, l)
	return l
}
