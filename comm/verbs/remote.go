package verbs

import (
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Read fetches n bytes at an address of the process's peer on another node to local memory. The peer
// has registered them.
func (p *Process) Read(c *host.Context, to int, at, into host.Addr, n int) error {
	q, r, err := p.reach(to, at, n)
	if err != nil {
		return err
	}
	w, err := q.remote(opRead, into, n, r, int(at-r.at), trace.Meta{Kind: trace.Reply}, 0, false)
	if err != nil {
		return err
	}
	return q.perform(c, w)
}

// FetchAdd adds to eight bytes at an address of the process's peer on another node, and returns what was
// there.
func (p *Process) FetchAdd(c *host.Context, to int, at host.Addr, add uint64) (old uint64, err error) {
	return p.change(c, opFetchAdd, to, at, [2]uint64{add})
}

// CompareSwap stores a number there if another one is there, and returns what was.
func (p *Process) CompareSwap(c *host.Context, to int, at host.Addr, old, new uint64) (was uint64, err error) {
	return p.change(c, opCompareSwap, to, at, [2]uint64{new, old})
}

func (p *Process) change(c *host.Context, o op, to int, at host.Addr, operand [2]uint64) (was uint64, err error) {
	q, r, err := p.reach(to, at, 8)
	if err != nil {
		return 0, err
	}
	w, err := q.atomic(o, r, int(at-r.at), operand, &was, trace.Meta{Kind: trace.Reply}, 0, false)
	if err != nil {
		return 0, err
	}
	err = q.perform(c, w)
	return was, err
}

// reach returns the pair to a node, and the region that holds n bytes at an address of the process there.
func (p *Process) reach(to int, at host.Addr, n int) (*Pair, *Region, error) {
	if err := p.CheckPeer(to); err != nil {
		return nil, nil, err
	}
	q := p.peers[to]
	if q == nil {
		return nil, nil, p.Errorf("no connection to node %d", to)
	}
	for _, r := range q.end.process.regions {
		if at >= r.at && at-r.at+host.Addr(n) <= host.Addr(r.bytes) {
			return q, r, nil
		}
	}
	return nil, nil, p.Errorf("operation on %d B at %#x of node %d, which it has not registered", n, at, to)
}
