package library

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Process is a process with access to a layer. Endpoints embed it as the common
// part of comm.Endpoint.
type Process struct {
	traits *comm.Traits
	space  *host.Space
	tag    trace.Tag
	node   int
	nodes  int
}

// NewProcess returns a process on one of so many nodes, with its memory and the
// tag of its program.
func NewProcess(traits *comm.Traits, space *host.Space, tag trace.Tag, node, nodes int) Process {
	return Process{traits, space, tag, node, nodes}
}

// Traits returns the properties of the layer.
func (p *Process) Traits() *comm.Traits { return p.traits }

// Space returns the memory of the process.
func (p *Process) Space() *host.Space { return p.space }

// Tag returns the tag of the process's program.
func (p *Process) Tag() trace.Tag { return p.tag }

// Node returns the number of the node that the process runs on.
func (p *Process) Node() int { return p.node }

// Nodes returns the number of nodes.
func (p *Process) Nodes() int { return p.nodes }

// Buffer allocates at least one byte of ordinary memory.
func (p *Process) Buffer(bytes int) host.Addr { return p.space.Alloc(int64(max(1, bytes))) }

// Post does nothing: no receive is posted.
func (p *Process) Post(*host.Context, int, host.Addr, int) error { return nil }

// Errorf returns an error of the layer.
func (p *Process) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s: node %d: %w", p.traits.Name, p.node, fmt.Errorf(format, args...))
}

// CheckPeer returns an error for a node that the process cannot reach: its own, or one that
// does not exist.
func (p *Process) CheckPeer(node int) error {
	if node < 0 || node >= p.nodes || node == p.node {
		return p.Errorf("peer is node %d, want another one of %d", node, p.nodes)
	}
	return nil
}

// CheckData returns an error if n bytes at an address are not least to most
// bytes of allocated memory. What names them in the error; most 0 is no limit.
func (p *Process) CheckData(what string, at host.Addr, n, least, most int) error {
	switch {
	case n < least && most == 0:
		return p.Errorf("%s of %d B, want at least %d", what, n, least)
	case n < least || most > 0 && n > most:
		return p.Errorf("%s of %d B, want %d to %d", what, n, least, most)
	case n > 0 && !p.space.Valid(at, n):
		return p.Errorf("%s of %d B at %#x, which is not all allocated", what, n, at)
	}
	return nil
}

// CheckSend checks the arguments of a comm.Endpoint's Send.
func (p *Process) CheckSend(to int, from host.Addr, n int, meta trace.Meta) error {
	if err := p.CheckPeer(to); err != nil {
		return err
	}
	if !meta.Kind.CarriesRequest() {
		return p.Errorf("message of kind %v, want one that programs send", meta.Kind)
	}
	return p.CheckData("message", from, n, p.traits.MinBytes, p.traits.MaxBytes)
}

// CheckGather checks the arguments of a comm.Gatherer's Gather.
func (p *Process) CheckGather(to int, head, body comm.Piece, meta trace.Meta) error {
	if err := p.CheckSend(to, body.At, body.Bytes, meta); err != nil {
		return err
	}
	if n, most := head.Bytes+body.Bytes, p.traits.MaxBytes; most > 0 && n > most {
		return p.Errorf("message of %d B, want at most %d", n, most)
	}
	return p.CheckData("message", head.At, head.Bytes, 0, 0)
}

// CheckReceive checks the arguments of a comm.Endpoint's Receive. With inPlace, into may be 0: the
// message is then left in the library's memory.
func (p *Process) CheckReceive(from int, into host.Addr, n int, inPlace bool) error {
	if from != comm.Anyone {
		if err := p.CheckPeer(from); err != nil {
			return err
		}
	}
	if n < 0 || !(inPlace && into == 0) && !p.space.Valid(into, n) {
		return p.Errorf("receive of %d B at %#x, which is not all allocated", n, into)
	}
	return nil
}

// TooLong returns the error of a receive whose buffer is too short for its
// message.
func (p *Process) TooLong(m comm.Message, room int) error {
	return p.Errorf("a message of %d B of node %d, want at most the %d B of the buffer", m.Bytes, m.From, room)
}

// Peers calls f for the endpoints of a program, one per node in order, nil for
// none. They must be of the layer's own type.
func Peers[E interface {
	comm.Endpoint
	Node() int
}](p *Process, all []comm.Endpoint, f func(E) error) error {
	if len(all) > p.nodes {
		return p.Errorf("%d peers, want at most the %d nodes", len(all), p.nodes)
	}
	for i, ep := range all {
		if ep == nil {
			continue
		}
		peer, ok := ep.(E)
		if !ok || peer.Node() != i {
			return p.Errorf("peer %d is not an endpoint of node %d", i, i)
		}
		if err := f(peer); err != nil {
			return err
		}
	}
	return nil
}
