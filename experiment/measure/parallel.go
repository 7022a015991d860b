package measure

import (
	"context"
	"runtime"
	"sync"
)

// Parallel calls f for 0 to n-1 on all cores. After an error no further call
// begins; the error of the lowest index is returned, which is the same on
// every machine, because calls begin in order and end what they began.
func Parallel(ctx context.Context, n int, f func(i int) error) error {
	errs := make([]error, n)
	var lock sync.Mutex
	next, failed := 0, false
	take := func() (int, bool) {
		lock.Lock()
		defer lock.Unlock()
		if failed || next == n || ctx.Err() != nil {
			return 0, false
		}
		next++
		return next - 1, true
	}
	var all sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for i, ok := take(); ok; i, ok = take() {
				if errs[i] = f(i); errs[i] != nil {
					lock.Lock()
					failed = true
					lock.Unlock()
				}
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
