package water

import (
	"math"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// Water is a simulation: its place in shared memory, its input and its
// program.
type Water struct {
	spec  Spec
	shape shape
	box   float64 // side
	shared.Memory
	molecules svm.Addr
	energies  svm.Addr // of each step
	done      int64    // molecules whose forces are computed, and sums added
}

// Phases lists the phases of the program.
func Phases() []string { return []string{"forces", "sums", "move", "energies"} }

// Progress returns of how many molecules the forces have been computed and how many sums
// have been added, and of how many.
func (w *Water) Progress() (done, total int64) {
	for node := range w.shape.nodes {
		first, end := w.shape.share(node)
		total += int64(end - first + w.shape.reach(node))
	}
	return w.done, total * int64(w.shape.steps+1)
}

// New lays out a simulation in shared memory.
func New(spec Spec) (*Water, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	w := &Water{spec: spec, shape: spec.shape()}
	w.box = float64(w.shape.side) * spacing
	var err error
	w.Memory, err = shared.Lay(spec.Nodes,
		shared.Area{At: &w.molecules, Bytes: spec.Nodes * w.shape.area, Homes: spec.Homes},
		shared.Area{At: &w.energies, Bytes: w.shape.steps * energyBytes, Homes: svm.Blocks})
	return w, err
}

// Load puts the molecules into shared memory, as the parent of the program's
// processes leaves them.
func (w *Water) Load(s *svm.System) error {
	x, v := w.input()
	for m := range w.shape.molecules {
		at := w.molecules + w.shape.at(m)
		if err := s.Preload(at, shared.Bytes(x[m*vector:(m+1)*vector])); err != nil {
			return err
		}
		if err := s.Preload(at+velocityAt, shared.Bytes(v[m*vector:(m+1)*vector])); err != nil {
			return err
		}
	}
	return nil
}

// input returns positions and velocities of all atoms: molecules near the
// points of a cubic lattice, turned at random, at about room temperature.
func (w *Water) input() (x, v []float64) {
	stream := sim.NewStream(w.spec.Seed, "workloads/water/input")
	uniform := func(amplitude float64) float64 { return float64(amplitude * (2*float64(stream.Float64()) - 1)) }
	h := &w.shape
	x, v = make([]float64, h.molecules*vector), make([]float64, h.molecules*vector)
	for m := range h.molecules {
		cell := [3]int{m % h.side, m / h.side % h.side, m / h.side / h.side}
		p, q := directions(uniform)
		for k := range 3 {
			o := float64(float64(cell[k])*spacing) + uniform(0.1)
			x[m*vector+k] = o
			// Two hydrogens at a distance of 1, at the angle of the springs' lengths.
			x[m*vector+3+k] = o + float64(0.5773*p[k]) + float64(0.8165*q[k])
			x[m*vector+6+k] = o + float64(0.5773*p[k]) - float64(0.8165*q[k])
		}
		for i := range vector {
			v[m*vector+i] = uniform(1.3 / math.Sqrt(masses[i/3]))
		}
	}
	return x, v
}

// directions draws two unit vectors at a right angle.
func directions(uniform func(float64) float64) (p, q [3]float64) {
	draw := func() (d [3]float64) {
		for {
			square := 0.0
			for k := range 3 {
				d[k] = uniform(1)
				square += float64(d[k] * d[k])
			}
			if square > 0.1 && square < 1 {
				return scaled(d, 1/math.Sqrt(square))
			}
		}
	}
	p = draw()
	for {
		d := draw()
		along, square := 0.0, 0.0
		for k := range 3 {
			along += float64(d[k] * p[k])
		}
		for k := range 3 {
			q[k] = d[k] - float64(along*p[k])
			square += float64(q[k] * q[k])
		}
		if square > 0.1 {
			return p, scaled(q, 1/math.Sqrt(square))
		}
	}
}

func scaled(d [3]float64, f float64) [3]float64 {
	for k := range d {
		d[k] = float64(d[k] * f)
	}
	return d
}
