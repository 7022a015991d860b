package water

import (
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
)

// The program uses one barrier, a lock for each molecule and one for the
// energies.
const idBarrier = 0

// worker is the program of one node.
type worker struct {
	*Water
	*svm.Thread
	first, end int
	x          []float64 // positions of the molecules that the node needs, of all
	f          []float64 // forces on them
	potential  float64   // of this step, the node's part
}

// Run is the program of a thread.
func (w *Water) Run(t *svm.Thread) {
	n := w.shape.molecules * vector
	p := &worker{Water: w, Thread: t, x: make([]float64, n), f: make([]float64, n)}
	p.first, p.end = w.shape.share(t.Node())
	p.Barrier(idBarrier)
	p.forces()
	for step := range w.shape.steps {
		p.Phase("move", p.advance)
		p.Barrier(idBarrier)
		p.forces()
		p.Phase("energies", func() { p.finish(step) })
		p.Barrier(idBarrier)
	}
}

// numbers returns nine numbers of a molecule in shared memory.
func (p *worker) numbers(molecule int, at svm.Addr, write bool) []float64 {
	a := p.molecules + p.shape.at(molecule) + at
	if write {
		return svm.View[float64](p.WritePiece(a, vectorBytes))
	}
	return svm.View[float64](p.ReadPiece(a, vectorBytes))
}

// advance moves the node's molecules and clears the forces on them.
func (p *worker) advance() {
	for m := p.first; m < p.end; m++ {
		f, v, x := p.numbers(m, forceAt, true), p.numbers(m, velocityAt, true), p.numbers(m, 0, true)
		p.whole(m, x, f)
		kick(v, p.f[:vector])
		drift(x, v)
		clear(f)
	}
	p.Compute(move(p.end - p.first))
}

// whole puts all forces on a molecule, those of its springs included, into the
// first of the node's sums. It returns the energy of the springs.
func (p *worker) whole(molecule int, x, f []float64) float64 {
	copy(p.f[:vector], f)
	return within(x, p.f[:vector])
}

// forces computes the forces between the node's molecules and those that
// follow each of them, adds them up, and then adds them to shared memory.
func (p *worker) forces() {
	p.Phase("forces", p.compute)
	p.Barrier(idBarrier)
	p.Phase("sums", p.collect)
	p.Barrier(idBarrier)
}

// compute adds up the forces on the node itself.
func (p *worker) compute() {
	p.potential = 0
	n, reach := p.shape.molecules, p.shape.reach(p.Node())
	for i := range reach {
		m := (p.first + i) % n
		copy(p.x[m*vector:], p.numbers(m, 0, false))
		if m < p.first || m >= p.end {
			p.Compute(fetched(1))
		}
	}
	clear(p.f)
	for m := p.first; m < p.end; m++ {
		p.pairs(m)
		p.done++
	}
}

// collect adds the node's sums to those in shared memory.
func (p *worker) collect() {
	n, reach := p.shape.molecules, p.shape.reach(p.Node())
	for i := range reach {
		m := (p.first + i) % n
		p.Lock(uint32(m))
		f := p.numbers(m, forceAt, true)
		for k, v := range p.f[m*vector : (m+1)*vector] {
			f[k] += v
		}
		p.Compute(add())
		p.Unlock(uint32(m))
		p.done++
	}
}

// pairs adds up the forces of a molecule and its partners.
func (p *worker) pairs(m int) {
	near, partners := 0, p.shape.partners(m)
	own := m * vector
	for k := 1; k <= partners; k++ {
		other := (m + k) % p.shape.molecules * vector
		energy, ok := between(p.x[own:own+vector], p.x[other:other+vector],
			p.f[own:own+vector], p.f[other:other+vector], p.box)
		p.potential += energy
		if ok {
			near++
		}
	}
	p.Compute(plus(look(partners), pull(near)))
}

func plus(a, b host.Work) host.Work {
	return host.Work{
		Flops: a.Flops + b.Flops, Ints: a.Ints + b.Ints, Loads: a.Loads + b.Loads, Stores: a.Stores + b.Stores,
		Cycles: a.Cycles + b.Cycles,
	}
}

// finish ends a step: it makes the second half of the change of velocities and
// adds up the energies.
func (p *worker) finish(step int) {
	motion := 0.0
	for m := p.first; m < p.end; m++ {
		v := p.numbers(m, velocityAt, true)
		p.potential += p.whole(m, p.numbers(m, 0, true), p.numbers(m, forceAt, true))
		kick(v, p.f[:vector])
		motion += kinetic(v)
	}
	p.Compute(plus(inside(p.end-p.first), move(p.end-p.first)))
	all := uint32(p.shape.molecules)
	p.Lock(all)
	e := svm.View[float64](p.WritePiece(p.energies+svm.Addr(step*energyBytes), energyBytes))
	e[0] += motion
	e[1] += p.potential
	p.Unlock(all)
}
