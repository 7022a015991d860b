package main

import (
	"context"
	"slices"
	"sync"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/papers/judge"
)

// seeds of the unchanged profiles. Changed ones are measured with the first, and a
// single number whose change flips a row with the second too.
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
	ids := s.learn(rows)
	if s.err != nil {
		return s, s.err
	}
	ids = s.touched(numbers, ids)
	for _, table := range grouped(numbers, topTable) {
		s.screen(table, ids)
	}
	slices.SortFunc(s.findings, func(a, b finding) int {
		return slices.Index(numbers, a.Number) - slices.Index(numbers, b.Number)
	})
	return s, s.err
}

// learn measures rows on the unchanged profiles and returns the ids of those that are
// studied: headline figures, and what is met.
func (s *study) learn(rows []judge.Row) []string {
	rows = slices.Clone(rows)
	over := make([]outcomes, len(seeds))
	over[0] = s.get(nil, seeds[0], ids(rows))
	rows = slices.DeleteFunc(rows, func(row judge.Row) bool {
		o := over[0][row.ID]
		return !o.Met && o.Err == "" && !slices.Contains(headline, row.ID)
	})
	together(len(seeds)-1, func(i int) { over[i+1] = s.get(nil, seeds[i+1], ids(rows)) })
	for _, row := range rows {
		if s.err == nil {
			s.usual[row.ID], s.err = summarize(row, over)
		}
	}
	return ids(rows)
}

// ids returns the ids of rows.
func ids(rows []judge.Row) (out []string) {
	for _, row := range rows {
		out = append(out, row.ID)
	}
	return out
}

// screen looks for the numbers of a top table that change rows: in its sections, and
// in each of them among the rows that the table touches.
func (s *study) screen(numbers []platform.Number, rows []string) {
	sections := grouped(numbers, section)
	if len(sections) > 1 {
		rows = s.touched(numbers, rows)
	}
	together(len(sections), func(i int) { s.split(sections[i], rows) })
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

// split looks for the numbers of a group that change rows: in its parts, if the
// group changes any.
func (s *study) split(group []platform.Number, rows []string) {
	if len(rows) == 0 {
		return
	}
	out := s.both(group, seeds[0], rows) // nothing after an error, which ends the study
	changed := slices.DeleteFunc(slices.Clone(rows), func(id string) bool {
		return !slices.ContainsFunc(out[:], func(o outcomes) bool { return s.changed(id, o) != change{} })
	})
	switch {
	case len(changed) == 0:
	case len(group) == 1:
		s.add(group[0], changed, out)
	default:
		parts := parts(group)
		together(len(parts), func(i int) { s.split(parts[i], changed) })
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

// add keeps what one number changes. Rows that flip or fail have to do so with another
// seed too.
func (s *study) add(n platform.Number, rows []string, first [2]outcomes) {
	doubtful := slices.DeleteFunc(slices.Clone(rows), func(id string) bool {
		return !slices.ContainsFunc(first[:], func(o outcomes) bool { c := s.changed(id, o); return c.Flips || c.Fails != "" })
	})
	var again [2]outcomes
	if len(doubtful) > 0 {
		again = s.both([]platform.Number{n}, seeds[1], doubtful)
	}
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
			if c := confirmed(s.changed(id, first[d]), s.changed(id, again[d])); c != (change{}) {
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

// confirmed returns a change, as far as it flips or fails only if another seed's does.
func confirmed(c, other change) change {
	c.Flips = c.Flips && other.Flips
	if other.Fails == "" {
		c.Fails = ""
	}
	return c
}
