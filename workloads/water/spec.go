package water

import (
	"cmp"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// The original program's own size; its input has three steps.
const (
	DefaultMolecules = 512
	DefaultSteps     = 2
)

// Spec describes a simulation.
type Spec struct {
	Molecules int       `json:"size" range:"2..16384 molecules"`
	Steps     int       `json:"steps" range:"0..256"`  // 0: DefaultSteps
	Nodes     int       `json:"nodes" range:"1..size"` // each has at least one molecule
	Seed      uint64    `json:"seed"`
	Homes     svm.Homes `json:"homes"` // of the molecules; blocks make each node home of its own
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error { return bounds.Check("water", s) }

// A molecule in shared memory: positions, velocities and forces of its atoms,
// padded to a power of two, so that none lies on two pages.
const (
	numberBytes = 8
	recordBytes = 256
	velocityAt  = vector * numberBytes
	forceAt     = 2 * vector * numberBytes
	vectorBytes = vector * numberBytes
	energyBytes = 2 * numberBytes // kinetic and potential, of one step
	atoms       = 3               // oxygen first
	vector      = 3 * atoms
)

// shape is derived from a Spec.
type shape struct {
	molecules, nodes, steps int
	side                    int // molecules along a side of the box at the start
	area                    int // bytes of one node's molecules: whole pages
}

func (s *Spec) shape() shape {
	h := shape{molecules: s.Molecules, nodes: s.Nodes, steps: cmp.Or(s.Steps, DefaultSteps)}
	for h.side = 1; h.side*h.side*h.side < h.molecules; h.side++ {
		continue
	}
	h.area = shared.Pages((h.molecules + h.nodes - 1) / h.nodes * recordBytes)
	return h
}

// share returns the molecules of a node: from first up to end, which is excluded.
func (h *shape) share(node int) (first, end int) {
	return shared.Part(h.molecules, h.nodes, node)
}

// at returns the offset of a molecule.
func (h *shape) at(molecule int) svm.Addr {
	node := shared.Owner(h.molecules, h.nodes, molecule)
	first, _ := h.share(node)
	return svm.Addr(node*h.area + (molecule-first)*recordBytes)
}

// partners returns the number of following molecules that a molecule is paired
// with: half of all. Of two that are opposite each other only the first counts
// the other.
func (h *shape) partners(molecule int) int {
	half := h.molecules / 2
	if h.molecules%2 == 0 && molecule >= half {
		return half - 1
	}
	return half
}

// reach returns the number of molecules, from its first one on, for which a node
// computes forces.
func (h *shape) reach(node int) int {
	first, end := h.share(node)
	return min(end-first+h.molecules/2, h.molecules)
}
