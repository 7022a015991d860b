package hunt

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sigview/sigview/check/reliability"
)

// Tally counts cases, all and by what they contain. Several goroutines may use it.
type Tally struct {
	lock   sync.Mutex
	all    counts
	groups map[string]map[string]*counts // by group and name: programs, layers, platforms, faults
}

// counts are how many cases ended how, and how many had findings.
type counts struct {
	endings [Refused + 1]int
	found   int
}

func (c *counts) add(e Ending, fails bool) {
	c.endings[e]++
	if fails {
		c.found++
	}
}

func (c *counts) cases() (n int) {
	for _, k := range c.endings {
		n += k
	}
	return n
}

// NewTally returns an empty one.
func NewTally() *Tally { return &Tally{groups: map[string]map[string]*counts{}} }

// Add counts a case.
func (t *Tally) Add(c Case, e Ending, fails bool) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.all.add(e, fails)
	for _, p := range c.Spec.Programs() {
		t.of("program", p).add(e, fails)
	}
	t.of("platform", c.Spec.Platform).add(e, fails)
	t.of("layer", c.Spec.Layer).add(e, fails)
	for _, name := range faultsOf(c) {
		t.of("fault", name).add(e, fails)
	}
}

func (t *Tally) of(group, name string) *counts {
	if t.groups[group] == nil {
		t.groups[group] = map[string]*counts{}
	}
	if t.groups[group][name] == nil {
		t.groups[group][name] = &counts{}
	}
	return t.groups[group][name]
}

// faultsOf names the faults of a case.
func faultsOf(c Case) (names []string) {
	f := &c.Spec.Faults
	for _, x := range []struct {
		name  string
		given bool
	}{
		{"none", !f.Any()},
		{"bit errors", f.ErrorPerByte > 0 && f.BurstBytes < 2},
		{"bursts of errors", f.ErrorPerByte > 0 && f.BurstBytes > 1},
		{"lost acknowledgements", f.DropAck > 0},
		{"lost packets", len(f.Drops) > 0},
		{"stalls", len(f.Stalls) > 0},
		{"outages", len(f.Outages) > 0},
		{"pause storms", len(f.Storms) > 0},
		{"dead links", len(f.Breaks) > 0},
	} {
		if x.given {
			names = append(names, x.name)
		}
	}
	return names
}

// Found returns the number of cases with findings.
func (t *Tally) Found() int { return t.all.found }

// Text says in a line how many cases there were, and how they ended.
func (t *Tally) Text(took time.Duration) string {
	e := t.all.endings
	return fmt.Sprintf("%d cases in %.0f s: %d right, %d wrong, %d stopped, %d refused; %d with findings\n",
		t.all.cases(), took.Seconds(), e[Right], e[Wrong], e[Stopped], e[Refused], t.all.found)
}

// Part is the result for the page of reliability.
func (t *Tally) Part(first uint64, took time.Duration) reliability.Part {
	p := reliability.Here("Random runs", "make soak")
	p.Says = "Programs, platforms, layers, sizes, options and faults are drawn at random. Each run is made twice. " +
		"It has to end; its result has to be right, or the error has to name what the faults did to its packets; packets that entered the network have to be those that " +
		"arrived, were lost or are on their way; the packets of kinds, sizes, classes, pairs and traces have to be the same; all reports have to be those of the run's files; the second run has to give the same files. " +
		"A run that fails any of this is a finding."
	figure := func(name string, n int) reliability.Figure { return reliability.Figure{Name: name, Value: float64(n)} }
	cases, found := figure("random specifications", t.all.cases()), figure("findings", t.all.found)
	cases.AtLeast, found.AtMost = reliability.Bound(10_000), reliability.Bound(0)
	cases.Note = fmt.Sprintf("seeds from %d on", first)
	seconds := figure("time", int(took.Seconds()))
	seconds.Unit = "s"
	e := t.all.endings
	p.Figures = []reliability.Figure{
		cases, found, seconds, figure("with the right result", e[Right]),
		figure("with a wrong result that faults explain", e[Wrong]), figure("stopped by faults, with the cause named", e[Stopped]),
		figure("refused, because options exclude each other", e[Refused]),
	}
	for _, group := range slices.Sorted(maps.Keys(t.groups)) {
		p.Tables = append(p.Tables, table(group, t.groups[group]))
	}
	return p
}

// table lists the counts of a group, the largest first.
func table(group string, of map[string]*counts) reliability.Table {
	out := reliability.Table{Title: "Runs by " + group, Columns: []string{group, "runs", "right", "wrong or stopped", "refused", "findings"}}
	names := slices.SortedFunc(maps.Keys(of), func(x, y string) int {
		return cmp.Or(of[y].cases()-of[x].cases(), strings.Compare(x, y))
	})
	for _, name := range names {
		c := of[name]
		row := []string{name}
		for _, n := range []int{c.cases(), c.endings[Right], c.endings[Wrong] + c.endings[Stopped], c.endings[Refused], c.found} {
			row = append(row, strconv.Itoa(n))
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}
