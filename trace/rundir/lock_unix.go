//go:build unix

package rundir

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock marks a directory as in use until release or the end of the process, however it
// ends. It reports false if another process has it, or if it cannot be locked.
func lock(dir string) (release func(), ok bool) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, false
	}
	if err := unix.Flock(int(d.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = d.Close()
		return nil, false
	}
	return func() { _ = d.Close() }, true
}
