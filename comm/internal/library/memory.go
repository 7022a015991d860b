package library

import (
	"math/bits"
	"slices"

	"github.com/sigview/sigview/sim/host"
)

// Memory holds free memory of any size for messages. It allocates more if no free
// piece is long enough. The zero value is empty.
type Memory struct{ spare []Piece }

// Piece is memory from a Memory. The zero value is none.
type Piece struct {
	At    host.Addr
	bytes int
}

// Get returns at least n bytes of a space.
func (m *Memory) Get(s *host.Space, n int) Piece {
	for i, x := range m.spare {
		if x.bytes >= n {
			m.spare = slices.Delete(m.spare, i, i+1)
			return x
		}
	}
	size := max(host.PageBytes, 1<<bits.Len(uint(max(n, 1)-1)))
	return Piece{s.Alloc(int64(size)), size}
}

// Put frees a piece.
func (m *Memory) Put(x Piece) {
	if x.bytes > 0 {
		m.spare = append(m.spare, x)
	}
}
