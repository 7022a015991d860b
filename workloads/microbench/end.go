package microbench

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// End is a node that takes part.
type End struct {
	Node   int // its number among the layer's nodes
	Host   *host.Host
	Frames *host.Frames
	Layer  comm.Layer
	Slots  int // requests that its interface's queue holds; 0: not known
}

// process is a program's process on one node. Its methods do nothing after a
// failure in its group.
type process struct {
	End
	group  *group
	traits *comm.Traits
	space  *host.Space
	ep     comm.Endpoint
	peer   int       // node that it exchanges messages with
	out    host.Addr // what is sent
	last   host.Addr // what ends a stream, where nobody receives: earlier sends may still read out
	in     host.Addr // where it is received, unless in place: where it is sent from, if that may be
}

// readyBytes is the size of the message that announces a posted receive.
const readyBytes = 4

// open opens a process on a node, for messages of up to most bytes.
func open(g *group, end End, name string, most int) (*process, error) {
	p := &process{End: end, group: g, space: host.NewSpace(name, end.Frames)}
	var err error
	if p.ep, err = end.Layer.Open(p.space, 0); err != nil {
		return nil, fmt.Errorf("microbench: node %d: %w", end.Node, err)
	}
	p.traits = p.ep.Traits()
	p.out = p.ep.Buffer(max(most, readyBytes))
	if p.last = p.out; !p.traits.Consumes {
		p.last = p.ep.Buffer(max(most, readyBytes))
	}
	if !p.traits.InPlace || p.traits.PostFrom > 0 {
		if p.in = p.out; !p.traits.Consumes || !p.traits.Synchronous {
			p.in = p.space.Alloc(int64(max(most, readyBytes)))
		}
	}
	return p, nil
}

// piece returns how much of the n bytes that are left goes in one message.
func (p *process) piece(n int) int {
	if most := p.traits.MaxBytes; most > 0 {
		return min(n, most)
	}
	return n
}

// pieces returns the number of messages that carry n bytes.
func (p *process) pieces(n int) int {
	if most := p.traits.MaxBytes; most > 0 {
		return max(1, (n+most-1)/most)
	}
	return 1
}

// posted reports whether the layer needs a posted receive for a message of n bytes.
func (p *process) posted(n int) bool {
	return p.traits.PostFrom > 0 && p.piece(n) >= p.traits.PostFrom
}

// do calls f for each piece of n bytes.
func (p *process) do(c *host.Context, n int, f func(p *process, c *host.Context, at, n int) error) {
	g := p.group
	for at := 0; g.failed == nil; {
		k := p.piece(n - at)
		if err := f(p, c, at, k); err != nil {
			g.fail(fmt.Errorf("microbench: node %d: %w", p.Node, err))
		}
		g.moved = g.engine.Now()
		if at += k; at >= n {
			return
		}
	}
}

// send sends n bytes to the peer; end sends those that end a stream.
func (p *process) send(c *host.Context, n int) { p.do(c, n, sendPiece) }
func (p *process) end(c *host.Context, n int)  { p.do(c, n, endPiece) }

func sendPiece(p *process, c *host.Context, at, n int) error { return p.sendFrom(c, p.out, at, n) }
func endPiece(p *process, c *host.Context, at, n int) error  { return p.sendFrom(c, p.last, at, n) }

func (p *process) sendFrom(c *host.Context, buffer host.Addr, at, n int) error {
	return p.ep.Send(c, p.peer, buffer+host.Addr(at), n, trace.Meta{Kind: trace.Data})
}

// receive waits for n bytes from the peer.
func (p *process) receive(c *host.Context, n int) { p.do(c, n, receivePiece) }

func receivePiece(p *process, c *host.Context, at, n int) error {
	into := p.in + host.Addr(at)
	if p.traits.InPlace && !p.posted(n) {
		into = 0
	}
	m, err := p.ep.Receive(c, p.peer, into, n)
	if err == nil && (m.From != p.peer || m.Bytes != n) {
		err = fmt.Errorf("%s: received %d B of node %d, want %d of node %d", p.traits.Name, m.Bytes, m.From, n, p.peer)
	}
	return err
}

// post posts a receive of n bytes, if the layer requires it.
func (p *process) post(c *host.Context, n int) {
	if p.posted(n) {
		p.do(c, n, postPiece)
	}
}

func postPiece(p *process, c *host.Context, at, n int) error {
	if !p.posted(n) {
		return nil // the rest of a message
	}
	return p.ep.Post(c, p.peer, p.in+host.Addr(at), n)
}

// ready posts a receive of n bytes and tells the peer, if the layer requires it.
func (p *process) ready(c *host.Context, n int) {
	if p.posted(n) {
		p.post(c, n)
		p.send(c, readyBytes)
	}
}

// await waits until the peer is ready for n bytes.
func (p *process) await(c *host.Context, n int) {
	if p.posted(n) {
		p.receive(c, readyBytes)
	}
}
