package live

import (
	"fmt"
	"sync"
	"time"
)

// steps notices that somebody sets the system's clock. What disciplines a clock changes its rate, by
// at most 500 ppm, and is no step.
type steps struct {
	last reading
	sum  time.Duration // of all steps
	quit chan struct{}
	done sync.WaitGroup
}

// reading is what two clocks show at one instant. They may be read up to unsure apart, if the thread was
// stopped between.
type reading struct {
	system time.Duration // since 1970
	steady time.Duration // by the clock that nobody sets
	// Invariant: the true distance of the two readings is at most this.
	unsure time.Duration
}

// readClocks reads both clocks five times and returns the reading with the least unsure. begin is the zero of
// the steady clock.
func readClocks(begin time.Time) (best reading) {
	for i := range 5 {
		before := time.Since(begin)
		now := time.Now() // has both
		r := reading{time.Duration(now.UnixNano()), now.Sub(begin), time.Since(begin) - before}
		if i == 0 || r.unsure < best.unsure {
			best = r
		}
	}
	return best
}

// The system's clock is looked at so often. A change by more than leastStep, and more than its rate
// may change it, is a step.
const (
	lookEvery = 50 * time.Millisecond
	leastStep = 20 * time.Microsecond
)

// watchSteps watches the clock until stop is called.
func watchSteps() *steps {
	begin := time.Now()
	s := &steps{last: readClocks(begin), quit: make(chan struct{})}
	// One look more at the end, so that a step in the last interval is seen too.
	s.done.Go(func() {
		t := time.NewTicker(lookEvery)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				s.look(readClocks(begin))
			case <-s.quit:
				s.look(readClocks(begin))
				return
			}
		}
	})
	return s
}

// look compares by how much both clocks advanced since the last reading, and adds a difference to the sum of
// steps that neither the rate (500 ppm) nor the error of the readings explains.
func (s *steps) look(now reading) {
	passed := now.steady - s.last.steady
	// 500 ppm is a two-thousandth.
	if by := now.system - s.last.system - passed; by.Abs() > leastStep+passed/2000+s.last.unsure+now.unsure {
		s.sum += by
	}
	s.last = now
}

// stop ends the watch and returns the sum of all steps.
func (s *steps) stop() time.Duration {
	close(s.quit)
	s.done.Wait()
	return s.sum
}

// stepped returns an error if the clock of a node's host was set.
func stepped(counts []Counts) error {
	for node, c := range counts {
		if c.SteppedNs != 0 {
			return fmt.Errorf("the system clock of node %d was set by %v during the run: times across that are wrong", node, time.Duration(c.SteppedNs))
		}
	}
	return nil
}
