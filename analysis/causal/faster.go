package causal

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Faster is a change of one resource in a what-if: by how much it serves faster. Infinite
// is free: it serves as it did, and nobody waits.
type Faster struct {
	Resource waits.Resource
	Factor   float64
}

// noWait is the factor of a resource for which nobody waits.
var noWait = math.Inf(1)

// ParseFaster reads RESOURCE, RESOURCE=FACTOR or RESOURCE=free. The resource has its name
// in the table waits, or that in the specification of a run. Without a factor it is 2.
func ParseFaster(text string) (Faster, error) {
	name, factor, given := strings.Cut(text, "=")
	f := Faster{Factor: 2}
	var err error
	// Names of runs differ from those of the table waits; see freeable.
	if f.Resource, err = waits.ParseResource(name); err != nil {
		known := false
		for r, free := range freeable {
			if free == trace.Resource(name) {
				f.Resource, known = r, true
			}
		}
		if !known {
			return f, err
		}
	}
	switch {
	case factor == "free":
		f.Factor = noWait
	case given:
		// The comparisons are false for NaN too. Infinity is written free.
		if f.Factor, err = strconv.ParseFloat(factor, 64); err != nil || !(f.Factor > 0 && f.Factor <= math.MaxFloat64) {
			return f, fmt.Errorf("factor %q, wanted a number above 0 or free", factor)
		}
	}
	switch {
	// An event or a place in the order is no service that could be faster.
	case !contended(f.Resource):
		return f, fmt.Errorf("nothing serves at %s", f.Resource)
	case f.Resource.Shared() && f.Factor != noWait:
		return f, fmt.Errorf("a trace does not know how fast transfers are on another bus, wanted %s=free", f.Resource)
	}
	return f, nil
}

// String returns the change in words, "free" or "N times as fast".
func (f Faster) String() string {
	if f.Factor == noWait {
		return f.Resource.String() + " free"
	}
	return fmt.Sprintf("%s %g times as fast", f.Resource, f.Factor)
}

// Outcome is the run time that a what-if predicts.
type Outcome struct {
	Change     string
	Was, Would int64   // ps
	Moved      float64 // share of grants in another order than recorded
	Kept       bool    // all orders: Moved is the share of grants whose order may change
}

// Predict predicts the run time with each change alone and, if there are several, with all.
func Predict(g *graph.Graph, list []Faster) (out []Outcome) {
	if len(list) == 0 {
		return nil
	}
	end, to := g.Last(account.Forever)
	// The stretch begins with the log, at 0.
	r := graph.NewRerun(g, graph.Stretch{Last: end, To: to})
	predict := func(name string, list []Faster) {
		c := graph.Change{Factor: map[waits.Resource]float64{}}
		for _, f := range list {
			if f.Factor == noWait {
				c.Free = append(c.Free, f.Resource)
			} else {
				// A change scales times, not rates.
				c.Factor[f.Resource] = 1 / f.Factor
			}
		}
		p := r.WhatIf(c)
		out = append(out, Outcome{name, to, p.Length, float64(p.Moved) / float64(max(p.Grants, 1)), p.Kept})
	}
	for i, f := range list {
		predict(f.String(), list[i:i+1])
	}
	if len(list) > 1 {
		predict("all of these", list)
	}
	return out
}

// OutcomesView shows predictions.
func OutcomesView(list []Outcome) analysis.View {
	v := analysis.Tabulate(list,
		analysis.Word("what if", "change", func(o Outcome) string { return o.Change }),
		milliseconds("run time, ms", "run_time_us", func(o Outcome) int64 { return o.Was }),
		milliseconds("would be, ms", "predicted_us", func(o Outcome) int64 { return o.Would }),
		analysis.Keyed("saves", "saved_share", func(o Outcome) analysis.Cell {
			// Below 0 if the run would take longer.
			saved := o.Was - o.Would
			return analysis.Cell{Text: percent(saved, o.Was), Value: float64(saved) / float64(max(o.Was, 1))}
		}),
		analysis.Keyed("reordered", "moved_share", func(o Outcome) analysis.Cell {
			text := fmt.Sprintf("%.1f %%", 100*o.Moved)
			if o.Kept {
				text = "kept"
			}
			return analysis.Cell{Text: text, Value: o.Moved}
		}),
		analysis.Hidden("order_kept", func(o Outcome) any { return o.Kept }))
	v.Title = "What if"
	return v.Noted("Predicted by a replay of the trace. Faster: all service there, so that of the host-DMA engine with the buses of its transfers, and that of the host processor with its memory. Free: nobody waits. Reordered: share of the grants of places that serve one at a time in another order than recorded; kept: the replay keeps all orders, because without a change it does not come to the recorded time.")
}
