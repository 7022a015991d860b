package microbench

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// group is processes that work together.
type group struct {
	engine    *sim.Engine
	processes []*process
	left      int      // programs that have not ended
	attending int      // processes that have not ended
	moved     sim.Time // time of the last progress of a program
	done      bool     // what the caller waits for has happened
	failed    error
}

// patience is the simulated time without progress after which a message counts
// as lost.
const patience = 30 * sim.Second

// How long a process that only waits for the others sleeps between two polls.
const (
	shortNap = sim.Microsecond
	longNap  = 64 * sim.Microsecond
)

// newGroup opens a process on each end and connects them for messages of up to
// most bytes.
func newGroup(ends []End, name string, most int) (*group, error) {
	g := &group{engine: ends[0].Host.Engine()}
	var peers []comm.Endpoint // by node
	for i, end := range ends {
		p, err := open(g, end, fmt.Sprintf("%s%d", name, i), most)
		if err != nil {
			return nil, err
		}
		for end.Node >= len(peers) {
			peers = append(peers, nil)
		}
		if peers[end.Node] != nil {
			return nil, fmt.Errorf("microbench: node %d takes part twice", end.Node)
		}
		peers[end.Node] = p.ep
		g.processes = append(g.processes, p)
	}
	if err := comm.Connect(peers, max(g.processes[0].piece(most), readyBytes)); err != nil {
		return nil, fmt.Errorf("microbench: %w", err)
	}
	return g, nil
}

// run executes a program on each process. It returns when all have ended and,
// where processes handle messages, all layers are at rest.
func (g *group) run(program func(i int, c *host.Context)) error {
	if g.failed != nil {
		return g.failed
	}
	g.left, g.attending, g.moved = len(g.processes), len(g.processes), g.engine.Now()
	for i, p := range g.processes {
		p.Host.Go(fmt.Sprintf("side%d", i), host.Application, func(c *host.Context) {
			program(i, c)
			g.left--
			g.moved = c.Now()
			g.attend(p, c)
			g.attending--
			g.done = g.attending == 0
		})
	}
	return g.wait()
}

func (g *group) fail(err error) {
	if g.failed == nil {
		g.failed, g.done = err, true
	}
}

// wait runs the engine until done is set: all is well or something has failed.
func (g *group) wait() error {
	g.done = g.failed != nil
	for more := true; more && !g.done; {
		for left := 1024; left > 0 && !g.done && more; left-- {
			more = g.engine.Step()
		}
		if !g.done && more && g.engine.Now().Sub(g.moved) > patience {
			g.fail(fmt.Errorf("microbench: no progress from %v to %v", g.moved, g.engine.Now()))
		}
	}
	if g.failed == nil && !g.done {
		g.failed = g.engine.RunUntil(func() bool { return false }) // no event is left
	}
	if g.failed == nil {
		return nil
	}
	if lost := g.lost(); lost != "" {
		g.failed = fmt.Errorf("%w; lost:%s", g.failed, lost)
	}
	return g.failed
}

// attend handles messages until all programs have ended and no message is on its
// way. Deposits need no handling.
func (g *group) attend(p *process, c *host.Context) {
	if !p.traits.Consumes {
		return
	}
	for nap := shortNap; g.left > 0 || !g.quiet(); nap = min(2*nap, longNap) {
		if p.ep.Poll(c) > 0 {
			nap = shortNap
		}
		c.Sleep(nap)
	}
}

// quiet reports whether no message, reply or acknowledgement is on its way.
func (g *group) quiet() bool {
	for _, p := range g.processes {
		if !p.Layer.Quiet() {
			return false
		}
		if r, ok := p.ep.(comm.Requester); ok && r.Outstanding() > 0 {
			return false
		}
	}
	return true
}

// lost lists what the layers have lost.
func (g *group) lost() string {
	var b strings.Builder
	for _, p := range g.processes {
		for _, count := range p.Layer.Counts() {
			if count.Loss && count.N > 0 {
				fmt.Fprintf(&b, " %d %s at node %d", count.N, count.Name, p.Node)
			}
		}
	}
	return b.String()
}
