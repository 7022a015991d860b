package causal

import (
	"cmp"
	"slices"
	"sort"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/trace/waits"
)

// Sort is what the critical path has in common in a portion of it.
type Sort struct {
	Phase     int    // of the run, from 1; 0: phases are not known
	What      string // what is waited for, or what serves
	Operation string // as of Explanation.Operations
	Outlier   bool   // What is what an outlier does
}

// Portion is the time of the critical path of one sort. All portions sum to the time that is explained.
type Portion struct {
	Sort
	Length int64  // ps
	See    string // what the timeline of the views is to select for the longest part of it; set by Split

	longest Wait // what is waited for there, or the part itself; its cost is the time on the path
}

// add adds a part of the path, and the longest of what it is made of.
func (p *Portion) add(length int64, longest Wait) {
	p.Length += length
	if longest.Cost > p.longest.Cost {
		p.longest = longest
	}
}

// portions sums the critical path by sort.
type portions struct {
	along *along
	ends  []int64 // of phases, ps, ascending
	sums  map[Sort]*Portion
}

// add adds a segment of the path. bridged is the wait of an actor that it bridges or is itself, nil if there is none.
func (p *portions) add(s graph.Segment, owner waits.ID, bridged *account.Piece) {
	operation, piece := unexplained, account.Piece{What: waits.Waiting}
	longest := Wait{Actor: s.Actor, Begin: s.Begin, End: s.End, Cost: s.Length()}
	if s.Piece >= 0 {
		operation, piece = p.along.operation(s), p.along.Pieces[s.Piece]
	}
	what := "nothing in the trace"
	switch {
	case bridged != nil:
		what = "waiting for the " + noun(bridged.Resource)
		longest.Actor, longest.Holder, longest.Begin, longest.End = owner, bridged.Holder, bridged.Begin, bridged.End
	case s.Piece < 0:
	case piece.What == waits.Service:
		what = noun(piece.Resource)
	default:
		what = map[waits.What]string{waits.Idle: "delay at the ", waits.Waiting: "waiting for the "}[piece.What] + noun(piece.Resource)
	}
	sort := Sort{Phase: p.phase(s.Begin), What: what, Operation: operation}
	entry(p.sums, sort, Portion{Sort: sort}).add(longest.Cost, longest)
}

// phase returns the number of the phase in which an instant is, in ps; 0 if phases are not known.
func (p *portions) phase(at int64) int {
	if len(p.ends) == 0 {
		return 0
	}
	return 1 + min(sort.Search(len(p.ends), func(i int) bool { return p.ends[i] > at }), len(p.ends)-1)
}

// unordered returns portions as a list.
func unordered(sums map[Sort]*Portion) (out []Portion) {
	for _, x := range sums {
		if x.Length > 0 {
			out = append(out, *x)
		}
	}
	return out
}

// ordered returns portions with those of outliers, the longest first.
func ordered(out []Portion, outliers []Outlier, told func(*Outlier) (what, see string)) []Portion {
	for i := range outliers {
		if x := &outliers[i]; x.OnPath > 0 {
			what, see := told(x)
			out = append(out, Portion{Sort: Sort{What: what, Outlier: true}, Length: x.OnPath, See: see})
		}
	}
	slices.SortFunc(out, func(a, b Portion) int {
		return cmp.Or(cmp.Compare(b.Length, a.Length), cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.What, b.What), cmp.Compare(a.Operation, b.Operation))
	})
	return out
}
