package cluster

import (
	"fmt"

	"github.com/sigview/sigview/sim/host"
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

// Requests sets up the program that measures layers with requests and replies,
// on the nodes of a pattern: the first of those named, or of all.
func (c *Cluster) Requests(pattern microbench.Pattern, peers, maxBytes int, nodes ...int) (*microbench.Requests, error) {
	var ends []microbench.End
	for i := range c.Nodes {
		if nodes == nil {
			ends = append(ends, c.end(i))
		}
	}
	for _, i := range nodes {
		ends = append(ends, c.end(i))
	}
	return microbench.NewRequests(ends, pattern, peers, maxBytes)
}

// Noise sets up noise that disturbs the programs of all nodes.
func (c *Cluster) Noise(spec microbench.NoiseSpec) (*microbench.Noise, error) {
	return microbench.NewNoise(c.Hosts(), spec)
}

// Hosts lists the hosts of all nodes.
func (c *Cluster) Hosts() []*host.Host {
	out := make([]*host.Host, len(c.Nodes))
	for i, n := range c.Nodes {
		out[i] = n.Host
	}
	return out
}
