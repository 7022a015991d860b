package slowest

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Operation is one operation with its packets.
type Operation struct {
	trace.SpanRow
	Steps   []trace.StepRow
	Parts   []trace.SpanRow // operations that it has begun
	Packets []waits.ID      // in the order of their begins
	Waiting []Waiting       // of its packets, the longest first
	Count   int             // operations of this kind in the run
	Longest bool            // the longest of them

	account *account.Account
}

// Waiting is the time that the packets of an operation wait for a resource.
type Waiting struct {
	Resource waits.Resource
	Length   int64    // ps
	Holder   waits.ID // for whom the longest part of it is; 0: nobody known
}

// key identifies an operation.
type key struct {
	tag  trace.Tag
	span int64
}

// Find returns the longest operations of each kind and program, at most top of each: by
// kind in the order of names, the longest first. Phases are none.
func Find(a *account.Account, spans []trace.SpanRow, steps []trace.StepRow, top int) []Operation {
	all := slices.DeleteFunc(slices.Clone(spans), func(s trace.SpanRow) bool { return s.Operation == string(trace.OpPhase) })
	slices.SortStableFunc(all, func(a, b trace.SpanRow) int {
		return cmp.Or(cmp.Compare(a.Tag, b.Tag), cmp.Compare(a.Operation, b.Operation), cmp.Compare(b.DurationNs, a.DurationNs))
	})
	var out []Operation
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].Tag == all[from].Tag && all[to].Operation == all[from].Operation {
			to++
		}
		first := len(out)
		for _, s := range all[from:min(to, from+top)] {
			out = append(out, Operation{SpanRow: s, Count: to - from, account: a})
		}
		out[first].Longest = true
		from = to
	}
	attach(out, spans, steps)
	return out
}

// attach adds to operations what belongs to them.
func attach(list []Operation, spans []trace.SpanRow, steps []trace.StepRow) {
	at := map[key]*Operation{}
	for i := range list {
		at[key{list[i].Tag, list[i].Span}] = &list[i]
	}
	for _, s := range spans {
		if o := at[key{s.Tag, s.Parent}]; o != nil && s.Parent != 0 {
			o.Parts = append(o.Parts, s)
		}
	}
	for _, s := range steps {
		if o := at[key{s.Tag, s.Span}]; o != nil {
			o.Steps = append(o.Steps, s)
		}
	}
	if len(list) == 0 {
		return
	}
	for id, x := range list[0].account.Actors {
		if o := at[key{x.Tag, int64(x.Span)}]; o != nil && x.Span != 0 && x.Type.IsPacket() {
			o.Packets = append(o.Packets, waits.ID(id))
		}
	}
	for i := range list {
		o := &list[i]
		slices.SortStableFunc(o.Packets, func(a, b waits.ID) int { return cmp.Compare(o.account.Actors[a].Begin, o.account.Actors[b].Begin) })
		o.wait()
	}
}

// wait sums the waiting of the packets by resource.
func (o *Operation) wait() {
	var all [waits.NumResources]map[waits.ID]int64
	for _, id := range o.Packets {
		for _, p := range o.account.Of(id) {
			if p.What != waits.Waiting {
				continue
			}
			if all[p.Resource] == nil {
				all[p.Resource] = map[waits.ID]int64{}
			}
			for p := range o.account.Held(p) {
				all[p.Resource][p.Holder] += p.Length()
			}
		}
	}
	for resource, holders := range all {
		if holders == nil {
			continue
		}
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

// most returns the actor with the longest time; of several, the first.
func most(times map[waits.ID]int64) (by waits.ID) {
	longest := int64(-1)
	for id, length := range times {
		if length > longest || length == longest && id < by {
			by, longest = id, length
		}
	}
	return by
}
