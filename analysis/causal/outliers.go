package causal

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/analysis/causal/peers"
	"github.com/sigview/sigview/trace/waits"
)

// Outlier is a part of the machine that is unlike its peers. Exactly one of Gap, Loss and Slow is set.
type Outlier struct {
	Gap    *peers.Gap
	Loss   *peers.Loss
	Slow   *peers.Slow
	OnPath int64 // ps of the critical path that are because of it
	Behind int64 // ps of these in which others wait for what it serves, of which replays know nothing
	Saved  int64 // ps by which the run is shorter in a replay without it; 0: there is none
	Worst  []Wait
}

// outliers are those of a run, while the critical path is gone through.
type outliers struct {
	*graph.Graph
	peers.Slowness
	gaps   []Outlier
	loss   *Outlier
	slowed map[*peers.Slow]*[2]int64 // ps on the path: of service, and of waits behind it
}

// newOutliers finds what is unlike its peers in a time of so many ps.
func newOutliers(g *graph.Graph, length int64) *outliers {
	o := &outliers{Graph: g, Slowness: peers.NewSlowness(g.Account), slowed: map[*peers.Slow]*[2]int64{}}
	for _, gap := range peers.Gaps(g.Account, max(length/100, 1)) {
		o.gaps = append(o.gaps, Outlier{Gap: &gap})
	}
	if loss := peers.Losses(g.Account); loss != nil {
		o.loss = &Outlier{Loss: loss}
	}
	return o
}

// take adds a segment of the critical path to the outliers that it is because of, and returns how much of it
// that is, in ps. During a gap it is all time in which nothing serves.
func (o *outliers) take(s graph.Segment) (taken int64) {
	if s.Piece >= 0 {
		p := &o.Pieces[s.Piece]
		if slow := o.Of(&o.Actors[s.Actor], p); slow != nil {
			taken = slow.Longer(p.Resource, s.Length())
			if o.slowed[slow] == nil {
				o.slowed[slow] = new([2]int64)
			}
			o.slowed[slow][min(p.What, waits.Waiting)] += taken
			return taken
		}
		if o.loss != nil && p.Resource == waits.Timer && p.What == waits.Waiting {
			if x := &o.Actors[s.Actor]; int(x.Node) == o.loss.Loss.Node || int(x.Peer) == o.loss.Loss.Node {
				o.loss.add(s, s.Length())
				return s.Length()
			}
		}
		if p.What == waits.Service {
			return 0
		}
	}
	for i := range o.gaps {
		x := &o.gaps[i]
		if both := min(min(s.End, x.Gap.To)-max(s.Begin, x.Gap.From), s.Length()-taken); both > 0 {
			x.add(s, both)
			taken += both
		}
	}
	return taken
}

// add adds time of the path to an outlier.
func (x *Outlier) add(s graph.Segment, ps int64) {
	x.OnPath += ps
	if s.Piece >= 0 {
		x.Worst = worst(x.Worst, Wait{Actor: s.Actor, Begin: s.Begin, End: s.End, Cost: ps})
	}
}

// certain reports whether it is told whatever it costs.
func (x *Outlier) certain() bool { return x.Loss != nil || x.Slow != nil && x.Slow.Certain() }

// replayer predicts how long a stretch would be with a change.
type replayer interface {
	WhatIf(graph.Change) graph.Prediction
}

// happens reports whether a gap has time on the path.
func (o *outliers) happens() bool {
	return slices.ContainsFunc(o.gaps, func(x Outlier) bool { return x.OnPath > 0 })
}

// found returns the outliers that are certain or have time on the path of so many ps, with what replays without them save.
func (o *outliers) found(r replayer, length int64) (out []Outlier) {
	saved := func(c graph.Change) int64 { return length - r.WhatIf(c).Length }
	for _, x := range o.gaps {
		switch {
		case x.OnPath == 0:
			continue
		case x.Gap.Lost:
			x.Saved = saved(graph.Change{Free: []waits.Resource{waits.Timer}})
		case x.Gap.Phase == peers.Arriving:
			x.Saved = saved(graph.Change{Free: []waits.Resource{waits.Ring}})
		}
		out = append(out, x)
	}
	if x := o.loss; x != nil {
		x.Saved = saved(graph.Change{Free: []waits.Resource{waits.Timer}})
		out = append(out, *x)
	}
	for _, at := range slices.SortedFunc(maps.Keys(o.Slowness), func(a, b account.Place) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Instance, b.Instance))
	}) {
		slow := o.Slowness[at]
		var path [2]int64
		if of := o.slowed[slow]; of != nil {
			path = *of
		}
		// One that is slow at several places is told of its own.
		if slow.Place != at || path[0]+path[1] == 0 && !slow.Certain() {
			continue
		}
		x := Outlier{Slow: slow, OnPath: path[0] + path[1], Behind: path[1]}
		if slow.Room() {
			x.Saved = saved(graph.Change{Free: []waits.Resource{at.Resource}})
		} else if slow.Engine() || slow.Fetches() {
			faster := map[account.Place]float64{at: 1 / slow.Ratio}
			if slow.Computes > 0 {
				faster[account.Place{Resource: waits.CPU, Instance: at.Instance}] = 1 / slow.Computes
			}
			x.Saved = saved(graph.Change{Places: faster})
		}
		out = append(out, x)
	}
	return out
}
