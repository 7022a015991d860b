package hunt

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// Round is a number of random cases.
type Round struct {
	First   uint64 // seed; the next cases have the seeds after it
	Cases   uint64
	Workers int       // cases at a time
	Until   time.Time // no case begins after it; zero: whenever
}

// Each calls try for the cases of a round, on several goroutines. An error ends the round.
func Each(ctx context.Context, r Round, try func(Case) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Uint64
	var all sync.WaitGroup
	for range r.Workers {
		all.Go(func() {
			for ctx.Err() == nil && (r.Until.IsZero() || time.Now().Before(r.Until)) {
				n := next.Add(1) - 1
				if n >= r.Cases {
					return
				}
				if err := try(Random(r.First + n)); err != nil {
					stop(err)
				}
			}
		})
	}
	all.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
