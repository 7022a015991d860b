package hunt

import (
	"context"
	"errors"
	"time"

	"github.com/sigview/sigview/internal/parallel"
)

// Round is a number of random cases.
type Round struct {
	First uint64 // seed; the next cases have the seeds after it
	Cases int
	Until time.Time // no case begins after it; zero: whenever
}

// Each calls try for the cases of a round, on all cores. An error ends the round.
func Each(ctx context.Context, r Round, try func(Case) error) error {
	open, stop := context.WithCancel(ctx)
	defer stop()
	err := parallel.Each(open, r.Cases, func(i int) error {
		if !r.Until.IsZero() && time.Now().After(r.Until) {
			stop()
			return nil
		}
		return try(Random(r.First + uint64(i)))
	})
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
