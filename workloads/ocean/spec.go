package ocean

import (
	"cmp"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// DefaultPoints makes the original program's own grid of 258 × 258, its border
// included.
const DefaultPoints = 256

// tolerance is the largest residual of a solution: the change of a point by one
// more plain relaxation. The solution's numbers are about 1.
const tolerance = 1e-6

const (
	elementBytes = 8
	// sweepsPerRow bounds the number of sweeps, which grows with the rows: about
	// twice the number that reaches the tolerance.
	sweepsPerRow = 6
	leastSweeps  = 40
)

// Spec describes a solution.
type Spec struct {
	Points int       `json:"size" range:"2..4096 points in each direction"` // without the border
	Nodes  int       `json:"nodes" range:"1..size"`                         // each has at least one row
	Sweeps int       `json:"sweeps" range:"0.."`                            // largest number of sweeps; 0: until it converges
	Seed   uint64    `json:"seed"`
	Homes  svm.Homes `json:"homes"` // of the grid; blocks make each node home of its band
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error { return bounds.Check("ocean", s) }

// sweeps returns the largest number of sweeps.
func (s *Spec) sweeps() int {
	return cmp.Or(s.Sweeps, leastSweeps+sweepsPerRow*s.Points)
}

// shape is derived from a Spec. Rows and columns are numbered from 0 to points+1;
// both of these are the border.
type shape struct {
	points, nodes int
	width         int // columns, the border included
	area          int // bytes of one node's band: whole pages
}

func (s *Spec) shape() shape {
	h := shape{points: s.Points, nodes: s.Nodes, width: s.Points + 2}
	rows := (s.Points+s.Nodes-1)/s.Nodes + 2 // the border's, where it is the node's
	h.area = shared.Pages(rows * h.rowBytes())
	return h
}

func (h *shape) rowBytes() int { return h.width * elementBytes }

// band returns the rows that a node relaxes: from first up to end, which is excluded.
func (h *shape) band(node int) (first, end int) {
	first, end = shared.Part(h.points, h.nodes, node)
	return 1 + first, 1 + end
}

// node returns the owner of a row. The border belongs to the band beside it.
func (h *shape) node(row int) int {
	return shared.Owner(h.points, h.nodes, min(max(row, 1), h.points)-1)
}

// at returns the offset of a row.
func (h *shape) at(row int) svm.Addr {
	node := h.node(row)
	first, _ := h.band(node)
	return svm.Addr(node*h.area + (row-first+1)*h.rowBytes())
}
