package main

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/platform"
)

// seeds of the unchanged profiles. A single number is measured with the first two: a
// change has to show with both.
var seeds = []uint64{1, 2, 3, 4, 5}

// meter measures jobs.
type meter func(context.Context, job) (outcomes, error)

// finding is what a change of one number does.
type finding struct {
	Number  platform.Number
	Changed [2]*platform.Number  // by direction; nil where the profile does not accept it
	Rows    [2]map[string]change // by direction
}

// study is the study of one platform.
type study struct {
	ctx      context.Context
	measure  meter
	machines []machine // sisters, which change together
	usual    map[string]usual
	mu       sync.Mutex
	findings []finding
	err      error // the first
}

// run changes numbers of machines and returns those that change a row, in the
// order of numbers.
func run(ctx context.Context, measure meter, all []machine, numbers []platform.Number, rows []judge.Row) (*study, error) {
	s := &study{ctx: ctx, measure: measure, machines: all, usual: map[string]usual{}}
	var ids []string
	for _, row := range rows {
		ids = append(ids, row.ID)
	}
	over := make([]outcomes, len(seeds))
	together(len(seeds), func(i int) { over[i] = s.get(nil, seeds[i], ids) })
	if s.err != nil {
		return s, s.err
	}
	for _, row := range rows {
		u, err := summarize(row, over)
		if err != nil {
			return s, err
		}
		s.usual[row.ID] = u
	}
	ids = s.touched(numbers, ids)
	sections := bySection(numbers)
	together(len(sections), func(i int) { s.split(sections[i], ids) })
	slices.SortFunc(s.findings, func(a, b finding) int {
		return slices.Index(numbers, a.Number) - slices.Index(numbers, b.Number)
	})
	return s, s.err
}

// bySection groups numbers by their table.
func bySection(numbers []platform.Number) (out [][]platform.Number) {
	table := func(n platform.Number) string { return n.Path[:strings.LastIndex(n.Path, ".")+1] }
	for i, n := range numbers {
		if i == 0 || table(n) != table(numbers[i-1]) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], n)
	}
	return out
}

// together calls f for 0 to n-1 at the same time.
func together(n int, f func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}
	all.Wait()
}

// get measures rows with changed numbers.
func (s *study) get(numbers map[string][]platform.Number, seed uint64, rows []string) outcomes {
	out, err := s.measure(s.ctx, job{Numbers: numbers, Seed: seed, Rows: rows})
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	return out
}

// both measures rows with a group of numbers changed in each direction.
func (s *study) both(group []platform.Number, seed uint64, rows []string) (out [2]outcomes) {
	together(len(directions), func(i int) {
		numbers := map[string][]platform.Number{}
		for _, m := range s.machines {
			if n := m.variable(group, directions[i]); len(n) > 0 {
				numbers[m.Name] = n
			}
		}
		if len(numbers) > 0 {
			out[i] = s.get(numbers, seed, rows)
		}
	})
	return out
}

// touched returns the rows that the platform's numbers change at all.
func (s *study) touched(numbers []platform.Number, rows []string) []string {
	out := s.both(numbers, seeds[0], rows)
	return slices.DeleteFunc(slices.Clone(rows), func(id string) bool {
		for _, o := range out {
			if seen, measured := o[id]; measured && s.usual[id].differs(seen) {
				return false
			}
		}
		return true
	})
}

// split looks for the numbers of a group that change rows: in its halves, if the
// group changes any.
func (s *study) split(group []platform.Number, rows []string) {
	if len(rows) == 0 {
		return
	}
	out := s.both(group, seeds[0], rows) // nothing after an error, which ends the study
	changed := slices.DeleteFunc(slices.Clone(rows), func(id string) bool {
		return !slices.ContainsFunc(out[:], func(o outcomes) bool { return s.changed(id, o) != change{} })
	})
	switch n := len(group); {
	case len(changed) == 0:
	case n == 1:
		s.add(group[0], changed, out)
	default:
		halves := [][]platform.Number{group[:n/2], group[n/2:]}
		together(len(halves), func(i int) { s.split(halves[i], changed) })
	}
}

// changed returns how a row differs from what it usually says; not, if it was not
// measured.
func (s *study) changed(id string, o outcomes) change {
	seen, measured := o[id]
	if !measured {
		return change{}
	}
	return s.usual[id].changed(seen)
}

// add keeps what one number changes, if it shows with another seed too.
func (s *study) add(n platform.Number, rows []string, first [2]outcomes) {
	again := s.both([]platform.Number{n}, seeds[1], rows)
	f := finding{Number: n}
	any := false
	for _, d := range directions {
		f.Rows[d] = map[string]change{}
		if first[d] == nil {
			continue
		}
		m := moved(n, d)
		f.Changed[d] = &m
		for _, id := range rows {
			if c := agreed(s.changed(id, first[d]), s.changed(id, again[d])); c != (change{}) {
				f.Rows[d][id] = c
				any = true
			}
		}
	}
	if any {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.findings = append(s.findings, f)
	}
}

// agreed returns what two changes have in common: the smaller one of a figure.
func agreed(a, b change) (c change) {
	if a.Pct*b.Pct > 0 {
		c.Pct = a.Pct
		if a.Pct*a.Pct > b.Pct*b.Pct {
			c.Pct = b.Pct
		}
	}
	c.Flips = a.Flips && b.Flips
	if b.Fails != "" {
		c.Fails = a.Fails
	}
	return c
}
