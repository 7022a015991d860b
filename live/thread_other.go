//go:build !linux

package live

import (
	"runtime"
	"time"
)

// ownThread keeps the caller on its thread until the result is called.
func ownThread(int) func() {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

func pause(d time.Duration) { time.Sleep(d) }
