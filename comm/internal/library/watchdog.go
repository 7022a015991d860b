package library

import "github.com/sigview/sigview/sim"

// Watchdog is a polling watchdog: an interface that interrupts its host when messages have
// waited for a time and nobody has polled.
type Watchdog struct {
	engine *sim.Engine
	after  sim.Duration
	wanted func() bool
	raise  func()
	set    bool
}

// NewWatchdog returns one that waits for a time; 0: never.
func NewWatchdog(e *sim.Engine, after sim.Duration) Watchdog {
	return Watchdog{engine: e, after: after}
}

// Guard implements comm.Watched.
func (w *Watchdog) Guard(wanted func() bool, raise func()) (look func()) {
	if w.after == 0 {
		return nil
	}
	w.wanted, w.raise = wanted, raise
	return w.Look
}

// Look starts the watchdog's time, if messages wait and it does not run.
func (w *Watchdog) Look() {
	if w.wanted == nil || w.set || !w.wanted() {
		return
	}
	w.set = true
	w.engine.At(w.engine.Now().Add(w.after), w, 0, 0)
}

// Act ends the time: it interrupts the host if messages still wait and nobody has polled.
func (w *Watchdog) Act(uint32, uint64) {
	w.set = false
	if w.wanted() {
		w.raise()
	}
}
