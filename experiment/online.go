package experiment

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// finder finds something while the programs run.
type finder interface {
	// found returns what it has found so far, without tags, with instants since time zero.
	found() []trace.OnlineRow
}

// finders returns what finds something, at the place of its tag or behind the programs.
func finders(programs []program, others ...finder) (out []finder) {
	for _, p := range programs {
		f, _ := p.(finder)
		out = append(out, f)
	}
	return append(out, others...)
}

// online returns what has been found so far, or nil in a run without policies.
func (d *collected) online(c *cluster.Cluster) []trace.OnlineRow {
	if len(d.spec.Policies) == 0 {
		return nil
	}
	out := []trace.OnlineRow{}
	for i, f := range append(slices.Clone(d.finders), swamped(c.Nodes)) {
		if f == nil {
			continue
		}
		for _, row := range f.found() {
			if i < len(d.spec.Programs()) {
				row.Tag = trace.Tag(i)
			}
			row.TimeNs -= int64(d.began.Sub(0) / sim.Nanosecond)
			out = append(out, row)
		}
	}
	slices.SortStableFunc(out, func(a, b trace.OnlineRow) int { return cmp.Compare(a.TimeNs, b.TimeNs) })
	return out
}

// swamped finds nodes that have swamped a port, in the counts of their interfaces.
type swamped []*cluster.Node

func (s swamped) found() (out []trace.OnlineRow) {
	for node, n := range s {
		if n.VMMC == nil {
			continue
		}
		for _, x := range n.VMMC.Swamped() {
			out = append(out, swamping(node, x))
		}
	}
	return out
}

func swamping(node int, x vmmc.Swamped) trace.OnlineRow {
	return trace.OnlineRow{
		TimeNs: int64(x.At.Sub(0) / sim.Nanosecond), Node: int64(node), Policy: string(Throttle),
		Finding:  fmt.Sprintf("this node swamps the port of node %d", x.Peer),
		Evidence: fmt.Sprintf("its acknowledgements said %d times, counted once for the packets in flight, that less than a quarter of its receive ring was free", x.Cuts),
		Action:   fmt.Sprintf("It kept fewer packets in flight to it, down to %d", x.Least),
	}
}
