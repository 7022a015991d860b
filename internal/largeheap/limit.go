package largeheap

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// often is the time between two looks at the memory of a program with a limit.
const often = 20 * time.Millisecond

// Limit is how much memory the program may take.
type Limit struct {
	Bytes int64
	From  string // what sets it
}

func (l Limit) String() string { return fmt.Sprintf("%s (%s)", Size(l.Bytes), l.From) }

// Size writes a number of bytes for people.
func Size(bytes int64) string {
	if bytes < 1<<30 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
}

// Passed says that a program has taken more memory than it may.
type Passed struct {
	Taken int64 // bytes
	Limit Limit
}

func (p *Passed) Error() string {
	return fmt.Sprintf("%s of memory were taken, want at most %v", Size(p.Taken), p.Limit)
}

type limitKey struct{}

// LimitOf returns the limit of a context, if it has one.
func LimitOf(ctx context.Context) (Limit, bool) {
	l, ok := ctx.Value(limitKey{}).(Limit)
	return l, ok
}

// Within returns a context that is cancelled with the cause *Passed once the program takes
// more memory than the limit. Near the limit garbage is collected more often, for up to half
// of the time, so that memory is passed by what is in use. Call stop at the end.
func Within(ctx context.Context, l Limit) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.WithValue(ctx, limitKey{}, l))
	before := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(before, l.Bytes/10*9))
	go func() {
		tick := time.NewTicker(often)
		defer tick.Stop()
		for ctx.Err() == nil {
			if now := taken(); now > l.Bytes {
				cancel(&Passed{now, l})
			}
			select {
			case <-ctx.Done():
			case <-tick.C:
			}
		}
	}()
	return ctx, sync.OnceFunc(func() {
		cancel(nil)
		debug.SetMemoryLimit(before)
	})
}

// taken returns the memory that the Go runtime has from the system.
func taken() int64 {
	return int64(read("/memory/classes/total:bytes") - read("/memory/classes/heap/released:bytes"))
}
