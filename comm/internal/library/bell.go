package library

import "github.com/sigview/sigview/host"

// Bell is what the arrivals of an endpoint ring, to be embedded: contexts that
// spin at its Watch go on, and the function that the program has set runs.
type Bell struct {
	host.Watch
	rung func()
}

// OnArrival implements comm.Attended.
func (b *Bell) OnArrival(f func()) { b.rung = f }

// Ring says that something has come, or may be done that could not before.
func (b *Bell) Ring() {
	b.Fire()
	if b.rung != nil {
		b.rung()
	}
}
