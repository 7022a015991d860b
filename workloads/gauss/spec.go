package gauss

import (
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim/host"
)

// DefaultOrder is the size that the published measurements used.
const DefaultOrder = 1024

const (
	elementBytes = 8
	pageElements = host.PageBytes / elementBytes
)

// Spec describes an elimination.
type Spec struct {
	Order int    `json:"size" range:"2..8192 rows"` // rows and columns of the matrix
	Nodes int    `json:"nodes" range:"2..size"`     // each has at least one row
	Seed  uint64 `json:"seed"`
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error { return bounds.Check("gauss", s) }
