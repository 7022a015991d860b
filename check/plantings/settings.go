package main

import (
	"fmt"

	"github.com/sigview/sigview/experiment"
)

// settings are those of cards and switches that somebody got wrong.
var settings = []kind{
	{"small receive ring", old, all, nil, func(c *Case, d draw, _ float64) { c.at(fmt.Sprintf("ni.receive_buffers = %d", 1+d.IntN(3))) },
		[]string{"receive_ring"}, []string{"room", "ring"}},
	{"small receive pool", late, all, nil, func(c *Case, d draw, _ float64) { c.at(fmt.Sprintf("verbs.receive_buffers = %d", 1+d.IntN(4))) },
		[]string{"receive_ring"}, []string{"room", "ring", "pause", "pool"}},
	{"small cache of queue pairs", late, all, nil, func(c *Case, d draw, _ float64) { c.at("verbs.contexts = 1", "verbs.translations = 1") },
		[]string{"io_bus", "host_dma"}, []string{"context", "cache", "queue pair", "pci"}},
	{"no inline data", late, all, nil, func(c *Case, d draw, _ float64) {
		c.at("verbs.inline_bytes = 0", "verbs.blueflame_bytes = 0", "verbs.fetch_entries = 1")
	}, []string{"io_bus", "host_dma", "request_queue"}, []string{"inline", "fetch", "entr", "pci"}},
	{"short send queue", late, all, nil, func(c *Case, d draw, _ float64) { c.at("verbs.send_packets = 1", "verbs.send_depth = 2") },
		[]string{"window", "send_slot", "request_queue", "order"}, []string{"window", "depth", "send queue", "send slot"}},
	{"low threshold of pause frames", []string{"cx5-roce"}, []string{"alltoall", "random", "paramserver"}, busy, func(c *Case, d draw, _ float64) {
		c.node = -1
		c.change = c.planted("all switches", fmt.Sprintf("network.buffer.xoff_bytes = %d", int(d.between(1, 3000))))
	}, []string{"port", "s_engine"}, []string{"pause", "halt", "threshold"}},
	{"low threshold of congestion marks", []string{"cx7"}, []string{"incast", "hotspot"}, busy, func(c *Case, d draw, _ float64) {
		c.node = -1
		low := int(d.between(2000, 20000))
		c.change = c.planted("all switches", fmt.Sprintf("network.buffer.ecn = {min_bytes = %d, max_bytes = %d, max_share = 1.0}", low, 2*low))
	}, []string{"window"}, []string{"rate", "congestion", "dcqcn", "ecn", "mark", "pace", "slowed"}},
}

// uneven are programs that use one place more than others, or wait by their own rules.
var uneven = []kind{
	{"hot home", both, memory, nil, func(c *Case, _ draw, _ float64) {
		c.node, c.spec.Memory.Homes, c.what = 0, "single", []string{"all pages at node 0"}
	}, nil, []string{""}}, // whatever is scarce at node 0
	{"hot receiver", both, []string{"hotspot"}, func(s *experiment.RunSpec) { s.Pattern.Skew = 0.01 }, func(c *Case, d draw, _ float64) {
		c.node, c.spec.Pattern.Skew = 0, d.between(0.1, 0.9)
		c.what = []string{"that share of the messages to node 0"}
	}, nil, []string{""}}, // the same
	{"hot key", both, []string{"kv"}, func(s *experiment.RunSpec) { s.Job.Atomics, s.Job.Writes = 40, 30 }, func(c *Case, d draw, _ float64) {
		c.node, c.spec.Job.Zipf = -1, d.between(0.8, 3)
		c.what = []string{"few keys for most operations"}
	}, []string{"cpu", "order"}, []string{"lock", "hot", "conten", "late", "conflict"}},
	{"slow holder of a lock", both, own[:1], nil, func(c *Case, d draw, _ float64) { c.percent(d, c.node) },
		nil, []string{"lock", "convoy", "critical"}},
	{"long critical section", both, own[:1], nil, func(c *Case, d draw, _ float64) { c.percent(d, -1) },
		nil, []string{"lock", "convoy", "critical"}},
	{"more work for a node", both, own[1:], nil, func(c *Case, d draw, _ float64) { c.percent(d, c.node) }, []string{"cpu"}, others},
	{"rare polling", both, memory, polling, func(c *Case, d draw, _ float64) {
		c.node = -1
		c.change = c.planted("all nodes", fmt.Sprintf(`svm.poll_every_us = "*%v"`, d.between(2, 50)))
	}, nil, []string{"late home", "poll", "notice", "serv"}},
}

// busy makes patterns fill the links.
func busy(s *experiment.RunSpec) {
	if s.IsPattern() {
		s.Pattern.Bytes, s.Pattern.GapUs = 8000, 0
	}
}

func polling(s *experiment.RunSpec) { s.Memory.Service = "polling" }

// percent gives a node more work than others, or all if it is -1.
func (c *Case) percent(d draw, node int) {
	c.node = node
	by := int(100 * d.between(1.2, 20))
	c.spec.Size = sizeOf(node, by)
	c.what = []string{fmt.Sprintf("node %d has %d %% of the work of others (-1: all nodes, of the usual work)", node, by)}
}
