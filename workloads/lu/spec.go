package lu

import (
	"cmp"
	"math"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// The original program's own size and block.
const (
	DefaultOrder = 512
	DefaultBlock = 16
)

const elementBytes = 8

// Spec describes a factorization.
type Spec struct {
	Order int       `json:"size" range:"1..4096 rows"` // of the matrix, a multiple of Block
	Block int       `json:"block" range:"0..128"`      // of its blocks; 0: DefaultBlock
	Nodes int       `json:"nodes" range:"1..1024"`     // the columns of their grid are at most the columns of blocks
	Seed  uint64    `json:"seed"`
	Homes svm.Homes `json:"homes"` // of the matrix; blocks make each node home of its own
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error {
	if err := bounds.Check("lu", s); err != nil {
		return err
	}
	b := cmp.Or(s.Block, DefaultBlock)
	if s.Order%b != 0 {
		return bounds.Wrong("lu.size", s.Order, "a multiple of the block's %d", b)
	}
	if rows, columns := grid(s.Nodes); columns > s.Order/b {
		return bounds.Wrong("lu.nodes", s.Nodes, "a grid of at most %d columns, the blocks of %d in a row; it has %d by %d", s.Order/b, b, rows, columns)
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

// shape is derived from a Spec.
type shape struct {
	order, block  int
	blocks        int // in a row
	rows, columns int // of nodes
	across        int // most blocks in a row that one node owns
	area          int // bytes of one node's blocks: whole pages
}

func (s *Spec) shape() shape {
	h := shape{order: s.Order, block: cmp.Or(s.Block, DefaultBlock)}
	h.blocks = h.order / h.block
	h.rows, h.columns = grid(s.Nodes)
	h.across = (h.blocks + h.columns - 1) / h.columns
	down := (h.blocks + h.rows - 1) / h.rows
	h.area = shared.Pages(down * h.across * h.blockBytes())
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
