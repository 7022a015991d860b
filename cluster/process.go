package cluster

import (
	"errors"
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Process is a program's process on one node.
type Process struct {
	Node     *Node
	Number   int // of the node
	Space    *host.Space
	Endpoint comm.Endpoint
}

// Processes makes a process on every node. They exchange messages of up to most
// bytes on the cluster's layer.
func (c *Cluster) Processes(tag trace.Tag, most int) ([]*Process, error) {
	var all []*Process
	var peers []comm.Endpoint
	for i, n := range c.Nodes {
		p := &Process{Node: n, Number: i, Space: host.NewSpace(fmt.Sprintf("tag%d/proc%d", tag, i), n.Frames)}
		var err error
		if p.Endpoint, err = n.Layer.Open(p.Space, tag); err != nil {
			return nil, err
		}
		all, peers = append(all, p), append(peers, p.Endpoint)
	}
	return all, comm.Connect(peers, most)
}

// Quicken says whether programs that begin from now on compute twice as fast as their hosts do.
func (c *Cluster) Quicken(quick bool) {
	for _, n := range c.Nodes {
		n.Host.Quicken(quick)
	}
}

// Run runs programs, one per node from node 0 on, until all have ended; nil is
// no program. It returns a *sim.DeadlockError if programs wait forever.
func (c *Cluster) Run(programs ...func(*host.Context)) error {
	left := 0
	for i, program := range programs {
		if program == nil {
			continue
		}
		left++
		c.Nodes[i].Host.Go(fmt.Sprintf("program%d", i), host.Application, func(x *host.Context) {
			program(x)
			left--
		})
	}
	return c.Engine.RunUntil(func() bool { return left == 0 })
}

// Rest runs the cluster for d, in which packets in flight arrive. Service
// processes that only wait are no deadlock.
func (c *Cluster) Rest(d sim.Duration) error {
	var stuck *sim.DeadlockError
	if err := c.Engine.Run(c.Engine.Now().Add(d)); !errors.As(err, &stuck) {
		return err
	}
	return nil
}
