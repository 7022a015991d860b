package library

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/host"
)

// Handlers holds the handlers of a process of the RPC model for requests and
// replies, by number. The zero value has none.
type Handlers struct {
	requests [256]func(*host.Context, comm.Call) Args
	replies  [256]func(*host.Context, comm.Call)
}

// Handle sets the handler of requests that name h. Without a handler the reply is
// zeros.
func (t *Handlers) Handle(h uint8, f func(c *host.Context, q comm.Call) Args) { t.requests[h] = f }

// Answered sets the handler of replies to requests that named h.
func (t *Handlers) Answered(h uint8, f func(c *host.Context, q comm.Call)) { t.replies[h] = f }

// Serve runs the handler of a request and returns the words of its reply.
func (t *Handlers) Serve(c *host.Context, h uint8, q comm.Call) (reply Args) {
	if f := t.requests[h]; f != nil {
		reply = f(c, q)
	}
	return reply
}

// Finish runs the handler of a reply.
func (t *Handlers) Finish(c *host.Context, h uint8, q comm.Call) {
	if f := t.replies[h]; f != nil {
		f(c, q)
	}
}

// Args are the words of a request or a reply.
type Args = [4]uint32

// Pack returns the words as the first two of a packet's header.
func Pack(a Args) [2]uint64 {
	return [2]uint64{uint64(a[0]) | uint64(a[1])<<32, uint64(a[2]) | uint64(a[3])<<32}
}

// Unpack is the inverse of Pack.
func Unpack(w0, w1 uint64) Args {
	return Args{uint32(w0), uint32(w0 >> 32), uint32(w1), uint32(w1 >> 32)}
}
