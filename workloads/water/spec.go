package water

import (
	"fmt"

	"github.com/sigview/sigview/svm"
)

// The original program's own size; its input has three steps.
const (
	DefaultMolecules = 512
	DefaultSteps     = 2
)

const (
	maxMolecules = 16384
	maxSteps     = 256
)

// Spec describes a simulation.
type Spec struct {
	Molecules int
	Steps     int // 0: DefaultSteps
	Nodes     int // at most Molecules
	Seed      uint64
	Homes     svm.Homes // of the molecules; blocks make each node home of its own
}

// Validate checks every field.
func (s *Spec) Validate() error {
	if s.Molecules < 2 || s.Molecules > maxMolecules {
		return fmt.Errorf("water: size = %d molecules, want 2 to %d", s.Molecules, maxMolecules)
	}
	if s.Steps < 0 || s.Steps > maxSteps {
		return fmt.Errorf("water: steps = %d, want 1 to %d", s.Steps, maxSteps)
	}
	if s.Nodes < 1 || s.Nodes > s.Molecules {
		return fmt.Errorf("water: nodes = %d, want 1 to %d: a molecule at least for each", s.Nodes, s.Molecules)
	}
	if s.Homes != svm.Blocks && s.Homes != svm.RoundRobin && s.Homes != svm.FirstTouch {
		return fmt.Errorf("water: homes = %v, want blocks, round-robin or first-touch", s.Homes)
	}
	return nil
}

// A molecule in shared memory: positions, velocities and forces of its atoms,
// padded to a power of two, so that none lies on two pages.
const (
	numberBytes   = 8
	recordBytes   = 256
	velocityAt    = vector * numberBytes
	forceAt       = 2 * vector * numberBytes
	vectorBytes   = vector * numberBytes
	energyBytes   = 2 * numberBytes // kinetic and potential, of one step
	atoms         = 3               // oxygen first
	vector        = 3 * atoms
	recordsOfPage = svm.PageSize / recordBytes
)

// shape is what follows from a Spec.
type shape struct {
	molecules, nodes, steps int
	side                    int // molecules along a side of the box at the start
	area                    int // bytes of one node's molecules: whole pages
}

func (s *Spec) shape() shape {
	h := shape{molecules: s.Molecules, nodes: s.Nodes, steps: s.Steps}
	if h.steps == 0 {
		h.steps = DefaultSteps
	}
	for h.side = 1; h.side*h.side*h.side < h.molecules; h.side++ {
		continue
	}
	share := (h.molecules + h.nodes - 1) / h.nodes
	h.area = (share + recordsOfPage - 1) / recordsOfPage * svm.PageSize
	return h
}

// share returns the molecules of a node: first up to but without end.
func (h *shape) share(node int) (first, end int) {
	return h.molecules * node / h.nodes, h.molecules * (node + 1) / h.nodes
}

// at returns the offset of a molecule.
func (h *shape) at(molecule int) svm.Addr {
	node := ((molecule+1)*h.nodes - 1) / h.molecules
	first, _ := h.share(node)
	return svm.Addr(node*h.area + (molecule-first)*recordBytes)
}

// partners returns how many of those that follow it a molecule is paired with:
// half of all, and of two that are opposite each other only the first.
func (h *shape) partners(molecule int) int {
	half := h.molecules / 2
	if h.molecules%2 == 0 && molecule >= half {
		return half - 1
	}
	return half
}

// reach returns how many molecules, from its first one on, a node has forces
// for.
func (h *shape) reach(node int) int {
	first, end := h.share(node)
	return min(end-first+h.molecules/2, h.molecules)
}
