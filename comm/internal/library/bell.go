package library

import "github.com/sigview/sigview/sim/host"

// Bell signals the arrivals of an endpoint, which embeds it. When it rings,
// contexts that wait for its Watch continue and the function of OnArrival runs.
type Bell struct {
	host.Watch
	rung func()
}

// OnArrival implements comm.Attended.
func (b *Bell) OnArrival(f func()) { b.rung = f }

// Await waits until the bell rings. A program spins. A service process sleeps, so
// that programs of its host run, for whose peers it may be waiting.
func (b *Bell) Await(c *host.Context, reason string) {
	if c.Shares().Level == host.Application {
		c.Spin(&b.Watch, reason)
	} else {
		c.Block(&b.Watch, reason)
	}
}

// Ring signals that something has arrived or that a waiting context can
// continue.
func (b *Bell) Ring() {
	b.Fire()
	if b.rung != nil {
		b.rung()
	}
}
