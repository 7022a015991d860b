package microbench

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Requests is the program that measures layers whose messages are requests and
// replies (logp, sections 3 and 4). Some processes send requests, the others
// reply.
type Requests struct {
	*group
	askers   []asker
	repliers []*replier
	maxBytes int
	pause    sim.Stream

	round  int        // number of the sample that is being taken
	over   bool       // no more samples
	start  host.Watch // of a sample
	delay  sim.Duration
	busy   int            // processes that have not finished the sample
	sample []sim.Duration // by asker
}

// handler is the number of the handler that all requests name.
const handler = 1

// maxDelay bounds the random pause before a sample. It varies the phase of the
// interface's main loop.
const maxDelay = 20 * sim.Microsecond

type asker struct {
	*process
	ep comm.Requester
	to []*replier // in turn
	at host.Addr  // where data is got
}

type replier struct {
	*process
	ep     comm.Requester
	at     host.Addr // memory that is stored to and got from
	served int       // requests handled up to now
	due    int       // requests handled when the sample ends
}

// NewRequests opens processes on the nodes of a pattern. Ends are the nodes to choose
// from, in order, peers is K of the pattern, and maxBytes the longest store or get, 0 for
// none. The layer must have requests.
func NewRequests(ends []End, pattern Pattern, peers, maxBytes int) (*Requests, error) {
	asks, err := pattern.asks(len(ends), peers)
	if err != nil {
		return nil, err
	}
	if maxBytes < 0 {
		return nil, fmt.Errorf("microbench: stores of at most %d B, want at least 0", maxBytes)
	}
	var used []End
	for _, i := range nodesOf(asks) {
		used = append(used, ends[i])
	}
	if t := used[0].Layer.Traits(); !t.Requests {
		return nil, fmt.Errorf("microbench: layer %s has no requests and replies: its model is %s", t.Name, t.Model)
	}
	g, err := newGroup(used, "requests", maxBytes)
	if err != nil {
		return nil, err
	}
	r := &Requests{group: g, maxBytes: maxBytes, pause: g.engine.Stream("microbench/requests")}
	return r, r.assign(asks)
}

// assign makes askers and repliers of the processes.
func (r *Requests) assign(asks []ask) error {
	repliers := map[int]*replier{} // by place among the ends
	at := map[int]*process{}
	for k, i := range nodesOf(asks) {
		at[i] = r.processes[k]
	}
	endpoint := func(p *process) (comm.Requester, host.Addr, error) {
		ep, ok := p.ep.(comm.Requester)
		if !ok {
			return nil, 0, fmt.Errorf("microbench: layer %s claims requests but has none", p.traits.Name)
		}
		return ep, p.space.Alloc(int64(max(1, r.maxBytes))), nil
	}
	for _, a := range asks {
		me := asker{process: at[a.from]}
		var err error
		if me.ep, me.at, err = endpoint(me.process); err != nil {
			return err
		}
		for _, to := range a.to {
			if repliers[to] == nil {
				b := &replier{process: at[to]}
				if b.ep, b.at, err = endpoint(b.process); err != nil {
					return err
				}
				b.ep.Handle(handler, func(*host.Context, comm.Call) [4]uint32 {
					b.served++
					return [4]uint32{}
				})
				repliers[to] = b
				r.repliers = append(r.repliers, b)
			}
			me.to = append(me.to, repliers[to])
		}
		r.askers = append(r.askers, me)
	}
	return nil
}

// Askers returns the number of processes that send requests.
func (r *Requests) Askers() int { return len(r.askers) }
