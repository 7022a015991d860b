package largeheap

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// spare is what the Go runtime reserves of addresses before it uses them: two blocks of 64 MB.
const spare = 128 << 20

// addresses returns the memory for which a limit of the process leaves addresses; 0 if there
// is no limit.
func addresses() int64 {
	var most unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &most) != nil || most.Cur == unix.RLIM_INFINITY {
		return 0
	}
	text, err := os.ReadFile("/proc/self/statm")
	var pages int64
	if _, err1 := fmt.Sscan(string(text), &pages); err != nil || err1 != nil {
		return 0
	}
	return max(int64(most.Cur)-pages*int64(os.Getpagesize())+taken()-spare, 1)
}
