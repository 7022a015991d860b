package hunt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/trace"
)

// packets: every packet that entered the network has arrived, was lost, or is on its way.
func packets(o *outcome) error {
	if o.cluster == nil {
		return nil
	}
	s := o.cluster.Net.Stats()
	if got := s.Delivered + s.Dropped + s.ResetLost + uint64(s.InFlight); got != s.Injected || s.InFlight < 0 {
		return fmt.Errorf("%d entered the network; %d arrived, %d were dropped, %d were lost in resets, %d are on their way", s.Injected, s.Delivered, s.Dropped, s.ResetLost, s.InFlight)
	}
	if s.Detected+s.Undetected != s.Hit || s.Severed > s.Dropped {
		return fmt.Errorf("%d damaged: %d detected and %d not; %d dropped, of these %d at dead links", s.Hit, s.Detected, s.Undetected, s.Dropped, s.Severed)
	}
	return nil
}

// nodes: what the interfaces say they have sent is what entered the network, and more only
// where something is still to be sent when the run ends.
func nodes(o *outcome) error {
	if o.cluster == nil || o.run == nil || o.spec.Detail != "" {
		return nil
	}
	var sent uint64
	quiet := true
	for _, n := range o.cluster.Nodes {
		quiet = quiet && n.Layer.Quiet() && !n.NIC.Outgoing()
		t := n.Layer.Traffic()
		sent += t.Packets + t.Repeated + t.Acks + t.Nacks
		if n.Monitor == nil || n.Monitor.Clock() == nil {
			continue
		}
		for _, packets := range n.Monitor.Clock().Stats().Sent {
			sent += packets
		}
	}
	if injected := o.cluster.Net.Stats().Injected; sent < injected || quiet && sent > injected {
		return fmt.Errorf("the interfaces have sent %d packets, %d entered the network", sent, injected)
	}
	return nil
}

// rows are the cells of a table whose kinds have to sum to all.
type rows struct {
	tag    trace.Tag
	lo, hi int64
	stage  trace.Stage
}

// leftOut reports whether the run says that rows of a table are missing.
func leftOut(run *trace.Run) bool {
	return slices.ContainsFunc(run.Manifest.Warnings, func(w string) bool { return strings.HasPrefix(w, "left out: ") })
}

// kinds: the packets of all kinds are those of every kind together, by size and by class.
func kinds(o *outcome) error {
	if o.run == nil || leftOut(o.run) {
		return nil
	}
	// Coarsened rows of kinds are wider than those of all: only their sums are the same.
	coarse := slices.ContainsFunc(o.run.Manifest.Warnings, func(w string) bool { return strings.HasPrefix(w, "histograms coarsened: ") })
	var sizes, classes sums
	for _, r := range o.run.Signature {
		at := r.Sizes
		if coarse {
			at = trace.Sizes{}
		}
		sizes.add(r.Group, at, r.Stat)
	}
	for _, r := range o.run.Classes {
		classes.add(r.Group, r.Sizes, r.Stat)
	}
	if err := sizes.differ("sizes"); err != nil {
		return err
	}
	return classes.differ("classes")
}

// sums are counts of packets by kind and of all kinds.
type sums struct{ byKind, all map[rows]int64 }

func (s *sums) add(g trace.Group, z trace.Sizes, x trace.Stat) {
	if s.all == nil {
		s.byKind, s.all = map[rows]int64{}, map[rows]int64{}
	}
	at := rows{g.Tag, z.SizeLoBytes, z.SizeHiBytes, x.Stage}
	switch {
	case g.Kind == trace.AllKinds:
		s.all[at] += x.Count
	case !g.First.OK:
		s.byKind[at] += x.Count
	}
}

func (s *sums) differ(table string) error {
	for _, two := range [][2]map[rows]int64{{s.all, s.byKind}, {s.byKind, s.all}} {
		for at := range two[0] {
			if at.stage != trace.NetMinusLANai && s.all[at] != s.byKind[at] {
				return fmt.Errorf("%s: tag %d, (%d, %d] B, %v: all kinds have %d packets, the kinds together %d", table, at.tag, at.lo, at.hi, at.stage, s.all[at], s.byKind[at])
			}
		}
	}
	return nil
}

// perStage are counts of packets by tag and stage.
type perStage map[rows]int64

func (p perStage) add(tag trace.Tag, x trace.Stat) {
	if x.Stage != trace.NetMinusLANai {
		p[rows{tag: tag, stage: x.Stage}] += x.Count
	}
}

// pairs: sizes, classes and pairs of nodes have the same packets.
func pairs(o *outcome) error {
	if o.run == nil || leftOut(o.run) {
		return nil
	}
	sizes, classes, pairs := perStage{}, perStage{}, perStage{}
	for _, r := range o.run.Signature {
		if r.Kind == trace.AllKinds {
			sizes.add(r.Tag, r.Stat)
		}
	}
	for _, r := range o.run.Classes {
		if r.Kind == trace.AllKinds {
			classes.add(r.Tag, r.Stat)
		}
	}
	for _, r := range o.run.Pairs {
		if r.Class == trace.AllSizes {
			pairs.add(r.Tag, r.Stat)
		}
	}
	for at, n := range sizes {
		if classes[at] != n || len(pairs) > 0 && pairs[at] != n {
			return fmt.Errorf("tag %d, %v: %d packets by size, %d by class, %d by pair", at.tag, at.stage, n, classes[at], pairs[at])
		}
	}
	return nil
}

// traced: a trace of all packets that has lost none has those that the histograms counted.
func traced(o *outcome) error {
	if o.run == nil || o.run.Packets == nil || o.spec.Only.Any() || o.run.Manifest.Lost.TraceRecords > 0 || len(o.spec.Phases) > 0 {
		return nil
	}
	counted, seen := perStage{}, perStage{}
	for _, r := range o.run.Signature {
		if r.Kind == trace.AllKinds {
			counted.add(r.Tag, r.Stat)
		}
	}
	for p := range o.run.Packets {
		for stage, at := range map[trace.Stage]bool{trace.Source: p.SourceNs.OK, trace.LANai: p.LANaiNs.OK, trace.Dest: p.DestNs.OK} {
			if at {
				seen[rows{tag: p.Tag, stage: stage}]++
			}
		}
	}
	for at, n := range counted {
		if at.stage != trace.Net && seen[at] != n {
			return fmt.Errorf("tag %d, %v: %d packets in the histograms, %d in the trace", at.tag, at.stage, n, seen[at])
		}
	}
	return nil
}
