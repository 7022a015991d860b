package hunt

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Tally counts cases: all, those that were refused, and those with findings.
type Tally struct {
	lock   sync.Mutex
	cases  int
	found  int
	groups map[string]map[string]int // by what is counted: programs, layers, faults, endings
}

// NewTally returns an empty one.
func NewTally() *Tally { return &Tally{groups: map[string]map[string]int{}} }

// Add counts a case. Several goroutines may call it.
func (t *Tally) Add(c Case, e Ending, fails bool) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.cases++
	if fails {
		t.found++
	}
	count := func(group, name string) {
		if t.groups[group] == nil {
			t.groups[group] = map[string]int{}
		}
		t.groups[group][name]++
	}
	count("ended", e.String())
	for _, p := range c.Spec.Programs() {
		count("program", p)
	}
	count("platform", c.Spec.Platform)
	count("layer", c.Spec.Layer)
	f := &c.Spec.Faults
	for name, given := range map[string]bool{
		"bit errors": f.ErrorPerByte > 0 && f.BurstBytes < 2, "bursts": f.ErrorPerByte > 0 && f.BurstBytes > 1,
		"lost acknowledgements": f.DropAck > 0, "lost packets": len(f.Drops) > 0, "stalls": len(f.Stalls) > 0,
		"dead links": len(f.Breaks) > 0, "none": !f.Any(),
	} {
		if given {
			count("faults", name)
		}
	}
}

// Found returns the number of cases with findings.
func (t *Tally) Found() int { return t.found }

// Text lists the counts, the largest first.
func (t *Tally) Text(took time.Duration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d cases in %.0f s, %d with findings\n", t.cases, took.Seconds(), t.found)
	for _, group := range slices.Sorted(maps.Keys(t.groups)) {
		of := t.groups[group]
		names := slices.SortedFunc(maps.Keys(of), func(x, y string) int { return cmp.Or(of[y]-of[x], strings.Compare(x, y)) })
		for i, n := range names {
			names[i] = fmt.Sprintf("%s %d", n, of[n])
		}
		fmt.Fprintf(&b, "%s: %s\n", group, strings.Join(names, ", "))
	}
	return b.String()
}
