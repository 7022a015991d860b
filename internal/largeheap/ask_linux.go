package largeheap

import (
	"os"

	"golang.org/x/sys/unix"
)

// ask asks for huge pages in place of what is there, and for what is used later.
func ask() {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return
	}
	for _, r := range regions(string(maps)) {
		for _, advice := range [...]uintptr{unix.MADV_HUGEPAGE, unix.MADV_COLLAPSE} {
			// A refusal leaves the pages as they are.
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, uintptr(r.from), uintptr(r.to-r.from), advice)
		}
	}
}
