package microbench

import (
	"cmp"
	"fmt"
	"iter"

	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Operation is the kind of a request.
type Operation uint8

// Operations.
const (
	Ask   Operation = iota // a request with four words
	Store                  // a request with data for the replier's memory
	Get                    // a request for data of the replier's memory
)

var operationNames = names.NewEnum[Operation]("operation", "request", "store", "get")

// String returns the name.
func (o Operation) String() string { return operationNames.Name(o) }

// Burst is what every asker does in one sample: M operations with a spin after
// each.
type Burst struct {
	M         int
	Spin      sim.Duration
	Operation Operation
	Bytes     int // of each store or get, which are cut where the layer takes less at once
}

func (r *Requests) check(b Burst) error {
	switch {
	case b.M < 1:
		return fmt.Errorf("microbench: bursts of %d, want at least 1", b.M)
	case b.Spin < 0 || b.Spin > maxSpin:
		return fmt.Errorf("microbench: a spin of %v, want 0 to %v", b.Spin, maxSpin)
	case b.Operation > Get:
		return fmt.Errorf("microbench: %s, want request, store or get", b.Operation)
	case b.Operation == Ask && b.Bytes != 0:
		return fmt.Errorf("microbench: requests of %d B, want 0: data goes by store or get", b.Bytes)
	case b.Operation != Ask && (b.Bytes < 1 || b.Bytes > r.maxBytes):
		return fmt.Errorf("microbench: a %s of %d B, want 1 to %d", b.Operation, b.Bytes, r.maxBytes)
	}
	return nil
}

// Costs takes samples of the cost of a message: the time of a burst's issue,
// spins included, by M, for every asker. All begin at the same time, a random time
// after the cluster has come to rest. Replies after the burst are handled untimed.
// The caller ends the sequence. Its slice is used again.
func (r *Requests) Costs(b Burst) iter.Seq2[[]sim.Duration, error] {
	return r.samples(b, func(a *asker, c *host.Context) sim.Duration {
		begin := c.Now()
		for k := range b.M {
			a.operate(c, b, a.to[k%len(a.to)])
			c.Spend(b.Spin)
		}
		return c.Now().Sub(begin) / sim.Duration(b.M)
	})
}

// RoundTrips takes samples of the time from the issue of one operation until its
// reply has been handled, by every asker.
func (r *Requests) RoundTrips(o Operation, bytes int) iter.Seq2[[]sim.Duration, error] {
	b := Burst{M: 1, Operation: o, Bytes: bytes}
	return r.samples(b, func(a *asker, c *host.Context) sim.Duration {
		begin := c.Now()
		a.operate(c, b, a.to[0])
		a.collect(c)
		return c.Now().Sub(begin)
	})
}

// samples has every asker do f once per sample.
func (r *Requests) samples(b Burst, f func(*asker, *host.Context) sim.Duration) iter.Seq2[[]sim.Duration, error] {
	return func(yield func([]sim.Duration, error) bool) {
		if err := cmp.Or(r.failed, r.check(b)); err != nil {
			yield(nil, err)
			return
		}
		r.launch(f)
		for {
			if err := r.once(b); err != nil {
				yield(nil, err)
				return
			}
			if !yield(r.sample, nil) {
				break
			}
		}
		if err := r.land(); err != nil {
			panic(fmt.Sprintf("microbench: %v: idle processes do not end: %v", r.engine.Now(), err))
		}
	}
}

// launch starts the processes, which wait for the first sample.
func (r *Requests) launch(f func(*asker, *host.Context) sim.Duration) {
	r.sample = make([]sim.Duration, len(r.askers))
	r.over, r.attending = false, len(r.processes)
	for i := range r.askers {
		a := &r.askers[i]
		r.employ(a.process, func(c *host.Context) {
			r.sample[i] = f(a, c)
			a.collect(c)
		})
	}
	for _, s := range r.repliers {
		r.employ(s.process, func(c *host.Context) {
			for s.served < s.due && r.failed == nil {
				s.ep.Wait(c)
			}
		})
	}
}

// employ starts a process that does work once a sample.
func (r *Requests) employ(p *process, work func(*host.Context)) {
	round := r.round
	p.Host.Go(fmt.Sprintf("requests%d", p.Node), host.Application, func(c *host.Context) {
		for ; r.await(c, round); round++ {
			work(c)
			r.left--
			r.moved = c.Now()
			r.attend(p, c)
			r.busy--
			r.done = r.busy == 0
		}
		r.attending--
		r.done = r.attending == 0
	})
}

// await waits until a later sample than round begins. There may be none.
func (r *Requests) await(c *host.Context, round int) bool {
	for r.round == round && !r.over {
		c.Block(&r.start, "the next sample")
	}
	if r.over {
		return false
	}
	c.Sleep(r.delay)
	return true
}

// once takes one sample.
func (r *Requests) once(b Burst) error {
	for i := range r.askers {
		a := &r.askers[i]
		for k := range b.M {
			a.to[k%len(a.to)].due += a.pieces(b.Bytes)
		}
	}
	r.round++
	r.left, r.busy = len(r.processes), len(r.processes)
	r.delay = 1 + r.pause.Upto(maxDelay)
	r.moved = r.engine.Now()
	r.start.Fire()
	return r.wait()
}

// land ends the processes of all samples.
func (r *Requests) land() error {
	r.over = true
	r.moved = r.engine.Now()
	r.start.Fire()
	return r.wait()
}

// operate begins one operation with a replier.
func (a *asker) operate(c *host.Context, b Burst, to *replier) {
	a.do(c, b.Bytes, func(_ *process, c *host.Context, at, n int) error {
		off := host.Addr(at)
		switch b.Operation {
		case Store:
			return a.ep.Store(c, to.Node, a.out+off, to.at+off, n, handler, [4]uint32{})
		case Get:
			return a.ep.Get(c, to.Node, to.at+off, a.at+off, n, handler, [4]uint32{})
		}
		return a.ep.Request(c, to.Node, handler, [4]uint32{})
	})
}

// collect handles replies until none is due.
func (a *asker) collect(c *host.Context) {
	for a.ep.Outstanding() > 0 && a.group.failed == nil {
		a.ep.Wait(c)
		a.group.moved = c.Now()
	}
}
