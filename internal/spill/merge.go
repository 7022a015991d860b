package spill

import (
	"container/heap"
	"fmt"
	"io"
	"iter"
	"unsafe"

	"github.com/sigview/sigview/internal/inputfile"
)

// bufferBytes is how much of each run is in memory while runs are merged.
const bufferBytes = 32 << 10

// All returns the records in order; equal ones in any order. It can be called again. Err
// tells whether the sequence has ended early.
func (s *Sorter[R]) All() iter.Seq[R] {
	s.sort()
	return func(yield func(R) bool) {
		if s.err != nil {
			return
		}
		m := merge[R]{compare: s.compare}
		var from int64
		for _, end := range s.ends {
			m.runs = append(m.runs, &run[R]{file: s.file, next: from, end: end})
			from = end
		}
		m.runs = append(m.runs, &run[R]{rows: s.rows})
		s.err = m.each(yield)
	}
}

// run is a sorted run: what has been read of it, and where the rest is in the file.
type run[R any] struct {
	file      io.ReaderAt
	next, end int64
	rows      []R
	buffer    []R
}

// fill reads on if everything that was read is used up. It returns io.EOF at the end.
func (r *run[R]) fill() error {
	if len(r.rows) > 0 {
		return nil
	}
	if r.next == r.end {
		return io.EOF
	}
	size := int64(unsafe.Sizeof(*new(R)))
	if r.buffer == nil {
		r.buffer = make([]R, max(bufferBytes/size, 1))
	}
	r.rows = r.buffer[:min(r.end-r.next, int64(len(r.buffer)))]
	if _, err := r.file.ReadAt(bytesOf(r.rows), r.next*size); err != nil {
		return fmt.Errorf("temporary file for a long trace: %w", inputfile.Cause(err))
	}
	r.next += int64(len(r.rows))
	return nil
}

// merge is a heap of runs by their first record.
type merge[R any] struct {
	compare func(a, b *R) int
	runs    []*run[R]
}

func (m *merge[R]) each(yield func(R) bool) error {
	all := m.runs
	m.runs = nil
	for _, r := range all {
		if err := r.fill(); err == nil {
			m.runs = append(m.runs, r)
		} else if err != io.EOF {
			return err
		}
	}
	heap.Init(m)
	for len(m.runs) > 0 {
		first := m.runs[0]
		if !yield(first.rows[0]) {
			return nil
		}
		first.rows = first.rows[1:]
		switch err := first.fill(); err {
		case nil:
			heap.Fix(m, 0)
		case io.EOF:
			heap.Pop(m)
		default:
			return err
		}
	}
	return nil
}

// Len implements heap.Interface.
func (m *merge[R]) Len() int { return len(m.runs) }

// Less implements heap.Interface.
func (m *merge[R]) Less(i, j int) bool { return m.compare(&m.runs[i].rows[0], &m.runs[j].rows[0]) < 0 }

// Swap implements heap.Interface.
func (m *merge[R]) Swap(i, j int) { m.runs[i], m.runs[j] = m.runs[j], m.runs[i] }

// Push implements heap.Interface.
func (m *merge[R]) Push(x any) { m.runs = append(m.runs, x.(*run[R])) }

// Pop implements heap.Interface.
func (m *merge[R]) Pop() any {
	last := m.runs[len(m.runs)-1]
	m.runs = m.runs[:len(m.runs)-1]
	return last
}
