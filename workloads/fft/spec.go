package fft

import (
	"fmt"
	"math/bits"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/svm"
)

// DefaultPoints is the size that the published measurements used.
const DefaultPoints = 1 << 18

const (
	minPoints    = 4
	maxPoints    = 1 << 28
	elementBytes = 16 // a complex number of two float64
)

// Spec describes a transform.
type Spec struct {
	Points int       `json:"size"`  // 2^m with m even
	Nodes  int       `json:"nodes"` // a power of two that divides √Points
	Seed   uint64    `json:"seed"`
	Homes  svm.Homes `json:"homes"` // of the data; blocks make each node home of its own rows
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error {
	m := bits.Len(uint(max(s.Points, 1))) - 1
	if s.Points < minPoints || s.Points > maxPoints || s.Points != 1<<m || m%2 != 0 {
		return bounds.Wrong("fft.size", s.Points, "2^m points with m even, from %d to %d (nearest: %s)", minPoints, maxPoints, nearest(s.Points))
	}
	if root := 1 << (m / 2); s.Nodes < 1 || s.Nodes > root || s.Nodes&(s.Nodes-1) != 0 {
		return bounds.Wrong("fft.nodes", s.Nodes, "a power of two that divides √size = %d, the number of rows", root)
	}
	return bounds.Check("fft", s)
}

// nearest names the valid sizes around n.
func nearest(n int) string {
	low := minPoints
	for low*4 <= n && low < maxPoints {
		low *= 4
	}
	if low == maxPoints || n < low {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d or %d", low, 4*low)
}

// shape is the matrix that a Spec makes: root rows of root elements, each row
// padded to stride elements, so that the rows of a node fill whole pages.
type shape struct {
	root   int // √Points
	rows   int // of one node
	stride int // elements from one row to the next
	levels int // log2 root
}

func (s *Spec) shape() shape {
	m := bits.Len(uint(s.Points)) - 1
	h := shape{root: 1 << (m / 2), levels: m / 2}
	h.rows = h.root / s.Nodes
	const page = svm.PageSize / elementBytes
	pad := 0
	if band := h.rows * h.root; band >= page {
		// At least one element per row, then up to whole pages per band.
		pages := (h.rows + page - 1) / page
		pad = pages * page / h.rows
	} else {
		pad = (page - band) / h.rows
	}
	h.stride = h.root + pad
	return h
}

// bandBytes returns the bytes of one node's rows, padding included: whole pages.
func (h *shape) bandBytes() int { return h.rows * h.stride * elementBytes }

// at returns the offset in bytes of an element.
func (h *shape) at(row, column int) svm.Addr {
	return svm.Addr(row*h.stride+column) * elementBytes
}
