package sweep

// Freed is what a combination saves when resources are free.
type Freed struct {
	Cell            // with the resources free
	Saved  Estimate // of the run time with nothing free, in ns, over the seeds that both have
	Before float64  // that run time, over these
}

// share returns the saved part of the run time, below 0 if the run takes longer.
func (f Freed) share() float64 { return f.Saved.Value / f.Before }

// Freed compares each combination with free resources with the same combination with none.
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
