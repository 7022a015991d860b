package sweep

// Freed is what a run gains when resources are free.
type Freed struct {
	Cell            // with the resources free
	Saved  Estimate // of the run time with nothing free, in ns, over the seeds that both have
	Before float64  // that run time, over these
}

// share is the part of the run time that is saved.
func (f Freed) share() float64 { return f.Saved.Value / f.Before }

// Freed compares each combination that has free resources with that which has none.
func (s *Sweep) Freed() []Freed {
	type key struct {
		Where
		layer string
	}
	as := func(c *Cell) key {
		k := key{c.Where, c.Layer}
		k.Uncontended = ""
		return k
	}
	nothing := map[key]*Cell{}
	for i := range s.Cells {
		if c := &s.Cells[i]; c.Uncontended == "" {
			nothing[as(c)] = c
		}
	}
	var out []Freed
	for i := range s.Cells {
		c := &s.Cells[i]
		base := nothing[as(c)]
		if c.Uncontended == "" || base == nil || len(c.Runs) == 0 || len(base.Runs) == 0 {
			continue
		}
		saved, rest := base.longer(c)
		out = append(out, Freed{*c, saved, rest + saved.Value})
	}
	return out
}
