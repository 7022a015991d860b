package causal

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal/peers"
	"github.com/sigview/sigview/trace/waits"
)

// outlier makes the finding of an outlier.
func (e *Explanation) outlier(x *Outlier) Finding {
	w := x.worth(e.Length())
	if !e.matters(w.cost) || e.disorders(x) && e.share(w.cost) < worksFrom {
		w = e.hidden(w)
	}
	f := e.priced(w, x.OnPath, 0)
	f.Outlier = true
	switch {
	case x.Slow != nil:
		e.slowed(&f, x.Slow, w)
		f.Outlier = f.Outlier || w.hidden && e.disorders(x)
	case x.Loss != nil:
		e.lossy(&f, x.Loss, w)
	default:
		e.stopped(&f, x.Gap, w)
	}
	if f.At == nil {
		f.At = f.Node
	}
	if w.hidden {
		f.More = strings.TrimSpace(f.More + " " + itDecides)
	}
	for _, w := range x.Worst {
		f.Evidence = append(f.Evidence, e.wait(w))
	}
	f.Commands = append(e.commands(x.Worst, waits.Event, &f), f.Commands...)
	return f
}

// inShort says what an outlier is, and what the timeline of the views is to select for it.
func (e *Explanation) inShort(x *Outlier) (what, see string) {
	f := e.outlier(x)
	return f.Brief(), f.See().Select
}

// itDecides says what the worth of something hidden means.
const itDecides = "The critical path has hardly any of it, but it may decide in which order messages come: a run tells what it costs (sigview why)."

// hidden returns the worth of something of which the critical path has hardly any, because it has another order of messages than a run
// without it.
func (e *Explanation) hidden(w worth) worth {
	w.hidden, w.most = true, max(w.most, min(w.cost+e.awaitedTime(), e.Length()))
	return w
}

// awaitedTime is for how long a process waits for others on average, in ps.
func (e *Explanation) awaitedTime() (sum int64) {
	for i := range e.States {
		sum += e.States[i].Length()
	}
	return sum
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
		f.Cause, f.Outlier = worksLonger, f.Share >= worksFrom && !s.Little
		f.Text = fmt.Sprintf("Node %d's host processor works %.2f times as long as those of nodes with as many packets: %s.", s.Node, s.Ratio, e.costs(w))
		if s.Piece {
			f.Text = fmt.Sprintf("Node %d's host processor takes %.2f times as long for the usual piece of its work as those of nodes with as many packets: %s.", s.Node, s.Ratio, e.costs(w))
		}
		f.More = "It or its memory is slow, or there is more to compute."
	}
	switch s.Resource {
	case waits.HostDMA:
		f.Culprit = fmt.Sprintf("the host-DMA engine of node %d, or the I/O bus or memory behind it", s.Node)
		f.More = "The engine itself, the I/O bus or the memory behind it is slow."
		if e.Records {
			f.More += " Which of them cannot be told from records: --trace=waits records it."
		} else if s.Computes > 0 {
			f.Cause, f.Resource, f.Culprit = "slow memory", waits.MemBus.String(), fmt.Sprintf("the memory of node %d", s.Node)
			f.Text = fmt.Sprintf("Node %d's memory is slow: host DMA takes %.2f times as long as at other nodes, and more waits for it, for %s.", s.Node, s.Ratio, e.costs(w))
			f.More = fmt.Sprintf("Its host processor works %.2f times as long as any other.", s.Computes)
		}
	case waits.Ring:
		f.Cause, f.Culprit = "a receiver with little room", fmt.Sprintf("the receive ring of node %d", s.Node)
		f.Text = fmt.Sprintf("Node %d has no room for packets, unlike nodes that receive about as many: %s.", s.Node, e.costs(w))
	case waits.Slot:
		f.Cause, f.Culprit = "a short send queue", fmt.Sprintf("the send slots of node %d", s.Node)
		f.Text = fmt.Sprintf("Node %d's messages wait for send slots longer than those of nodes that send about as many: %s.", s.Node, e.costs(w))
	case waits.Window:
		f.Cause, f.Culprit = "a small window", fmt.Sprintf("the send queue of node %d", s.Node)
		f.Text = fmt.Sprintf("Node %d's messages wait for room in its windows longer than those of nodes that send about as many: %s.", s.Node, e.costs(w))
	case waits.Event:
		f.Cause, f.Culprit = "slow interrupts", fmt.Sprintf("the interrupts of node %d", s.Node)
		f.Text = fmt.Sprintf("Node %d's interrupts are slow: they take %.2f times as long as those of other nodes, for %s.", s.Node, s.Ratio, e.costs(w))
	case waits.Pipeline:
		f.Cause = "a slow card"
		f.Text = fmt.Sprintf("Node %d's card is slow: packets take %.2f times as long in its pipelines as in those of other nodes, for %s.", s.Node, s.Ratio, e.costs(w))
	case waits.Cache:
		f.Cause = "a small cache of queue pairs"
		f.Text = fmt.Sprintf("Node %d's card fetches the state of queue pairs more often than others: %s.", s.Node, e.costs(w))
	case waits.Request:
		f.Cause = "entries that the card fetches"
		f.Text = fmt.Sprintf("Node %d's card fetches entries that others get with the doorbell: %s.", s.Node, e.costs(w))
	}
}

// lossy fills in the finding of a link that loses packets.
func (e *Explanation) lossy(f *Finding, l *peers.Loss, w worth) {
	f.Node, f.Cause, f.Resource = &l.Node, "packets lost and sent again after a timeout", waits.Timer.String()
	f.Culprit = fmt.Sprintf("the link of node %d", l.Node)
	f.between(l.From, l.To)
	if l.Other >= 0 {
		f.At, f.Culprit = &l.Other, fmt.Sprintf("the link of node %d or of node %d", l.Node, l.Other)
		f.Text = fmt.Sprintf("Packets between node %d and node %d are lost, %d from %s on, at which of the two cannot be told: waiting for their timers takes %s.", l.Node, l.Other, l.Packets, span(l.From), e.costs(w))
		return
	}
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
	if e.Records && g.Phase == peers.Leaving && !g.Lost {
		f.At = &g.Ahead
		f.Text = fmt.Sprintf("Node %d sends no packets, or node %d takes none, from %s to %s: %s; %s of %s wait.",
			g.Node, g.Ahead, span(g.From), span(g.To), e.costs(w), analysis.Plural(g.Packets, "packet"), analysis.Plural(len(g.Others), "node"))
		return
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
	w, node, place := x.worth(), int(x.Instance), "the "+noun(x.Resource)+" of"
	f := e.priced(w, x.OnPath, x.OnPath)
	f.Cause = busyPlace + noun(x.Resource)
	if x.Resource == waits.Port {
		end, into := x.Ends.node()
		node, place = int(end), map[bool]string{true: "the link into", false: "the link out of"}[into]
		f.Cause, f.Port = busyPlace+"link", e.Ports[x.Instance]
	}
	f.Resource, f.Node, f.At = x.Resource.String(), &node, &node
	f.Culprit = fmt.Sprintf("%s node %d", place, node)
	f.Commands = e.commands(x.Worst, waits.Event, &f)
	f.Text = fmt.Sprintf("The run waits for %s node %d at work: one twice as fast saves %s.", place, node, e.costs(w))
	f.More = fmt.Sprintf("It works for %s on the critical path.", span(x.OnPath))
	for _, w := range x.Worst {
		f.Evidence = append(f.Evidence, fmt.Sprintf("%s has it %s from %s on", e.Name(w.Actor), span(w.Cost), span(w.Begin)))
	}
	return f
}

// halted makes the finding of halted ports.
func (e *Explanation) halted() Finding {
	w := e.Halts.worth()
	f := e.priced(w, 0, e.Halts.Mean)
	f.Cause, f.Resource, f.Culprit = pausing, waits.Port.String(), nobody
	f.Text = fmt.Sprintf("Pause frames halt %s for %s each: %s.", analysis.Plural(e.Halts.Ports, "port"), span(e.Halts.Mean), e.costs(w))
	f.More = fmt.Sprintf("They do %d times in all; at most %d B stand before a port of a switch. Where it has room for more, its threshold is low.", e.Halts.Times, e.Halts.Most)
	f.Commands = e.commands(nil, waits.Port, &f)
	return f
}
