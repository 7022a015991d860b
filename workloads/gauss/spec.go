package gauss

import "fmt"

// DefaultOrder is the size that the published measurements used.
const DefaultOrder = 1024

// Limits of the order of a matrix.
const (
	minOrder = 2
	maxOrder = 8192
)

// Spec describes an elimination.
type Spec struct {
	Order int // rows and columns of the matrix
	Nodes int // at most one per row
	Seed  uint64
}

// Validate checks order and node count.
func (s *Spec) Validate() error {
	if s.Order < minOrder || s.Order > maxOrder {
		return fmt.Errorf("gauss: size = %d rows, want %d to %d", s.Order, minOrder, maxOrder)
	}
	if s.Nodes < 2 || s.Nodes > s.Order {
		return fmt.Errorf("gauss: nodes = %d, want 2 to size = %d, one row each at least", s.Nodes, s.Order)
	}
	return nil
}
