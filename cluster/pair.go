package cluster

import (
	"fmt"

	"github.com/sigview/sigview/workloads/microbench"
)

// Pair sets up the programs that measure a layer between nodes a and b.
func (c *Cluster) Pair(a, b, maxBytes int) (*microbench.Pair, error) {
	for _, i := range []int{a, b} {
		if i < 0 || i >= len(c.Nodes) {
			return nil, fmt.Errorf("cluster: pair of nodes %d and %d, want 0 to %d", a, b, len(c.Nodes)-1)
		}
	}
	return microbench.NewPair([2]microbench.End{c.end(a), c.end(b)}, maxBytes)
}

func (c *Cluster) end(i int) microbench.End {
	n := c.Nodes[i]
	return microbench.End{Node: i, Host: n.Host, Frames: n.Frames, Layer: n.Layer, Slots: n.NIC.Spec().RequestSlots}
}
