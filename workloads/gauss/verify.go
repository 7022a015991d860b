package gauss

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/sigview/sigview/sim"
)

// Tolerance bounds the scaled residual of a verified result: the largest
// element of Ax−b over (‖A‖·‖x‖+‖b‖)·n·ε, all in the maximum norm. Linpack has
// the same bound.
const Tolerance = 16

// Check is how good a result is.
type Check struct {
	Residual float64 // scaled
	Other    float64 // the same of an independent solution
}

// Verify solves a system of equations with the factors that the nodes hold,
// and substitutes the solution into the input's equations with gonum. The error
// is not nil when the scaled residual exceeds Tolerance.
func (g *Gauss) Verify() (Check, error) {
	n := g.spec.Order
	a := mat.NewDense(n, n, nil)
	input := g.input()
	for i := range n {
		for j := range n {
			a.Set(i, j, input.next())
		}
	}
	b := mat.NewVecDense(n, nil)
	right := sim.NewStream(g.spec.Seed, "workloads/gauss/right")
	for i := range n {
		b.SetVec(i, 2*float64(right.Float64())-1)
	}
	for node, w := range g.workers {
		if w == nil {
			return Check{}, fmt.Errorf("gauss: node %d has not run", node)
		}
		if !slices.Equal(w.columns, g.workers[0].columns) {
			return Check{}, fmt.Errorf("gauss: nodes 0 and %d have exchanged different columns", node)
		}
	}
	x := g.solve(b)
	var lu mat.LU
	lu.Factorize(a)
	other := mat.NewVecDense(n, nil)
	// A warning about the condition is no failure: it affects both solutions.
	_ = lu.SolveVecTo(other, false, b)
	c := Check{Residual: residual(a, x, b), Other: residual(a, other, b)}
	if !(c.Residual <= Tolerance) {
		return c, fmt.Errorf("gauss: scaled residual %.3g, want at most %d (an independent solution has %.3g)", c.Residual, Tolerance, c.Other)
	}
	return c, nil
}

// solve computes x with A·x = b from the factors of A, whose columns have
// been exchanged.
func (g *Gauss) solve(b *mat.VecDense) *mat.VecDense {
	n := g.spec.Order
	at := func(i int) *row { return &g.workers[g.owner(i)].rows[i/g.spec.Nodes] }
	y := make([]float64, n)
	for i := range n {
		r := at(i)
		sum := b.AtVec(i)
		for j := range i {
			sum -= float64(r.get(j) * y[j])
		}
		y[i] = sum
	}
	x := mat.NewVecDense(n, nil)
	for i := n - 1; i >= 0; i-- {
		r := at(i)
		sum := y[i]
		for j := i + 1; j < n; j++ {
			sum -= float64(r.get(j) * y[j])
		}
		y[i] = sum / r.get(i)
		x.SetVec(g.workers[0].columns[i], y[i])
	}
	return x
}

// residual returns the scaled residual of A·x = b.
func residual(a *mat.Dense, x, b *mat.VecDense) float64 {
	n, _ := a.Dims()
	r := mat.NewVecDense(n, nil)
	r.MulVec(a, x)
	r.SubVec(r, b)
	norm := float64(mat.Norm(a, math.Inf(1))*mat.Norm(x, math.Inf(1))) + mat.Norm(b, math.Inf(1))
	worst := mat.Norm(r, math.Inf(1))
	if math.IsNaN(worst) || math.IsNaN(norm) {
		return math.Inf(1)
	}
	return worst / (norm * float64(n) * 0x1p-52)
}
