package cluster

import (
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Instrument returns the function that makes the instrument of each process of the
// program with this tag. With it the process reports operations and phases and
// switches recording. Without a monitor the instrument does nothing.
func (c *Cluster) Instrument(tag trace.Tag) func(node int, process *host.Context) trace.Instrument {
	return func(node int, process *host.Context) trace.Instrument {
		if c.log != nil {
			c.log.Actors[process.Actor()].Tag = tag
		}
		if m := c.Nodes[node].Monitor; m != nil {
			return m.Instrument(process, tag)
		}
		return trace.Instrument{}
	}
}

// drained takes records of packets that a DMA has brought to a node's host.
func (c *Cluster) drained(halves []trace.Half) {
	if c.Packets != nil {
		c.Packets.Add(halves)
	}
	if c.Bins != nil {
		c.Bins.Add(halves)
	}
}

// Traced returns the records of packets of a run that has ended; nil unless they are
// traced. The bins are then complete, too.
func (c *Cluster) Traced() *trace.Joiner {
	for _, n := range c.Nodes {
		if n.Monitor != nil {
			n.Monitor.Rest()
		}
	}
	return c.Packets
}
