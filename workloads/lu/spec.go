package lu

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/svm"
)

// The original program's own size and block.
const (
	DefaultOrder = 512
	DefaultBlock = 16
)

const (
	elementBytes = 8
	maxOrder     = 4096
	maxBlock     = 128
	maxNodes     = 1024
)

// Spec describes a factorization.
type Spec struct {
	Order int // of the matrix, a multiple of Block
	Block int // of its blocks; 0: DefaultBlock
	Nodes int // the columns of their grid are at most the columns of blocks
	Seed  uint64
	Homes svm.Homes // of the matrix; blocks make each node home of its own
}

// Validate checks every field.
func (s *Spec) Validate() error {
	b := s.Block
	if b == 0 {
		b = DefaultBlock
	}
	if b < 1 || b > maxBlock {
		return fmt.Errorf("lu: block = %d, want 1 to %d", s.Block, maxBlock)
	}
	if s.Order < b || s.Order > maxOrder || s.Order%b != 0 {
		return fmt.Errorf("lu: size = %d rows, want a multiple of the block's %d up to %d", s.Order, b, maxOrder)
	}
	if s.Nodes < 1 || s.Nodes > maxNodes {
		return fmt.Errorf("lu: nodes = %d, want 1 to %d", s.Nodes, maxNodes)
	}
	if rows, columns := grid(s.Nodes); columns > s.Order/b {
		return fmt.Errorf("lu: nodes = %d, a grid of %d by %d, want at most %d columns: size %d has so many blocks of %d in a row",
			s.Nodes, rows, columns, s.Order/b, s.Order, b)
	}
	if s.Homes != svm.Blocks && s.Homes != svm.RoundRobin && s.Homes != svm.FirstTouch {
		return fmt.Errorf("lu: homes = %v, want blocks, round-robin or first-touch", s.Homes)
	}
	return nil
}

// grid returns the most nearly square grid of exactly that many nodes, with
// no more rows than columns.
func grid(nodes int) (rows, columns int) {
	rows = int(math.Sqrt(float64(nodes)))
	for nodes%rows != 0 {
		rows--
	}
	return rows, nodes / rows
}

// shape is what follows from a Spec.
type shape struct {
	order, block  int
	blocks        int // in a row
	rows, columns int // of nodes
	across        int // most blocks in a row that one node owns
	area          int // bytes of one node's blocks: whole pages
}

func (s *Spec) shape() shape {
	h := shape{order: s.Order, block: s.Block}
	if h.block == 0 {
		h.block = DefaultBlock
	}
	h.blocks = h.order / h.block
	h.rows, h.columns = grid(s.Nodes)
	h.across = (h.blocks + h.columns - 1) / h.columns
	down := (h.blocks + h.rows - 1) / h.rows
	const page = svm.PageSize
	h.area = (down*h.across*h.blockBytes() + page - 1) / page * page
	return h
}

func (h *shape) blockBytes() int { return h.block * h.block * elementBytes }

// owner returns the node that a block belongs to.
func (h *shape) owner(i, j int) int { return i%h.rows*h.columns + j%h.columns }

// at returns the offset of a block: the blocks of a node follow one another by
// rows.
func (h *shape) at(i, j int) svm.Addr {
	k := i/h.rows*h.across + j/h.columns
	return svm.Addr(h.owner(i, j)*h.area + k*h.blockBytes())
}
