//go:build unix

package rundir

import (
	"os"
	"syscall"
)

// mapped gives a file's content without reading it in. Forget lets go of what
// has been looked at; it comes back when it is looked at again.
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
	data, err = syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil, nil, err
	}
	forget = func() { _ = syscall.Madvise(data, syscall.MADV_DONTNEED) } // where it fails, memory is only kept longer
	return data, forget, func() { _ = syscall.Munmap(data) }, nil
}
