package main

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
)

// kind is a kind of cause. A finding names it if it is about its place and has one of its resources, or if one of its
// words is in what it calls the cause or who is to blame. The table is made before any result is looked at.
type kind struct {
	name                string
	platforms, programs []string
	prepare             func(*experiment.RunSpec) // the run without the planting as well; nil: nothing
	plant               func(c *Case, d draw, tookUs float64)
	resources, words    []string
}

// Case is a run to be tried, without and with a planting.
type Case struct {
	base, spec experiment.RunSpec
	change     platform.Overlay // of the platform, with the planting
	node       int              // where it is; -1: nowhere in particular
	what       []string
}

// others are words for the wait for a process that has more to do, or does it more slowly.
var others = []string{"late", "imbalance", "convoy", "comput"}

// base draws a run without a planting: a program in which the kind can be planted, of a size that takes about a second.
func (k *kind) base(d draw) experiment.RunSpec {
	s := experiment.DefaultRun(pick(d, k.programs))
	s.Platform, s.Nodes = pick(d, k.platforms), pick(d, []int{4, 8})
	s.Seed, s.Trace = 1+d.Uint64N(1000), experiment.TraceWaits
	d.size(&s)
	if k.prepare != nil {
		k.prepare(&s)
	}
	return s
}

// planted returns an overlay of lines of a profile, and notes them.
func (c *Case) planted(where string, lines ...string) platform.Overlay {
	c.what = append(c.what, where+": "+strings.Join(lines, ", "))
	all, err := platform.ParseOverlays("planted", []byte("[planted]\n"+strings.Join(lines, "\n")+"\n"))
	if err != nil {
		panic("plantings: " + err.Error())
	}
	return all.Of("planted")
}

// at changes the case's node.
func (c *Case) at(lines ...string) {
	c.spec.Others = map[int]platform.Overlay{c.node: c.planted(fmt.Sprintf("node %d", c.node), lines...)}
}

// slow makes fields of a section of a node's profile greater (*) or smaller (/), all by the same factor.
func slow(section string, fields ...string) func(*Case, draw, float64) {
	return func(c *Case, d draw, _ float64) {
		by := d.between(1.3, 16)
		var lines []string
		for i := 0; i < len(fields); i += 2 {
			lines = append(lines, fmt.Sprintf(`%s.%s = "%s%v"`, section, fields[i], fields[i+1], by))
		}
		c.at(lines...)
	}
}

// link makes the link into a node slower or longer, each by a factor if its flag is 1.
func link(field string, slower, longer float64) func(*Case, draw, float64) {
	return func(c *Case, d draw, tookUs float64) {
		p, err := platform.Load(c.spec.Platform)
		if err != nil {
			panic("plantings: " + err.Error())
		}
		rate, _ := p.Network.LinkRate.In("mbps")
		rate /= 1 + slower*(d.between(1.3, 16)-1)
		wire := p.Network.WireDelay.Us()*1000 + longer*d.between(1, 0.02*tookUs)*1000
		c.change = c.planted("the link into", fmt.Sprintf("network.inward = [{node = %d, link_mbps = %f, wire_ns = %f}]", c.node, rate, wire))
	}
}

// sometime returns a time of the case's node within the run, at most a share of the run long.
func (c *Case) sometime(d draw, tookUs, most float64) []fabric.Stall {
	from, long := d.between(0.05, 0.7)*tookUs, d.between(0.03, most)*tookUs
	c.what = []string{fmt.Sprintf("node %d from %.0f µs for %.0f µs", c.node, from, long)}
	return []fabric.Stall{{Node: c.node, At: sim.Time(from * float64(sim.Microsecond)), For: sim.Duration(long * float64(sim.Microsecond))}}
}
