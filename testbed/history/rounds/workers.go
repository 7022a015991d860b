package main

import (
	"sync"

	"github.com/sigview/sigview/testbed/history"
)

// run carries out all runs and calls found for each that has findings. Places and faults
// take turns; every round has a seed.
func (o *options) run(found func(done)) *tally {
	work, results := make(chan done), make(chan done)
	var workers sync.WaitGroup
	for range max(1, o.workers) {
		workers.Go(func() {
			for c := range work {
				c.out = history.Run(c.at, c.seed, c.sort)
				results <- c
			}
		})
	}
	go func() {
		for i := range o.runs {
			p, s := len(o.places), len(o.sorts)
			work <- done{at: o.places[i%p], sort: o.sorts[i/p%s], seed: o.seed + uint64(i/p/s)}
		}
		close(work)
		workers.Wait()
		close(results)
	}()
	t := newTally()
	for c := range results {
		t.add(c)
		if len(c.out.Findings) > 0 {
			found(c)
		}
	}
	return t
}
