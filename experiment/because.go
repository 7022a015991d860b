package experiment

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm"
)

// blame adds the program and the cause to the error of stuck programs.
func blame(c *cluster.Cluster, what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, because(c, err))
}

// withCause adds the cause to the panic of a program that cannot go on.
func withCause(c *cluster.Cluster) {
	switch p := recover().(type) {
	case nil:
	case runtime.Error:
		panic(p)
	default:
		panic(because(c, fmt.Errorf("%v", p)))
	}
}

// because adds to the error of programs that are stuck or wrong what has gone wrong below them.
func because(c *cluster.Cluster, err error) error {
	causes := causes(c)
	if len(causes) == 0 {
		return err
	}
	return fmt.Errorf("%s: %w", strings.Join(causes, "; "), err)
}

// causes says that corruption was not detected, who does not answer, which packets the layer has
// lost, or how many the network has.
func causes(c *cluster.Cluster) (all []string) {
	s, t := c.Net.Stats(), c.Nodes[0].Layer.Traits()
	if s.Undetected > 0 {
		all = append(all, fmt.Sprintf("the checksum missed %d corrupted packets", s.Undetected))
	}
	if text := silence(c); text != "" {
		return append(all, text, lost(c))
	}
	for node, n := range c.Nodes {
		for _, count := range n.Layer.Counts() {
			if count.Loss && count.N > 0 {
				return append(all, fmt.Sprintf("layer %s has lost packets, which it does not repair (%s: %d at node %d)", t.Name, count.Name, count.N, node))
			}
		}
	}
	if s.Dropped+s.ResetLost > 0 && t.Errors != "Tolerated" {
		all = append(all, fmt.Sprintf("%s, which layer %s does not repair", lost(c), t.Name))
	}
	return all
}

// silence says which node has sent again most often without an answer. One that has given up comes
// before all that go on.
func silence(c *cluster.Cluster) string {
	var node int
	var worst comm.Silence
	for i, n := range c.Nodes {
		for _, p := range n.Layer.Silent() {
			if p.GivenUp && !worst.GivenUp || p.GivenUp == worst.GivenUp && p.Again > worst.Again {
				node, worst = i, p
			}
		}
	}
	text := fmt.Sprintf("node %d has had no answer from node %d, though layer %s has sent again %d times", node, worst.Peer, c.Nodes[node].Layer.Traits().Name, worst.Again)
	switch {
	case worst.GivenUp:
		return text + " until it gave up"
	case worst.Again > 0:
		return text + " and goes on"
	}
	return ""
}

// lost says what the network has lost and damaged, and at which dead links.
func lost(c *cluster.Cluster) string {
	s := c.Net.Stats()
	text := fmt.Sprintf("the network has lost %d packets", s.Dropped+s.ResetLost)
	if s.Severed > 0 {
		text += fmt.Sprintf(", %d of them at dead links (%s)", s.Severed, strings.Join(c.Net.Dead(), ", "))
	}
	if s.ResetLost > 0 {
		text += fmt.Sprintf(", %d of them in resets", s.ResetLost)
	}
	if s.Detected > 0 {
		text += fmt.Sprintf(", and damaged %d", s.Detected)
	}
	return text
}
