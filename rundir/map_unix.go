//go:build unix

package rundir

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapped returns a file's content without reading it into memory. Forget releases
// the pages that have been read; they are read again when needed.
func mapped(path string) (data []byte, forget, release func(), err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return nil, func() {}, func() {}, err
	}
	data, err = unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return nil, nil, nil, err
	}
	forget = func() { _ = unix.Madvise(data, unix.MADV_DONTNEED) } // a failure only keeps memory longer
	return data, forget, func() { _ = unix.Munmap(data) }, nil
}
