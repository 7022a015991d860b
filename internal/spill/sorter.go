package spill

import (
	"os"
	"path/filepath"
	"slices"
	"unsafe"
)

// Sorter sorts records, at most a given number of them in memory. R must hold no
// pointers: records are written as they are in memory.
type Sorter[R any] struct {
	compare func(a, b *R) int
	room    int
	rows    []R     // of the run that is not written
	ends    []int64 // of the runs in the file, in records
	file    *os.File
	err     error
}

// New returns a sorter that holds up to room records in memory.
func New[R any](room int, compare func(a, b *R) int) *Sorter[R] {
	return &Sorter[R]{compare: compare, room: room}
}

// Add takes a record in. After an error it does nothing.
func (s *Sorter[R]) Add(r R) {
	if s.err != nil {
		return
	}
	if len(s.rows) == s.room {
		s.err = s.write()
	}
	s.rows = append(s.rows, r)
}

// Err returns the error of the temporary file, also that of reading it.
func (s *Sorter[R]) Err() error { return s.err }

// Len returns the number of records.
func (s *Sorter[R]) Len() int64 { return s.written() + int64(len(s.rows)) }

func (s *Sorter[R]) written() int64 {
	if len(s.ends) == 0 {
		return 0
	}
	return s.ends[len(s.ends)-1]
}

func (s *Sorter[R]) sort() {
	slices.SortFunc(s.rows, func(a, b R) int { return s.compare(&a, &b) })
}

// write writes the records in memory as a run.
func (s *Sorter[R]) write() (err error) {
	if s.file == nil {
		if s.file, err = temporary(); err != nil {
			return err
		}
	}
	s.sort()
	if _, err := s.file.Write(bytesOf(s.rows)); err != nil {
		return failed(filepath.Dir(s.file.Name()), err)
	}
	s.ends = append(s.ends, s.Len())
	s.rows = s.rows[:0]
	return nil
}

// bytesOf returns the memory of records.
func bytesOf[R any](rows []R) []byte {
	if len(rows) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&rows[0])), len(rows)*int(unsafe.Sizeof(rows[0])))
}
