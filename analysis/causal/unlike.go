package causal

import (
	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal/peers"
	"github.com/sigview/sigview/trace/waits"
)

// outlier makes the finding of an outlier.
func (e *Explanation) outlier(x *Outlier) Finding {
	w := x.worth(e.Length())
	f := e.priced(w, x.OnPath, 0)
	f.Outlier = true
	switch {
	case x.Slow != nil:
		e.slowed(&f, x.Slow, w)
	case x.Loss != nil:
		e.lossy(&f, x.Loss, w)
	default:
		e.stopped(&f, x.Gap, w)
	}
	if f.At == nil {
		f.At = f.Node
	}
	for _, w := range x.Worst {
		f.Evidence = append(f.Evidence, e.wait(w))
	}
	f.Commands = append(e.commands(x.Worst, waits.Event, &f), f.Commands...)
	return f
}

// worksLonger is the cause of a processor that works longer than those of nodes with as many packets.
const worksLonger = "a host processor that works longer"

// slowed fills in the finding of an engine that serves slower than those of other nodes.
func (e *Explanation) slowed(f *Finding, s *peers.Slow, w worth) {
	f.Node, f.Cause, f.Resource = &s.Node, "a slow "+noun(s.Resource), s.Resource.String()
	what := noun(s.Resource)
	if s.Resource == waits.Port {
		f.Cause, what = "a slow link", "link"
		f.Port = e.Ports[s.Instance]
	}
	if f.At = f.Node; s.Other >= 0 {
		f.At = &s.Other
	}
	f.Culprit = fmt.Sprintf("the %s of node %d", what, s.Node)
	f.Commands = e.commands(nil, s.Resource, f)
	f.Text = fmt.Sprintf("Node %d's %s is slow: it serves %.2f times as long as those of other nodes, for %s.", s.Node, what, s.Ratio, e.costs(w))
	if s.Other >= 0 {
		f.Text = fmt.Sprintf("The way between node %d and node %d is slow: packets take %.2f times as long as between others, for %s.", s.Node, s.Other, s.Ratio, e.costs(w))
		f.More = "No other packets use these links: it cannot be told at which end."
	}
	if s.Works {
		f.Cause = worksLonger
		f.Text = fmt.Sprintf("Node %d's host processor works %.2f times as long as those of nodes with as many packets: %s.", s.Node, s.Ratio, e.costs(w))
		f.More = "It or its memory is slow, or there is more to compute."
	}
	switch s.Resource {
	case waits.HostDMA:
		f.More = "The engine itself or the bus behind it is slow."
	case waits.Event:
		f.Cause, f.Culprit = "slow interrupts", fmt.Sprintf("the interrupts of node %d", s.Node)
		f.Text = fmt.Sprintf("Node %d's interrupts are slow: they take %.2f times as long as those of other nodes, for %s.", s.Node, s.Ratio, e.costs(w))
	case waits.Pipeline:
		f.Cause = "a slow card"
		f.Text = fmt.Sprintf("Node %d's card is slow: packets take %.2f times as long in its pipelines as in those of other nodes, for %s.", s.Node, s.Ratio, e.costs(w))
	case waits.Cache:
		f.Cause = "a small cache of queue pairs"
		f.Text = fmt.Sprintf("Node %d's card lacks the state of queue pairs and fetches it, more often than others: %s.", s.Node, e.costs(w))
	case waits.Request:
		f.Cause = "entries that the card fetches"
		f.Text = fmt.Sprintf("Node %d's card fetches the entries of its request queue from host memory, which others get with the doorbell: %s.", s.Node, e.costs(w))
	}
}

// lossy fills in the finding of a link that loses packets.
func (e *Explanation) lossy(f *Finding, l *peers.Loss, w worth) {
	f.Node, f.Cause, f.Resource = &l.Node, "packets lost and sent again after a timeout", waits.Timer.String()
	f.Culprit = fmt.Sprintf("the link of node %d", l.Node)
	f.between(l.From, l.To)
	f.Text = fmt.Sprintf("Node %d's link loses packets, %d from %s on: waiting for their timers takes %s.", l.Node, l.Packets, span(l.From), e.costs(w))
}

// stopped fills in the finding of a time in which a node lets no packet pass.
func (e *Explanation) stopped(f *Finding, g *peers.Gap, w worth) {
	f.Node, f.Culprit = &g.Node, fmt.Sprintf("node %d", g.Node)
	f.between(g.From, g.To)
	switch {
	case g.Lost:
		f.Cause, f.Resource = "packets lost and sent again after a timeout", waits.Timer.String()
	case g.Phase == peers.Leaving:
		f.Cause, f.Resource = "a node that sends no packets", waits.SEngine.String()
	case g.Phase == peers.Arriving:
		f.Cause, f.Resource = "a node that takes no packets", waits.Ring.String()
	default:
		f.Cause, f.Resource = "a host that takes no packets", waits.HostDMA.String()
	}
	if g.Phase == peers.Leaving && !g.Lost {
		f.More = fmt.Sprintf("The first of them is for node %d: if that takes no packets, it looks the same.", g.Ahead)
	}
	if g.Lost && len(g.Others) == 1 { // it cannot be told at which end
		other := int(g.Others[0])
		f.At = &other
		f.Text = fmt.Sprintf("Packets between node %d and node %d are lost from %s to %s: %s.", g.Node, other, span(g.From), span(g.To), e.costs(w))
		return
	}
	f.Text = fmt.Sprintf("Node %d %s from %s to %s: %s; %s of %s wait.",
		g.Node, halts(g), span(g.From), span(g.To), e.costs(w), analysis.Plural(g.Packets, "packet"), analysis.Plural(len(g.Others), "node"))
}

// between sets when an event begins and ends, given in ps.
func (f *Finding) between(from, to int64) {
	begin, end := float64(from)/1e6, float64(to)/1e6
	f.FromUs, f.ToUs = &begin, &end
}

// busyPlace begins the cause of a busy place.
const busyPlace = "a busy "

// occupied makes the finding of a busy place.
func (e *Explanation) occupied(x *Busy) Finding {
	w, node := x.worth(), int(x.Instance)
	f := e.priced(w, x.OnPath, x.OnPath)
	f.Cause, f.Resource, f.Node, f.At = busyPlace+noun(x.Resource), x.Resource.String(), &node, &node
	f.Culprit = fmt.Sprintf("the %s of node %d", noun(x.Resource), node)
	f.Commands = e.commands(x.Worst, waits.Event, &f)
	f.Text = fmt.Sprintf("The run waits for the %s of node %d at work: one twice as fast saves %s.", noun(x.Resource), node, e.costs(w))
	f.More = fmt.Sprintf("It works for %s on the critical path.", span(x.OnPath))
	for _, w := range x.Worst {
		f.Evidence = append(f.Evidence, fmt.Sprintf("%s has it %s from %s on", e.Name(w.Actor), span(w.Cost), span(w.Begin)))
	}
	return f
}
