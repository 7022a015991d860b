package measure

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Parallel calls f for 0 to n-1 on all cores. After an error no further call begins.
// It returns the error of the lowest index. That is the same on every machine, because
// calls begin in order and each that has begun ends.
func Parallel(ctx context.Context, n int, f func(i int) error) error {
	errs := make([]error, n)
	var begun atomic.Int64
	var failed atomic.Bool
	var all sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for ctx.Err() == nil && !failed.Load() {
				i := int(begun.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = f(i); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	all.Wait()
	return cmp.Or(append(errs, ctx.Err())...)
}
