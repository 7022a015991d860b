package water

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// tolerance bounds the differences of a verified result from that of one
// node, in Å, Å per unit of time, and parts of the energy. Sums are rounded in
// the order in which nodes get the locks.
const tolerance = 1e-9

// State is the result of a simulation.
type State struct {
	Positions  []float64 // three of each atom, three atoms of each molecule
	Velocities []float64
	Energies   []float64 // kinetic and potential, of each step
}

// Result returns the state in shared memory.
func (w *Water) Result(s *svm.System) (State, error) {
	n := w.shape.molecules * vector
	out := State{make([]float64, n), make([]float64, n), make([]float64, 2*w.shape.steps)}
	for m := range w.shape.molecules {
		at := w.molecules + w.shape.at(m)
		if err := s.Snapshot(at, shared.Bytes(out.Positions[m*vector:(m+1)*vector])); err != nil {
			return out, err
		}
		if err := s.Snapshot(at+velocityAt, shared.Bytes(out.Velocities[m*vector:(m+1)*vector])); err != nil {
			return out, err
		}
	}
	return out, s.Snapshot(w.energies, shared.Bytes(out.Energies))
}

// Verify simulates the same molecules sequentially by other code and compares
// the results. The error is not nil when a difference exceeds Tolerance, or when
// momentum is not conserved.
func (w *Water) Verify(s *svm.System) (how string, wrong error) {
	worst, wrong := w.deviation(s)
	return fmt.Sprintf("off by %s from a simulation in one piece, at most %g allowed", bounds.Below(worst, tolerance/1000), tolerance), wrong
}

// deviation returns the largest difference of the results.
func (w *Water) deviation(s *svm.System) (float64, error) {
	got, err := w.Result(s)
	if err != nil {
		return math.Inf(1), err
	}
	want := w.sequential()
	worst, what := 0.0, ""
	compare := func(name string, got, want []float64, scale float64) {
		for i := range want {
			if e := math.Abs(got[i]-want[i]) / scale; e > worst || math.IsNaN(e) {
				worst, what = e, fmt.Sprintf("%s %d is %v, want %v", name, i, got[i], want[i])
			}
		}
	}
	compare("position", got.Positions, want.Positions, 1)
	compare("velocity", got.Velocities, want.Velocities, 1)
	scale := 1.0
	for _, e := range want.Energies {
		scale = max(scale, math.Abs(e))
	}
	compare("energy", got.Energies, want.Energies, scale)
	if !(worst <= tolerance) {
		return worst, fmt.Errorf("water: %s: off by %.3g, want at most %g", what, worst, tolerance)
	}
	_, start := w.input()
	for k := range 3 {
		before, after, size := 0.0, 0.0, 0.0
		for i := k; i < len(start); i += 3 {
			mass := masses[i%vector/3]
			before += float64(mass * start[i])
			after += float64(mass * got.Velocities[i])
			size += float64(mass * math.Abs(start[i]))
		}
		if !(math.Abs(after-before) <= tolerance*size) {
			return worst, fmt.Errorf("water: momentum along axis %d is %v, want %v as at the start", k, after, before)
		}
	}
	return worst, nil
}

// sequential adds up the forces of all atoms of all other molecules on each atom,
// one at a time.
func (w *Water) sequential() State {
	x, v := w.input()
	out := State{Positions: x, Velocities: v}
	f, _ := w.fieldOf(x)
	for range w.shape.steps {
		for i := range x {
			v[i] += timeStep / 2 * f[i] / masses[i%vector/3]
			x[i] += float64(timeStep * v[i])
		}
		var potential float64
		f, potential = w.fieldOf(x)
		motion := 0.0
		for i := range x {
			v[i] += timeStep / 2 * f[i] / masses[i%vector/3]
			motion += float64(masses[i%vector/3] * v[i] * v[i] / 2)
		}
		out.Energies = append(out.Energies, motion, potential)
	}
	return out
}

// fieldOf returns the forces on all atoms at x, and the energy.
func (w *Water) fieldOf(x []float64) (f []float64, energy float64) {
	f = make([]float64, len(x))
	for i := 0; i < len(x); i += 3 {
		mine := i / vector
		for j := 0; j < len(x); j += 3 {
			other := j / vector
			dx, dy, dz := x[i]-x[j], x[i+1]-x[j+1], x[i+2]-x[j+2]
			if mine == other {
				if i != j {
					e, p := springForce(i%vector/3, j%vector/3, math.Sqrt(square(dx, dy, dz)))
					energy += float64(e / 2)
					f[i], f[i+1], f[i+2] = f[i]+float64(p*dx), f[i+1]+float64(p*dy), f[i+2]+float64(p*dz)
				}
				continue
			}
			sx, sy, sz, near := w.image(x[mine*vector:], x[other*vector:])
			if !near {
				j = other*vector + vector - 3
				continue
			}
			dx, dy, dz = dx-sx, dy-sy, dz-sz
			e, p := pairForce(i%vector/3, j%vector/3, math.Sqrt(square(dx, dy, dz)))
			energy += float64(e / 2)
			f[i], f[i+1], f[i+2] = f[i]+float64(p*dx), f[i+1]+float64(p*dy), f[i+2]+float64(p*dz)
		}
	}
	return f, energy
}

// image returns the shift of the nearest image of a molecule at y from one at
// x, and whether it is within half the box.
func (w *Water) image(x, y []float64) (sx, sy, sz float64, near bool) {
	dx, dy, dz := x[0]-y[0], x[1]-y[1], x[2]-y[2]
	sx, sy, sz = float64(w.box*math.Floor(dx/w.box+0.5)), float64(w.box*math.Floor(dy/w.box+0.5)), float64(w.box*math.Floor(dz/w.box+0.5))
	dx, dy, dz = dx-sx, dy-sy, dz-sz
	return sx, sy, sz, square(dx, dy, dz) < w.box*w.box/4
}

func square(dx, dy, dz float64) float64 { return float64(dx*dx) + float64(dy*dy) + float64(dz*dz) }

// springForce returns the energy of two atoms of a molecule at distance r, and
// the force over r that drives them apart.
func springForce(a, b int, r float64) (energy, force float64) {
	for _, s := range springs {
		if s.a == a && s.b == b || s.a == b && s.b == a {
			return s.stiff * (r - s.length) * (r - s.length) / 2, -s.stiff * (r - s.length) / r
		}
	}
	panic(fmt.Sprintf("water: no spring between atoms %d and %d", a, b))
}

// pairForce returns the energy of atoms of two molecules at distance r, and
// the force over r that drives them apart.
func pairForce(a, b int, r float64) (energy, force float64) {
	energy = coulomb * charges[a] * charges[b] / r
	force = energy / (r * r)
	if a == 0 && b == 0 {
		energy += float64(ljA*portable.Pow(r, -12)) - float64(ljB*portable.Pow(r, -6))
		force += float64(12*ljA*portable.Pow(r, -14)) - float64(6*ljB*portable.Pow(r, -8))
	}
	return energy, force
}
