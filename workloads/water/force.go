package water

import "math"

// Lengths are in Å, masses in atomic units, energies in kcal/mol, so that the
// unit of time is 48.9 fs. Charges and the Lennard-Jones force are those of the
// SPC model, the springs about those of its flexible variants.
const (
	spacing  = 3.1036 // of molecules at 1 g/cm³
	timeStep = 0.01   // half a femtosecond
	coulomb  = 332.0637
	ljA      = 629326.0 // 4εσ¹²
	ljB      = 625.5    // 4εσ⁶
)

var (
	masses  = [atoms]float64{15.9994, 1.008, 1.008}
	charges = [atoms]float64{-0.82, 0.41, 0.41}
	springs = [atoms]struct {
		a, b          int
		stiff, length float64
	}{{0, 1, 900, 1}, {0, 2, 900, 1}, {1, 2, 220, 1.633}}
)

// between adds the forces of two molecules at x and y on each other to fx and
// fy. It returns their energy and whether they are near enough for forces.
func between(x, y, fx, fy []float64, box float64) (energy float64, near bool) {
	var shift, d [3]float64
	distance := 0.0
	for k := range 3 {
		d[k] = x[k] - y[k]
		shift[k] = float64(box * math.Floor(d[k]/box+0.5))
		d[k] -= shift[k]
		distance += float64(d[k] * d[k])
	}
	if distance >= float64(box*box)/4 {
		return 0, false
	}
	for a := range atoms {
		for b := range atoms {
			square := 0.0
			for k := range 3 {
				d[k] = x[3*a+k] - y[3*b+k] - shift[k]
				square += float64(d[k] * d[k])
			}
			e := coulomb * charges[a] * charges[b] / math.Sqrt(square)
			f := e / square
			if a == 0 && b == 0 {
				sixth := 1 / float64(float64(square*square)*square)
				attract, repel := float64(ljB*sixth), float64(float64(ljA*sixth)*sixth)
				e += repel - attract
				f += (float64(12*repel) - float64(6*attract)) / square
			}
			energy += e
			for k := range 3 {
				p := float64(f * d[k])
				fx[3*a+k] += p
				fy[3*b+k] -= p
			}
		}
	}
	return energy, true
}

// within adds the forces of a molecule's springs to f and returns their energy.
func within(x, f []float64) (energy float64) {
	for _, s := range springs {
		var d [3]float64
		square := 0.0
		for k := range 3 {
			d[k] = x[3*s.a+k] - x[3*s.b+k]
			square += float64(d[k] * d[k])
		}
		length := math.Sqrt(square)
		stretch := length - s.length
		energy += float64(0.5 * s.stiff * float64(stretch*stretch))
		pull := float64(s.stiff*stretch) / length
		for k := range 3 {
			f[3*s.a+k] -= float64(pull * d[k])
			f[3*s.b+k] += float64(pull * d[k])
		}
	}
	return energy
}

// kick changes velocities by half a step of the forces f.
func kick(v, f []float64) {
	for i := range v {
		v[i] += float64(0.5 * timeStep / masses[i/3] * f[i])
	}
}

// drift changes positions by a step of the velocities v.
func drift(x, v []float64) {
	for i := range x {
		x[i] += float64(timeStep * v[i])
	}
}

func kinetic(v []float64) (energy float64) {
	for i, u := range v {
		energy += float64(0.5 * masses[i/3] * float64(u*u))
	}
	return energy
}
