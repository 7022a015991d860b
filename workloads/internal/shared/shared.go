// Package shared holds what programs of shared memory have in common: their
// areas, copies between shared and private memory, and the division of work.
package shared

import (
	"iter"
	"unsafe"

	"github.com/sigview/sigview/svm"
)

// Memory is the shared address space of a program.
type Memory struct{ layout *svm.Layout }

// Layout returns the address space.
func (m Memory) Layout() *svm.Layout { return m.layout }

// Area is a part of the address space. Lay sets its address.
type Area struct {
	At    *svm.Addr
	Bytes int
	Homes svm.Homes
}

// Lay makes the address space of a program on so many nodes.
func Lay(nodes int, areas ...Area) (Memory, error) {
	layout, err := svm.NewLayout(nodes)
	if err != nil {
		return Memory{}, err
	}
	for _, a := range areas {
		if *a.At, err = layout.Alloc(a.Bytes, a.Homes); err != nil {
			return Memory{}, err
		}
	}
	return Memory{layout}, nil
}

// Pages returns a number of bytes rounded up to whole pages.
func Pages(bytes int) int { return (bytes + svm.PageSize - 1) / svm.PageSize * svm.PageSize }

// Part returns the items of a node when n items are divided evenly: from first
// up to end, which is excluded.
func Part(n, nodes, node int) (first, end int) { return n * node / nodes, n * (node + 1) / nodes }

// Owner returns the node whose part holds an item.
func Owner(n, nodes, item int) int { return ((item+1)*nodes - 1) / n }

// Load copies the pieces of shared memory that svm.Thread.Read or Write yields.
func Load[T svm.Number](to []T, pieces iter.Seq2[int, []byte]) {
	for off, b := range pieces {
		copy(Bytes(to)[off:], b)
	}
}

// Store copies numbers to the pieces of shared memory that svm.Thread.Write yields.
func Store[T svm.Number](pieces iter.Seq2[int, []byte], from []T) {
	for off, b := range pieces {
		copy(b, Bytes(from)[off:])
	}
}

// Fill writes a matrix into shared memory before a program starts, row by row,
// each row to the address that at gives.
func Fill[T svm.Number](s *svm.System, rows, columns int, at func(row int) svm.Addr, number func(row, column int) T) error {
	line := make([]T, columns)
	for r := range rows {
		for c := range line {
			line[c] = number(r, c)
		}
		if err := s.Preload(at(r), Bytes(line)); err != nil {
			return err
		}
	}
	return nil
}

// Gather returns a matrix by rows after a program has ended.
func Gather[T svm.Number](s *svm.System, rows, columns int, at func(row int) svm.Addr) ([]T, error) {
	out := make([]T, rows*columns)
	for r := range rows {
		if err := s.Snapshot(at(r), Bytes(out[r*columns:(r+1)*columns])); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Bytes returns the memory of numbers.
func Bytes[T svm.Number](v []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(zero)))
}
