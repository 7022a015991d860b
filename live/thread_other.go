//go:build !linux

package live

import "runtime"

// ownThread keeps the caller on its thread until the result is called.
func ownThread(int) func() {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}
