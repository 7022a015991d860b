package causal

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/trace/waits"
)

// Device is the time of the critical path at the devices of a node: their work, and the waits for it.
type Device struct {
	Node   int
	OnPath int64 // ps
	Saved  int64 // ps by which the run is shorter in a replay in which they take no time
	Worst  []Wait
}

// devices sums the critical path at devices, by node.
type devices map[int32]*Device

// take adds a segment of the path if it is at a device.
func (d devices) take(a *account.Account, s graph.Segment) {
	if s.Piece < 0 || a.Pieces[s.Piece].Resource != waits.Device {
		return
	}
	node := a.Pieces[s.Piece].Instance
	if d[node] == nil {
		d[node] = &Device{Node: int(node)}
	}
	x := d[node]
	x.OnPath += s.Length()
	x.Worst = worst(x.Worst, Wait{Actor: s.Actor, Begin: s.Begin, End: s.End, Cost: s.Length()})
}

// found returns the devices with what replays without their time save, of a run of length ps.
func (d devices) found(r replayer, length int64) (out []Device) {
	for _, node := range slices.Sorted(maps.Keys(d)) {
		x := d[node]
		at := account.Place{Resource: waits.Device, Instance: node}
		x.Saved = length - r.WhatIf(graph.Change{Free: []waits.Resource{waits.Device}, Places: map[account.Place]float64{at: 0}}).Length
		out = append(out, *x)
	}
	slices.SortStableFunc(out, func(a, b Device) int { return cmp.Compare(b.OnPath, a.OnPath) })
	return out
}

// worth returns what a run without the devices' time saves. A faster device saves a part of it.
func (x *Device) worth() worth {
	w := byPath(x.OnPath, x.Saved)
	w.least = 0
	return w
}

// device makes the finding of a node's devices.
func (e *Explanation) device(x *Device) Finding {
	w := x.worth()
	f := e.priced(w, x.OnPath, x.OnPath)
	f.Cause, f.Resource, f.Node, f.At = "the time of a device", waits.Device.String(), &x.Node, &x.Node
	f.Culprit = fmt.Sprintf("the device of node %d", x.Node)
	f.Commands = e.commands(x.Worst, waits.Device, nil)
	f.Text = fmt.Sprintf("The device of node %d reads and writes for %s.", x.Node, e.costs(w))
	f.More = "A faster device saves a part of it."
	for _, w := range x.Worst {
		f.Evidence = append(f.Evidence, fmt.Sprintf("%s takes %s from %s on", e.Name(w.Actor), span(w.Cost), span(w.Begin)))
	}
	return f
}
