package slowest

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Operation is one operation with its packets. Its times are in ns, those of its packets in ps, both since the
// begin of the run.
type Operation struct {
	*spans.One
	Packets []waits.ID // in the order of their begins
	Waiting []Waiting  // of its packets, the longest first
	Count   int        // operations of this kind in the run
	Longest bool       // the longest of them

	// Of the whole run: packets are looked up by their number.
	account *account.Account
}

// Waiting is the time that the packets of an operation wait for a resource. Packets that wait at once count
// each, so that it may exceed the operation's time.
type Waiting struct {
	Resource waits.Resource
	Length   int64    // ps
	Holder   waits.ID // for whom the longest part of it is; 0: nobody known
}

// Of returns the longest operations of each kind and program with the packets that an account has of them: by
// program, then by kind in the order of names, the longest first. Phases are none.
func Of(a *account.Account, found spans.Found) []Operation {
	kinds := slices.SortedFunc(maps.Keys(found.Longest), func(a, b spans.Kind) int {
		return cmp.Or(cmp.Compare(a.Tag, b.Tag), cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Name, b.Name))
	})
	var out []Operation
	for _, k := range kinds {
		if k.Operation == string(trace.OpPhase) {
			continue
		}
		for i, o := range found.Longest[k] {
			out = append(out, Operation{One: o, Count: found.Count[k], Longest: i == 0, account: a})
		}
	}
	attach(out, a)
	return out
}

// attach adds to operations the packets that belong to them: those with the operation's program and number. It
// goes through the actors once, because a log has far more of them than there are operations.
func attach(list []Operation, a *account.Account) {
	at := map[spans.ID]*Operation{}
	for i := range list {
		at[spans.ID{Tag: list[i].Tag, Span: list[i].Span}] = &list[i]
	}
	for id, x := range a.Actors {
		// Span 0 is that of packets of no operation.
		if o := at[spans.ID{Tag: x.Tag, Span: int64(x.Span)}]; o != nil && x.Span != 0 && x.Type.IsPacket() {
			o.Packets = append(o.Packets, waits.ID(id))
		}
	}
	for i := range list {
		o := &list[i]
		slices.SortStableFunc(o.Packets, func(x, y waits.ID) int { return cmp.Compare(a.Actors[x].Begin, a.Actors[y].Begin) })
		o.wait()
	}
}

// wait sums the waiting of the packets by resource, and finds the holder of the largest part of each sum.
func (o *Operation) wait() {
	// By resource, then by holder, in ps. 0 stands for time without a holder.
	var all [waits.NumResources]map[waits.ID]int64
	for _, id := range o.Packets {
		for _, p := range o.account.Of(id) {
			if p.What != waits.Waiting {
				continue
			}
			if all[p.Resource] == nil {
				all[p.Resource] = map[waits.ID]int64{}
			}
			// A wait in a line has several holders.
			for p := range o.account.Held(p) {
				all[p.Resource][p.Holder] += p.Length()
			}
		}
	}
	for resource, holders := range all {
		if holders == nil {
			continue
		}
		// The length is over all holders, also over time without one.
		w := Waiting{Resource: waits.Resource(resource), Holder: most(holders)}
		for _, length := range holders {
			w.Length += length
		}
		o.Waiting = append(o.Waiting, w)
	}
	o.Waiting = longest(o.Waiting, func(w Waiting) int64 { return w.Length })
}

// longest returns a copy of a list with the longest first.
func longest[T any](list []T, length func(T) int64) []T {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b T) int { return cmp.Compare(length(b), length(a)) })
	return out
}

// most returns the actor with the longest time, in ps. Of several with equal times it is the one with the
// lowest number, so that the order of the map does not matter.
func most(times map[waits.ID]int64) (by waits.ID) {
	longest := int64(-1)
	for id, length := range times {
		if length > longest || length == longest && id < by {
			by, longest = id, length
		}
	}
	return by
}
