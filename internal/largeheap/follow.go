package largeheap

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

const (
	every = 250 * time.Millisecond
	least = 384 << 20 // bytes; smaller programs gain little
	step  = 32 << 20  // growth between two requests for huge pages
	grown = 50        // % by which the heap grows before garbage is collected
)

// Follow looks at the program's memory until stop is called. Once it has grown beyond 384 MB,
// garbage is collected earlier, unless GOGC says when, and huge pages are asked for.
// Nothing depends on whether they are given.
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
				now := read("/memory/classes/total:bytes")
				if now < next {
					continue
				}
				if os.Getenv("GOGC") == "" && read("/gc/gogc:percent") > grown {
					debug.SetGCPercent(grown)
				}
				ask()
				next = now + step
			}
		}
	}()
	return sync.OnceFunc(func() { close(done) })
}

// read returns a figure of the Go runtime.
func read(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
