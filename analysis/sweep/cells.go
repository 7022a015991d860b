package sweep

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/internal/student"
	"github.com/sigview/sigview/trace"
)

// Sweep is a sweep with the means of its combinations.
type Sweep struct {
	trace.SweepManifest
	Cells []Cell // by program, platform, uncontended resources, nodes, size, and layer
}

// Where is a combination without its layer.
type Where struct {
	Workload, Platform, Uncontended string
	Nodes                           int64
	Size                            Size
}

// Size is the size of a problem, or of a pattern's messages in bytes.
type Size struct {
	N     int64 // 0: the program has none
	Bytes bool  // of messages
}

// String returns the size, with " B" for messages, or a dash if there is none.
func (s Size) String() string {
	switch {
	case s.N == 0:
		return analysis.None
	case s.Bytes:
		return analysis.Digits(s.N) + " B"
	}
	return analysis.Digits(s.N)
}

// Cell is one combination with its runs, one for each seed.
type Cell struct {
	Where
	Layer string
	Runs  []trace.SweepRun // with figures, in the order of their seeds
	// RunTime is in ns; Failed counts runs that failed or had a wrong result. They do not
	// count in means.
	RunTime Estimate
	Failed  int
}

// Estimate is the mean of N runs with its 95 % interval. With one run the interval is unknown.
type Estimate struct {
	Value  float64
	Lo, Hi trace.Opt[float64]
	N      int
}

// Shown reports whether the whole interval lies above 0 or below it.
func (e Estimate) Shown() bool { return e.Lo.OK && e.Lo.Value*e.Hi.Value > 0 }

// over returns the mean of values with Student's interval.
func over(values []float64) Estimate {
	mean, half := student.Mean(values)
	e := Estimate{Value: mean, N: len(values)}
	if len(values) > 1 {
		e.Lo, e.Hi = trace.Some(mean-half), trace.Some(mean+half)
	}
	return e
}

// Of groups the runs of a sweep into cells, sorted as Sweep.Cells says.
func Of(m trace.SweepManifest, runs []trace.SweepRun) Sweep {
	type key struct {
		Where
		layer string
	}
	of := map[key]*Cell{}
	for _, r := range runs {
		w := Where{r.Workload, r.Platform, r.Uncontended, r.Nodes, Size{r.Size.Value, false}}
		if r.MessageBytes.OK {
			w.Size = Size{r.MessageBytes.Value, true}
		}
		k := key{w, r.Layer}
		if of[k] == nil {
			of[k] = &Cell{Where: w, Layer: r.Layer}
		}
		if r.State == trace.RunFinished {
			of[k].Runs = append(of[k].Runs, r)
		} else {
			of[k].Failed++
		}
	}
	s := Sweep{SweepManifest: m}
	for _, c := range of {
		c.RunTime = over(c.each(func(r trace.SweepRun) float64 { return float64(r.RunTimeNs.Value) }))
		s.Cells = append(s.Cells, *c)
	}
	slices.SortFunc(s.Cells, func(a, b Cell) int {
		return cmp.Or(a.Where.compare(b.Where), strings.Compare(a.Layer, b.Layer))
	})
	return s
}

// compare orders combinations by program, platform, free resources, nodes and size.
func (w Where) compare(v Where) int {
	return cmp.Or(strings.Compare(w.Workload, v.Workload), strings.Compare(w.Platform, v.Platform), strings.Compare(w.Uncontended, v.Uncontended),
		cmp.Compare(w.Nodes, v.Nodes), cmp.Compare(w.Size.N, v.Size.N))
}

// String returns the program, the platform and the free resources in words.
func (w Where) String() string {
	text := fmt.Sprintf("%s on %s", w.Workload, w.Platform)
	if w.Uncontended != "" {
		text += ", " + w.Uncontended + " free"
	}
	return text
}

// each returns of(r) for each run r of the cell.
func (c *Cell) each(of func(trace.SweepRun) float64) []float64 {
	out := make([]float64, len(c.Runs))
	for i, r := range c.Runs {
		out[i] = of(r)
	}
	return out
}

// Stage returns the mean latency of a stage over those runs that have it, in ns. ok is false if none has.
func (c *Cell) Stage(s trace.Stage) (e Estimate, ok bool) {
	var values []float64
	for i := range c.Runs {
		if v := c.Runs[i].Stage(s).MeanNs; v.OK {
			values = append(values, v.Value)
		}
	}
	if len(values) == 0 {
		return e, false
	}
	return over(values), true
}

// longer returns by how much the runs of c take longer than those of than with the same seed, in ns. of is the
// mean run time of than over these seeds. Without a common seed by.N is 0.
func (c *Cell) longer(than *Cell) (by Estimate, of float64) {
	var differences, base []float64
	for _, r := range c.Runs {
		i := slices.IndexFunc(than.Runs, func(o trace.SweepRun) bool { return o.Seed == r.Seed })
		if i >= 0 {
			o := float64(than.Runs[i].RunTimeNs.Value)
			differences, base = append(differences, float64(r.RunTimeNs.Value)-o), append(base, o)
		}
	}
	return over(differences), over(base).Value
}

// alike splits cells into groups of neighbours with the same key.
func alike[K comparable](cells []Cell, key func(Cell) K) [][]Cell {
	var out [][]Cell
	for i := 0; i < len(cells); {
		j := i + 1
		for j < len(cells) && key(cells[j]) == key(cells[i]) {
			j++
		}
		out, i = append(out, cells[i:j]), j
	}
	return out
}

// Platforms returns the cells in groups of one program on one platform.
func (s *Sweep) Platforms() [][]Cell {
	return alike(s.Cells, func(c Cell) Where { return Where{Workload: c.Workload, Platform: c.Platform} })
}

// Group returns w without nodes and size.
func (w Where) Group() Where {
	return Where{Workload: w.Workload, Platform: w.Platform, Uncontended: w.Uncontended}
}
