package cluster

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/microbench"
)

// Pair sets up the programs that measure a layer between nodes a and b.
func (c *Cluster) Pair(a, b, maxBytes int) (*microbench.Pair, error) {
	return microbench.NewPair([2]microbench.End{c.end(a), c.end(b)}, maxBytes)
}

// Load sets up a program that keeps all interfaces busy.
func (c *Cluster) Load(gap sim.Duration) (*microbench.Load, error) {
	ends := make([]microbench.End, len(c.Nodes))
	for i := range ends {
		ends[i] = c.end(i)
	}
	return microbench.NewLoad(ends, gap)
}

func (c *Cluster) end(i int) microbench.End {
	n := c.Nodes[i]
	return microbench.End{Host: n.Host, Frames: n.Frames, VMMC: n.VMMC}
}
