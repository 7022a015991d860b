package calls

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// settle handles a reply.
func (e *Endpoint) settle(c *host.Context, p *Packet) {
	defer e.carrier.Done(*p)
	l, err := e.link(p.Peer)
	if err != nil {
		e.stats.Malformed++
		return
	}
	if p.Epoch != l.epoch || p.Seq-l.base >= l.next-l.base || l.at(p.Seq).settled {
		e.stats.Duplicates++
		return
	}
	k := l.at(p.Seq)
	get := 0
	if k.Op == Get && p.Op == Answer {
		get = k.Bytes
	}
	if p.Bytes != get {
		e.stats.Malformed++ // the request will be sent again
		return
	}
	if get > 0 {
		c.CopyWithin(e.Space(), p.Data, k.into, get)
	}
	e.close(k)
	l.advance()
	l.tries = 0
	l.deadline = sim.Never
	e.watch(l, c.Now())
	if p.Op == Refusal {
		e.bounce(c, l, 0, comm.Call{From: l.peer, Args: k.Args, At: k.At, Bytes: k.Bytes})
		return
	}
	if k.Op != Message {
		e.Finish(c, k.Handler, comm.Call{From: p.Peer, Args: p.Args, At: k.into, Bytes: get})
	}
}

// serve handles a request: it executes and answers the next one of its sender,
// and answers an earlier one again.
func (e *Endpoint) serve(c *host.Context, p *Packet) {
	defer e.carrier.Done(*p)
	l, err := e.link(p.Peer)
	if err != nil {
		e.stats.Malformed++
		return
	}
	if newer := int16(p.Epoch - l.theirs); newer > 0 {
		l.begin(e, p.Epoch)
	} else if newer < 0 {
		e.stats.Duplicates++
		return
	}
	switch ahead := int32(p.Seq - l.expected); {
	case ahead > 0:
		e.stats.OutOfOrder++
		return
	case ahead < 0:
		e.stats.Duplicates++
		if r := l.reply(p.Seq); r.Op.Reply() && r.Seq == p.Seq {
			e.again(c, r)
		}
		return
	}
	l.expected++
	r := l.reply(p.Seq)
	e.release(r)
	*r = Packet{Peer: p.Peer, Op: Answer, Handler: p.Handler, Epoch: p.Epoch, Seq: p.Seq, Meta: trace.Meta{Tag: e.Tag(), Kind: trace.Reply}}
	e.carryOut(c, p, r)
	if err := e.carrier.Transmit(c, r, false); err != nil {
		e.stats.Refused++ // a peer that is not connected gets no answer
	}
}

// begin starts an epoch at its first request.
func (l *link) begin(e *Endpoint, epoch uint16) {
	l.theirs, l.expected = epoch, 0
	for i := range l.replies {
		e.release(&l.replies[i])
		l.replies[i] = Packet{}
	}
}

func (l *link) reply(seq uint32) *Packet { return &l.replies[seq%uint32(len(l.replies))] }

// carryOut executes a request and completes its reply.
func (e *Endpoint) carryOut(c *host.Context, p, r *Packet) {
	if p.Op != Message && p.Bytes > 0 && !e.Space().Valid(p.At, p.Bytes) || p.Bytes > e.Traits().MaxBytes {
		e.stats.Refused++
		r.Op = Refusal
		return
	}
	switch {
	case p.Op == Message:
		e.inbox.take(c, p.Peer, p.Data, p.Bytes)
		return
	case p.Op == Get && p.Bytes > 0:
		r.Data, r.Bytes = e.copies.Get(), p.Bytes
		c.CopyWithin(e.Space(), p.At, r.Data, p.Bytes)
	case p.Bytes > 0:
		c.CopyWithin(e.Space(), p.Data, p.At, p.Bytes)
	}
	r.Args = e.Serve(c, p.Handler, comm.Call{From: p.Peer, Args: p.Args, At: p.At, Bytes: p.Bytes})
}
