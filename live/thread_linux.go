package live

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// ownThread keeps the caller on its thread, and that on a processor, unless cpu is negative. The
// result lets it go. Where the processor is not to be had, the thread runs on any.
func ownThread(cpu int) func() {
	runtime.LockOSThread()
	if cpu < 0 {
		return runtime.UnlockOSThread
	}
	var before, one unix.CPUSet
	one.Set(cpu)
	if unix.SchedGetaffinity(0, &before) != nil || unix.SchedSetaffinity(0, &one) != nil {
		return runtime.UnlockOSThread
	}
	return func() {
		if unix.SchedSetaffinity(0, &before) == nil {
			runtime.UnlockOSThread() // otherwise the thread ends with its goroutine
		}
	}
}

// pause lets the thread sleep. Timers of the Go runtime would wake it up to a millisecond late.
func pause(d time.Duration) {
	t := unix.NsecToTimespec(d.Nanoseconds())
	_ = unix.Nanosleep(&t, nil) // a signal only makes it shorter
}
