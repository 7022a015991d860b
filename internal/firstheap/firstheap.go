// Package firstheap lets the first 16 MB of a program's heap grow without a collection. Starting
// the program allocates more than the 4 MB from which Go collects, and hardly any of it is garbage:
// collections were a third of the time of a command that does little. After the first collection
// GOGC is what it was. The package imports nothing of sigview, so that it is initialized before
// packages that allocate much.
package firstheap

import (
	"os"
	"runtime"
	"runtime/debug"
)

// percent makes the first collection begin at 16 MB: four times the runtime's least heap.
const percent = 400

func init() {
	if _, chosen := os.LookupEnv("GOGC"); chosen {
		return
	}
	usual := debug.SetGCPercent(percent)
	// The first collection finds the mark unreachable.
	mark := new([16]byte)
	runtime.SetFinalizer(mark, func(*[16]byte) { debug.SetGCPercent(usual) })
}
