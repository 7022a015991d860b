package ocean

import (
	"cmp"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// Ocean is a solution: its place in shared memory, its input and its program.
type Ocean struct {
	spec  Spec
	shape shape
	omega float64 // over-relaxation
	known solution
	shared.Memory
	psi      svm.Addr // the unknown
	source   svm.Addr // the right side, times the square of the grid's spacing
	residual svm.Addr // the largest of a sweep, of three sweeps in turns
}

// Phases lists the phases of each sweep of the program.
func Phases() []string { return []string{"red", "black", "residual"} }

// Progress returns zeros: how many sweeps a solution takes is not known before.
func (o *Ocean) Progress() (done, total int64) { return 0, 0 }

// New lays out a solution in shared memory.
func New(spec Spec) (*Ocean, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	o := &Ocean{spec: spec, shape: spec.shape()}
	// The best factor is 2/(1+sin(π/(n+1))), to the first order.
	o.omega = 2 / (1 + pi/float64(spec.Points+1))
	o.known = newSolution(spec)
	var err error
	grid := spec.Nodes * o.shape.area
	o.Memory, err = shared.Lay(spec.Nodes,
		shared.Area{At: &o.psi, Bytes: grid, Homes: spec.Homes},
		shared.Area{At: &o.source, Bytes: grid, Homes: spec.Homes},
		shared.Area{At: &o.residual, Bytes: svm.PageSize, Homes: svm.Blocks})
	return o, err
}

const pi = 3.14159265358979323846264338327950288

// Load puts the border, a zero inside and the right side into shared memory,
// as the parent of the program's processes leaves them.
func (o *Ocean) Load(s *svm.System) error {
	n := o.shape.width
	return cmp.Or(
		shared.Fill(s, n, n, o.rowsOf(o.psi), o.start),
		shared.Fill(s, n, n, o.rowsOf(o.source), o.forcing))
}

// rowsOf returns where the rows of a matrix lie.
func (o *Ocean) rowsOf(matrix svm.Addr) func(row int) svm.Addr {
	return func(row int) svm.Addr { return matrix + o.shape.at(row) }
}

// border reports whether a point is on the border, whose numbers are given.
func (o *Ocean) border(r, c int) bool {
	return r == 0 || c == 0 || r == o.shape.width-1 || c == o.shape.width-1
}

func (o *Ocean) start(r, c int) float64 {
	if o.border(r, c) {
		return o.known.at(r, c)
	}
	return 0
}

// forcing is the right side that makes the known numbers the solution.
func (o *Ocean) forcing(r, c int) float64 {
	if o.border(r, c) {
		return 0
	}
	k := &o.known
	return k.at(r-1, c) + k.at(r+1, c) + k.at(r, c-1) + k.at(r, c+1) - float64(4*k.at(r, c))
}

// solution is a polynomial in two variables from 0 to 1, cubic in each, with
// random coefficients.
type solution struct {
	spacing float64
	factor  [4][4]float64
}

func newSolution(spec Spec) solution {
	stream := sim.NewStream(spec.Seed, "workloads/ocean/solution")
	s := solution{spacing: 1 / float64(spec.Points+1)}
	for i := range s.factor {
		for j := range s.factor[i] {
			s.factor[i][j] = 2*float64(stream.Float64()) - 1
		}
	}
	return s
}

func (s *solution) at(r, c int) float64 {
	x, y := float64(r)*s.spacing, float64(c)*s.spacing
	v := 0.0
	for i := 3; i >= 0; i-- {
		f := &s.factor[i]
		line := float64((float64((float64(f[3]*y)+f[2])*y)+f[1])*y) + f[0]
		v = float64(v*x) + line
	}
	return v
}
