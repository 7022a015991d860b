package cluster

import "github.com/sigview/sigview/comm/sockets"

// Sockets sets up a process with stream sockets on every node.
func (c *Cluster) Sockets(spec sockets.Spec) (*sockets.Net, error) {
	return sockets.New(spec, c.Deposits())
}
