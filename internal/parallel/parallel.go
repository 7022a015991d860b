// Package parallel calls a function for many numbers on all cores.
package parallel

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls f for 0 to n-1 on all cores. After an error no further call begins.
// It returns the error of the lowest index. That is the same on every machine, because
// calls begin in order and each that has begun ends.
func Each(ctx context.Context, n int, f func(i int) error) error {
	var begun atomic.Int64
	var failed atomic.Bool
	var all sync.WaitGroup
	var lock sync.Mutex
	first, result := n, error(nil)
	for range min(n, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for ctx.Err() == nil && !failed.Load() {
				i := int(begun.Add(1)) - 1
				if i >= n {
					return
				}
				if err := f(i); err != nil {
					failed.Store(true)
					lock.Lock()
					if i < first {
						first, result = i, err
					}
					lock.Unlock()
				}
			}
		})
	}
	all.Wait()
	return cmp.Or(result, ctx.Err())
}
