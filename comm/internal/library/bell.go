package library

import "github.com/sigview/sigview/host"

// Bell tells of an endpoint's arrivals; it is to be embedded. When it rings,
// contexts that wait for its Watch continue and the function of OnArrival runs.
type Bell struct {
	host.Watch
	rung func()
}

// OnArrival implements comm.Attended.
func (b *Bell) OnArrival(f func()) { b.rung = f }

// Await waits until the bell rings: a program spins, a service process sleeps and
// so lets programs of its host run, whose peers it may be waiting for.
func (b *Bell) Await(c *host.Context, reason string) {
	if c.Shares().Level == host.Application {
		c.Spin(&b.Watch, reason)
	} else {
		c.Block(&b.Watch, reason)
	}
}

// Ring says that something has arrived or that a waiting context can continue.
func (b *Bell) Ring() {
	b.Fire()
	if b.rung != nil {
		b.rung()
	}
}
