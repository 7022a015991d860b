package kv

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// history is what clients have seen of a key.
type history struct {
	values   []Event // gets and puts
	counters []Event
}

// histories divides operations among their keys.
func histories(events []Event, keys int) []history {
	out := make([]history, keys)
	for _, e := range events {
		h := &out[e.Key]
		if e.Kind == Add {
			h.counters = append(h.counters, e)
		} else {
			h.values = append(h.values, e)
		}
	}
	return out
}

// check returns an error if there is no order of a key's operations that explains what each one
// returned, and what the key has at the end.
func (h history) check(final Value, counter uint64) error {
	if err := checkValues(append(slices.Clip(h.values), Event{Kind: Get, Client: -1, Begin: math.MaxInt, End: math.MaxInt, Value: final})); err != nil {
		return err
	}
	return checkCounter(h.counters, counter)
}

// zone is the span in which a key has a value: from the first end of an operation that put or got
// it to the last beginning of one.
type zone struct {
	value       Value
	put         bool
	putBegin    int
	first, last int
}

// forward reports whether the value is known to be there at more than one instant: from first to
// last. A value that is not may be there at any single instant between last and first.
func (z zone) forward() bool { return z.first < z.last }

// checkValues checks a register whose values differ (Gibbons and Korach, 1997): no get ends before its value
// is put, and at no instant need two values be there.
func checkValues(events []Event) error {
	zones := []zone{{put: true, first: 0, last: 0}} // of the first value
	place := map[Value]int{0: 0}
	for _, e := range events {
		i, known := place[e.Value]
		if !known {
			i = len(zones)
			place[e.Value] = i
			zones = append(zones, zone{value: e.Value, first: math.MaxInt, last: math.MinInt})
		}
		z := &zones[i]
		z.first, z.last = min(z.first, e.End), max(z.last, e.Begin)
		if e.Kind == Put {
			z.put, z.putBegin = true, e.Begin
		}
	}
	for _, e := range events {
		z := zones[place[e.Value]]
		switch {
		case !z.put:
			return fmt.Errorf("client %d got the value %#x, which nobody has put there", e.Client, uint64(e.Value))
		case e.End < z.putBegin:
			return fmt.Errorf("client %d got the value %#x before it was put", e.Client, uint64(e.Value))
		}
	}
	return apart(zones)
}

// apart checks that no two values have to be there at the same instant.
func apart(zones []zone) error {
	fixed := slices.DeleteFunc(slices.Clone(zones), func(z zone) bool { return !z.forward() })
	slices.SortFunc(fixed, func(a, b zone) int { return cmp.Compare(a.first, b.first) })
	for i := 1; i < len(fixed); i++ {
		if a, b := fixed[i-1], fixed[i]; b.first < a.last {
			return fmt.Errorf("the values %#x and %#x were both there", uint64(a.value), uint64(b.value))
		}
	}
	for _, z := range zones {
		if z.forward() {
			continue
		}
		i, _ := slices.BinarySearchFunc(fixed, z.last, func(f zone, at int) int { return cmp.Compare(f.first, at) })
		if i > 0 && z.first < fixed[i-1].last {
			return fmt.Errorf("the value %#x was there throughout the time of %#x", uint64(fixed[i-1].value), uint64(z.value))
		}
	}
	return nil
}

// checkCounter checks that each addition found what those before it had left, and that none that had
// ended comes after one that began later.
func checkCounter(adds []Event, counter uint64) error {
	adds = slices.Clone(adds)
	slices.SortFunc(adds, func(a, b Event) int { return cmp.Compare(a.Old, b.Old) })
	now, begun := uint64(0), 0
	for _, e := range adds {
		switch {
		case e.Old != now:
			return fmt.Errorf("client %d added to %d, want %d", e.Client, e.Old, now)
		case e.End < begun:
			return fmt.Errorf("client %d added to %d after an addition that began later", e.Client, e.Old)
		}
		now, begun = now+e.By, max(begun, e.Begin)
	}
	if now != counter {
		return fmt.Errorf("the counter is %d in the end, want %d", counter, now)
	}
	return nil
}
