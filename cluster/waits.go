package cluster

import "github.com/sigview/sigview/trace/waits"

// logWaits makes all parts record what they wait for, from now on.
func (c *Cluster) logWaits() {
	c.log, c.logged = waits.NewLog(), c.Engine.Now()
	c.Net.Log(c.log)
	for i, n := range c.Nodes {
		n.Host.Log(c.log, i)
		n.NIC.Log(c.log)
	}
}

// Waits ends the log of waiting and returns it, nil if the specification asks for none.
// Its times are since Record.
func (c *Cluster) Waits() *waits.Log {
	if c.log == nil {
		return nil
	}
	c.Net.Close()
	for _, n := range c.Nodes {
		n.Host.Close()
		n.NIC.Close()
	}
	c.log.Finish(int64(c.Engine.Now()))
	c.log.Since(int64(c.logged))
	return c.log
}
