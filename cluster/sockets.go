package cluster

import "github.com/sigview/sigview/sockets"

// Sockets gives a program a process with stream sockets on every node.
func (c *Cluster) Sockets(spec sockets.Spec) (*sockets.Net, error) {
	nodes := make([]sockets.Node, len(c.Nodes))
	for i, n := range c.Nodes {
		nodes[i] = sockets.Node{VMMC: n.VMMC, Host: n.Host, Frames: n.Frames}
	}
	return sockets.New(spec, nodes)
}
