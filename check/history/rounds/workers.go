package main

import (
	"context"
	"sync"

	"github.com/sigview/sigview/check/history"
	"github.com/sigview/sigview/internal/parallel"
)

// run carries out all runs on all cores, and calls found for each that has findings. Places and
// faults take turns; every round has a seed.
func (o *options) run(found func(done)) (*tally, error) {
	t := newTally()
	var lock sync.Mutex
	p, s := len(o.places), len(o.sorts)
	return t, parallel.Each(context.Background(), o.runs, func(i int) error {
		c := done{at: o.places[i%p], sort: o.sorts[i/p%s], seed: o.seed + uint64(i/p/s)}
		c.out = history.Run(c.at, c.seed, c.sort)
		lock.Lock()
		defer lock.Unlock()
		if t.add(c); len(c.out.Findings) > 0 {
			found(c)
		}
		return nil
	})
}
