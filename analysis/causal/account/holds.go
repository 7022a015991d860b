package account

import (
	"cmp"
	"slices"
	"sort"

	"github.com/sigview/sigview/trace/waits"
)

// Place is one instance of a resource.
type Place struct {
	Resource waits.Resource
	Instance int32
}

// tenure is the holds of one place in the order of their begins.
type tenure struct {
	holds []waits.Hold
	// Invariant: latest does not decrease, so that it can be searched although ends are in no order.
	latest []int64 // by hold: the latest end of it and of all before it, ps
}

// tenures sorts holds by place and begin.
func tenures(holds []waits.Hold) map[Place]tenure {
	sorted := slices.Clone(holds)
	slices.SortFunc(sorted, func(a, b waits.Hold) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Instance, b.Instance),
			cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.End, b.End), cmp.Compare(a.Actor, b.Actor))
	})
	latest := make([]int64, len(sorted))
	out := map[Place]tenure{}
	for from := 0; from < len(sorted); {
		at := Place{sorted[from].Resource, sorted[from].Instance}
		to := from
		for ; to < len(sorted) && sorted[to].Resource == at.Resource && sorted[to].Instance == at.Instance; to++ {
			latest[to] = sorted[to].End
			if to > from {
				latest[to] = max(latest[to], latest[to-1])
			}
		}
		out[at] = tenure{sorted[from:to], latest[from:to]}
		from = to
	}
	return out
}

// Holder returns who but self has the place at t, in ps, 0 if nobody, and until when that is so. If
// several have it, it is the one that lets go first: the next actor gets that part of the place.
func (h tenure) Holder(t int64, self waits.ID) (by waits.ID, until int64) {
	// All holds before i have ended by t; those from i on may have.
	i := sort.Search(len(h.holds), func(i int) bool { return h.latest[i] > t })
	until = Forever
	for ; i < len(h.holds) && h.holds[i].Begin <= t; i++ {
		if x := h.holds[i]; x.End > t && x.Actor != self && x.End < until {
			by, until = x.Actor, x.End
		}
	}
	// Until the next hold begins, nothing changes.
	if i < len(h.holds) {
		until = min(until, h.holds[i].Begin)
	}
	return by, until
}

// Last returns who had the place last before an instant, in ps, and the end of that, at most the
// instant; 0 if nobody had it.
func (h tenure) Last(before int64) (by waits.ID, until int64) {
	i := sort.Search(len(h.holds), func(i int) bool { return h.holds[i].Begin >= before })
	if i == 0 {
		return 0, 0
	}
	// A hold does not include its end, so the holder is looked up 1 ps before.
	until = min(h.latest[i-1], before)
	by, _ = h.Holder(until-1, 0)
	return by, until
}

// Forever is an instant in ps after all others.
const Forever = int64(1<<63 - 1)
