package hugepages

import (
	"os"
	"runtime/metrics"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

const (
	every = 250 * time.Millisecond
	least = 128 << 20 // bytes; smaller programs gain little
	step  = 32 << 20  // growth between two requests
)

// Follow asks for huge pages as the program's memory grows beyond 128 MB, until stop is
// called. Nothing depends on whether they are given.
func Follow() (stop func()) {
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for next := uint64(least); ; {
			select {
			case <-done:
				return
			case <-tick.C:
				if now := mapped(); now >= next {
					ask()
					next = now + step
				}
			}
		}
	}()
	return sync.OnceFunc(func() { close(done) })
}

// mapped returns how much memory the Go runtime has from the system, in bytes.
func mapped() uint64 {
	total := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(total)
	return total[0].Value.Uint64()
}

// ask asks for huge pages in place of what is there, and for what is used later.
func ask() {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return
	}
	for _, r := range regions(string(maps)) {
		for _, advice := range [...]uintptr{unix.MADV_HUGEPAGE, unix.MADV_COLLAPSE} {
			// A refusal leaves the pages as they are.
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, r.from, r.to-r.from, advice)
		}
	}
}
