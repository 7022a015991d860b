//go:build unix

package rundir

import (
	"fmt"
	"math"

	"golang.org/x/sys/unix"

	"github.com/sigview/sigview/internal/inputfile"
)

// mapped returns a file's content without reading it into memory. Forget releases
// the pages that have been read; they are read again when needed.
func mapped(path string) (data []byte, forget, release func(), err error) {
	f, size, err := inputfile.Open(path)
	if err != nil {
		return nil, nil, nil, err
	}
	defer f.Close()
	if size == 0 {
		return nil, func() {}, func() {}, nil
	}
	if size > math.MaxInt {
		return nil, nil, nil, fmt.Errorf("%d bytes, more than this system can map into memory", size)
	}
	data, err = unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return nil, nil, nil, err
	}
	forget = func() { _ = unix.Madvise(data, unix.MADV_DONTNEED) } // a failure only keeps memory longer
	return data, forget, func() { _ = unix.Munmap(data) }, nil
}
